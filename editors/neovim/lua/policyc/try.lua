local page = require('policyc.page')
local policy = require('policyc.policy')
local server = require('policyc.server')
local window = require('policyc.window')

local try = {}

local NAME = 'policyc://try'
local space = vim.api.nvim_create_namespace('policyc.try')

--- What is asked, of which buffer's policy set, and where the lines of the answer lead.
local asked, of
local links = {}
--- The addresses of the files that the answer names.
local addresses = {}

local function show(lines, colours)
  local buffer = vim.fn.bufnr(NAME)
  if buffer == -1 then
    return
  end
  window.write(buffer, lines)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  for _, colour in ipairs(colours) do
    local line, first, last, group = unpack(colour)
    last = math.min(last, #lines[line + 1])
    if first < last then
      vim.api.nvim_buf_set_extmark(buffer, space, line, first, { end_col = last, hl_group = group })
    end
  end
end

local function ask()
  of = policy.standing(of)
  local client = of and server.client(of)
  if not (asked and client) then
    return
  end
  local question = asked
  local params = { text = question, shellKind = 'bash', textDocument = policy.document(of) }
  client:request('policyc/evaluate', params, function(err, answer)
    -- Only the answer to the last question is shown.
    if question ~= asked or not (err or answer) then
      return
    end
    if err then
      -- A question that an edit cut short is asked again when the policies are checked.
      if err.code ~= vim.lsp.protocol.ErrorCodes.ContentModified and err.code ~= -32800 and err.code ~= -32802 then
        links = {}
        show(vim.split(question .. '\n\n' .. err.message, '\n', { trimempty = true }), {})
      end
      return
    end
    local drawn = page(answer)
    links = drawn.links
    addresses = answer.files or {}
    show(drawn.lines, drawn.colours)
  end)
end

server.on_check(ask)

--- Opens the rule that the line under the cursor is about, beside the answer.
local function follow()
  local place = links[vim.api.nvim_win_get_cursor(0)[1]]
  if not place then
    return
  end
  local address = addresses[place.file]
  if not address then
    vim.notify(place.file .. ' is no file that can be opened here', vim.log.levels.INFO)
    return
  end
  local beside = vim.fn.bufwinid(of)
  if beside == -1 then
    vim.cmd.wincmd('p')
  else
    vim.api.nvim_set_current_win(beside)
  end
  local at = { line = place.line - 1, character = place.column - 1 }
  vim.lsp.util.show_document({ uri = address, range = { start = at, ['end'] = at } }, 'utf-32', { focus = true })
end

local function change()
  vim.ui.input({ prompt = 'Try: ', default = asked or '', completion = 'shellcmdline' }, function(text)
    if text and vim.trim(text) ~= '' then
      try.open(text)
    end
  end)
end

--- Shows how `text` is judged, and keeps to it as the policies are edited. Without a text it is asked for.
function try.open(text)
  local current = policy.buffer()
  if current then
    of = current
  end
  if not (of and server.client(of)) then
    vim.notify('no language server answers: see :checkhealth policyc', vim.log.levels.WARN)
    return
  end
  if vim.trim(text or '') == '' then
    change()
    return
  end
  asked = text
  local buffer = window.open(NAME)
  vim.bo[buffer].filetype = 'policyc-try'
  vim.keymap.set('n', '<CR>', follow, { buffer = buffer, desc = 'Open the rule' })
  vim.keymap.set('n', 'c', change, { buffer = buffer, nowait = true, desc = 'Try another command' })
  ask()
end

return try
