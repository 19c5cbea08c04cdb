local here = vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))
local story = dofile(vim.fs.joinpath(here, 'story.lua'))
local equal, find, go, open, tell, text, wait = story.equal, story.find, story.go, story.open, story.tell, story.text, story.wait

local function codes(buffer)
  local found = vim.tbl_map(function(diagnostic)
    return diagnostic.code
  end, vim.diagnostic.get(buffer))
  table.sort(found)
  return found
end

--- The texts behind a line, by the inlay hints of the server.
local function hints(buffer, line)
  local found = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = buffer })) do
    local label = hint.inlay_hint.label
    if hint.inlay_hint.position.line == line then
      local parts = type(label) == 'table' and vim.iter(label):map(function(part) return part.value end):join('') or label
      table.insert(found, parts)
    end
  end
  return table.concat(found, ' ')
end

local function wait_for_codes(buffer, expected)
  wait(function()
    return ('the diagnostics %s, last: %s'):format(vim.inspect(expected), vim.inspect(codes(buffer)))
  end, function()
    return vim.deep_equal(codes(buffer), expected)
  end)
end

--- Chooses the first code action whose title holds `title`.
local function act(title, only)
  local done = false
  local select = vim.ui.select
  vim.ui.select = function(items, _, choose)
    for place, item in ipairs(items) do
      if (item.action or item).title:find(title, 1, true) then
        return choose(item, place)
      end
    end
    choose(nil)
  end
  vim.lsp.buf.code_action({
    context = { only = only, diagnostics = nil },
    filter = function(action)
      done = done or action.title:find(title, 1, true) ~= nil
      return action.title:find(title, 1, true) ~= nil
    end,
    apply = true,
  })
  wait('the action "' .. title .. '"', function() return done end)
  vim.ui.select = select
end

local function try_lines()
  return vim.api.nvim_buf_get_lines(vim.fn.bufnr('policyc://try'), 0, -1, false)
end

tell('policies have a filetype, as have the things that are called like them', function()
  equal(vim.filetype.match({ filename = '/a/b.rules' }), 'policy', 'a policy')
  equal(vim.filetype.match({ filename = '/etc/udev/rules.d/10.rules' }), 'udevrules', 'a rule for devices')
end)

tell('three mistakes are three diagnostics, and one goes by its quick fix', function()
  local buffer = open('mistakes.rules')
  wait_for_codes(buffer, { 'failing-example', 'unknown-argument', 'unknown-decision' })
  go(buffer, '"deny"')
  act('forbidden', { 'quickfix' })
  wait_for_codes(buffer, { 'failing-example', 'unknown-argument' })
  find(buffer, '    "forbidden",')
end)

tell('a scratch line is judged while it is typed', function()
  local buffer = open('team.rules')
  local line = find(buffer, '#? shipit release v2')
  wait(function() return 'the decision behind the scratch line, not ' .. hints(buffer, line) end, function()
    return hints(buffer, line):find('prompt', 1, true) and hints(buffer, line):find('team.rules:7', 1, true)
  end)
  vim.api.nvim_win_set_cursor(0, { line + 1, 0 })
  vim.api.nvim_feedkeys(vim.keycode('A --force<Esc>'), 'tx', false)
  equal(vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1], '#? shipit release v2 --force', 'what was typed')
  wait(function() return 'another decision behind the scratch line than ' .. hints(buffer, line) end, function()
    return hints(buffer, line):find('forbidden', 1, true)
  end)
end)

tell('a name is renamed in the file that has it and in the one that loads it', function()
  local words = open('words.rules')
  local team = open('team.rules')
  go(team, 'PUBLISHING],')
  vim.lsp.buf.rename('RELEASING')
  wait('the new name in both files', function()
    return text(team):find('["shipit", RELEASING]', 1, true) and text(words):find('RELEASING = ', 1, true)
  end)
  equal(text(team):find('PUBLISHING', 1, true), nil, 'the old name where it was loaded')
  equal(text(words):find('PUBLISHING', 1, true), nil, 'the old name where it was')
  wait_for_codes(team, {})
end)

tell('a file is formatted', function()
  local buffer = open('untidy.rules')
  vim.lsp.buf.format({ async = false, timeout_ms = 20000 })
  find(buffer, 'prefix_rule(["tidy", "up"], "allow", match = ["tidy up now"])')
end)

tell('a command is tried, and its answer follows the policy', function()
  local buffer = open('team.rules')
  vim.cmd('PolicyTry shipit plan && nice shipit release --force')
  wait(function() return 'the answer, not\n' .. table.concat(try_lines(), '\n') end, function()
    return vim.startswith(try_lines()[4] or '', 'forbidden  the strictest of 2 commands')
  end)
  local lines = try_lines()
  equal(vim.list_slice(lines, 1, 3), {
    '  shipit plan && nice shipit release --force',
    '  ^^^^^^~^^^^         ^^^^^^~~~~~~~~~~~~~~~~',
    '  1                   2',
  }, 'the text, underlined and numbered')
  equal(lines[6], '1 allow      shipit plan', 'the first command')

  -- Enter on a rule leads to it.
  local shown = vim.api.nvim_get_current_win()
  local place = find(vim.api.nvim_get_current_buf(), 'the checks are what customers pay for')
  vim.api.nvim_win_set_cursor(0, { place + 1, 0 })
  vim.api.nvim_feedkeys(vim.keycode('<CR>'), 'tx', false)
  wait('the rule to be opened', function() return vim.api.nvim_get_current_buf() == buffer end)
  equal(vim.api.nvim_win_get_cursor(0)[1], find(buffer, '["shipit"],'), 'the line of the rule')

  -- An edit that is not saved changes the answer.
  local line = find(buffer, '"forbidden",')
  vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { '    "prompt",' })
  wait(function() return 'another answer than\n' .. table.concat(try_lines(), '\n') end, function()
    return vim.startswith(try_lines()[4] or '', 'prompt  the strictest of 2 commands')
  end)
  vim.api.nvim_win_close(shown, true)
end)

tell('the decision table is listed', function()
  open('team.rules')
  vim.cmd.PolicyTable()
  local buffer = vim.fn.bufnr('policyc://table')
  wait('the listing', function() return text(buffer):find('shipit', 1, true) end)
end)

tell('what hits a rule stands over it', function()
  local buffer = open('team.rules')
  wait('a lens', function()
    return vim.iter(vim.lsp.codelens.get(buffer)):any(function(lens)
      return lens.command and lens.command.command == 'policyc.tryCommand'
    end)
  end)
end)

tell('a server that is killed comes back', function()
  local buffer = open('mistakes.rules')
  wait('three diagnostics', function() return #codes(buffer) == 3 end)
  local before = vim.lsp.get_clients({ name = 'policyc' })[1]
  local pid = vim.iter(vim.api.nvim_get_proc_children(vim.fn.getpid())):find(function(child)
    return (vim.api.nvim_get_proc(child) or {}).name == 'policyc-lsp'
  end)
  assert(pid, 'the server runs as a process of its own')
  vim.uv.kill(pid, 'sigkill')
  wait('another server', function()
    local client = vim.lsp.get_clients({ name = 'policyc', bufnr = buffer })[1]
    return client and client.id ~= before.id and client.initialized
  end)
  wait('three diagnostics again', function() return #codes(buffer) == 3 end)
end)

tell('the health check finds the server', function()
  open('team.rules')
  vim.cmd('checkhealth policyc')
  local report = text(0)
  assert(report:find('OK `.*/policyc%-lsp` is policyc%-lsp %d'), report)
  assert(report:find('a server runs for 1 buffer', 1, true), report)
  assert(not report:find('ERROR', 1, true), report)
end)

tell('help is there', function()
  vim.cmd('helptags ALL')
  vim.cmd('help :PolicyTry')
  equal(vim.fs.basename(vim.api.nvim_buf_get_name(0)), 'policyc.txt', 'the help file')
end)

story.run()
