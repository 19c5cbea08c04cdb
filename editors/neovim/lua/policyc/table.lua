local policy = require('policyc.policy')
local server = require('policyc.server')
local window = require('policyc.window')

local listing = {}

local NAME = 'policyc://table'
local of

local function draw()
  local buffer = vim.fn.bufnr(NAME)
  of = policy.standing(of)
  local client = of and server.client(of)
  if buffer == -1 or not client then
    return
  end
  client:request('policyc/table', { textDocument = policy.document(of) }, function(err, answer)
    if vim.api.nvim_buf_is_valid(buffer) and (err or answer) then
      local text = err and ('There is no table: ' .. err.message) or answer.listing
      window.write(buffer, vim.split(text, '\n', { trimempty = true }))
    end
  end)
end

server.on_check(draw)

--- Lists the decision table of the policy set, and keeps to it.
function listing.open()
  of = policy.buffer()
  if not (of and server.client(of)) then
    vim.notify('no language server answers: see :checkhealth policyc', vim.log.levels.WARN)
    return
  end
  window.open(NAME)
  draw()
end

return listing
