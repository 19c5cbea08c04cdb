local server = require('policyc.server')

local shipped = {}

--- Fills `buffer` with the text of the shipped policy at `address`.
function shipped.read(buffer, address)
  local client = server.client()
  local answer, err
  if client then
    local reply
    reply, err = client:request_sync('policyc/shipped', { uri = address }, 5000)
    err = err or (reply and reply.err and reply.err.message)
    answer = reply and reply.result
  end
  local text = answer and answer.text or ('There is no text: ' .. (err or 'no language server answers') .. '\n')
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n', { trimempty = true }))
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modified = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = 'policy'
end

return shipped
