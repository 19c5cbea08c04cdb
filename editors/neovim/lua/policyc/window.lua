local options = require('policyc.options')

local window = {}

--- A window below all others on the buffer of that name, which holds what is shown and cannot be edited. Returns the buffer.
function window.open(name)
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?{},\\') .. '$')
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
    vim.bo[buffer].bufhidden = 'hide'
    vim.bo[buffer].swapfile = false
    vim.bo[buffer].modifiable = false
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'Close' })
  end
  local shown = vim.fn.bufwinid(buffer)
  if shown ~= -1 then
    vim.api.nvim_set_current_win(shown)
    return buffer
  end
  vim.cmd(('botright %dsplit'):format(options.get('height')))
  vim.api.nvim_win_set_buf(0, buffer)
  vim.wo.number = false
  vim.wo.relativenumber = false
  vim.wo.signcolumn = 'no'
  vim.wo.list = false
  vim.wo.spell = false
  vim.wo.wrap = true
  vim.wo.linebreak = true
  vim.wo.breakindent = true
  vim.wo.winfixheight = true
  return buffer
end

function window.write(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
end

return window
