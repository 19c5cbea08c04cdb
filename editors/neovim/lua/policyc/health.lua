local options = require('policyc.options')
local server = require('policyc.server')

local health = {}

function health.check()
  vim.health.start('policyc')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim has `vim.lsp.config`')
  else
    vim.health.error('Neovim 0.11 or later is needed: this one has no `vim.lsp.config`')
    return
  end

  local configured = vim.lsp.config.policyc or {}
  local cmd = type(configured.cmd) == 'table' and configured.cmd or options.get('cmd')
  local program = vim.fn.exepath(cmd[1])
  if program == '' then
    vim.health.error(('the language server `%s` was not found'):format(cmd[1]), {
      'in a checkout of policyc: cargo install --locked --path lsp',
      "or name it: vim.g.policyc = { cmd = { '/path/to/policyc-lsp' } }",
    })
  else
    local started, result = pcall(function()
      return vim.system({ program, '--version' }, { text = true, timeout = 5000 }):wait()
    end)
    if started and result.code == 0 then
      vim.health.ok(('`%s` is %s'):format(program, vim.trim(result.stdout)))
    else
      vim.health.error(('`%s` does not start: %s'):format(program, started and vim.trim(result.stderr) or result))
    end
  end

  if vim.filetype.match({ filename = 'a.rules' }) == 'policy' then
    vim.health.ok('files that end in `.rules` are policies')
  else
    vim.health.warn('files that end in `.rules` are not taken for policies')
  end

  local clients = vim.lsp.get_clients({ name = 'policyc' })
  if #clients == 0 then
    vim.health.info('no server runs: one is started with the first policy that is opened')
  end
  for _, client in ipairs(clients) do
    local count = vim.tbl_count(client.attached_buffers)
    vim.health.ok(('a server runs for %d buffer%s, in %s'):format(count, count == 1 and '' or 's', client.root_dir or 'no folder'))
  end
  for _, status in pairs(server.statuses()) do
    vim.health.info(('%s: %d rules (%d allow, %d prompt, %d forbidden)'):format(status.name, status.rules, status.allow, status.prompt, status.forbidden))
    for _, label in ipairs(status.degraded or {}) do
      vim.health.warn(label .. ' stands for an earlier text: it has mistakes')
    end
  end
end

return health
