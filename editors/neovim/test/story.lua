-- Runs stories one after the other, says how each went, and ends Neovim with what that comes to.
local story = {}

local stories = {}
local folder = vim.env.POLICYC_POLICIES

function story.tell(name, run)
  table.insert(stories, { name = name, run = run })
end

--- Waits until `condition` returns something, and returns it. `what` is what was waited for in vain.
function story.wait(what, condition)
  local found
  local came = vim.wait(20000, function()
    found = condition()
    return found ~= nil and found ~= false
  end, 20)
  if not came then
    error('waited in vain for ' .. (type(what) == 'function' and what() or what), 2)
  end
  return found
end

function story.equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s: expected %s, found %s'):format(what, vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

--- Opens a policy, and returns its buffer once the server knows it.
function story.open(name)
  vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(folder, name)))
  local buffer = vim.api.nvim_get_current_buf()
  story.wait('the server to attach to ' .. name, function()
    local client = vim.lsp.get_clients({ name = 'policyc', bufnr = buffer })[1]
    return client and client.initialized
  end)
  return buffer
end

function story.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end

--- The place of the first occurrence of `text`: line and byte from 0.
function story.find(buffer, text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then
      return number - 1, at - 1
    end
  end
  error(text .. ' is not in the buffer', 2)
end

--- Puts the cursor on the first occurrence of `text`.
function story.go(buffer, text)
  local line, column = story.find(buffer, text)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
end

function story.run()
  local failed = 0
  for _, one in ipairs(stories) do
    local began = vim.uv.hrtime()
    local well, message = xpcall(one.run, debug.traceback)
    local milliseconds = math.floor((vim.uv.hrtime() - began) / 1e6)
    io.stdout:write(('%s  %s (%d ms)\n'):format(well and 'ok    ' or 'FAILED', one.name, milliseconds))
    if not well then
      failed = failed + 1
      io.stdout:write(message .. '\n')
    end
    vim.cmd('silent! %bwipeout!')
  end
  local file = io.open(vim.lsp.log.get_filename())
  local log = (file and file:read('*a') or '') .. vim.fn.execute('messages')
  -- What goes wrong in a callback stops nothing, nor does a bug that the server lives through.
  for _, sign in ipairs({ 'stack traceback', 'this is a bug', 'panicked at' }) do
    if log:find(sign, 1, true) then
      failed = failed + 1
      io.stdout:write(('FAILED  "%s" is in the log\n'):format(sign))
    end
  end
  if failed > 0 then
    io.stdout:write('\nthe log:\n' .. log .. '\n')
  end
  io.stdout:write(('%d stories, %d failed\n'):format(#stories, failed))
  for _, client in ipairs(vim.lsp.get_clients()) do
    client:stop()
  end
  vim.wait(5000, function()
    return #vim.lsp.get_clients() == 0
  end, 20)
  vim.cmd('cquit ' .. (failed > 0 and 1 or 0))
end

return story
