if vim.g.loaded_policyc then
  return
end
vim.g.loaded_policyc = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('policyc needs Neovim 0.11 or later', vim.log.levels.WARN)
  return
end

for group, link in pairs({
  PolicycAllow = 'DiagnosticOk',
  PolicycPrompt = 'DiagnosticWarn',
  PolicycForbidden = 'DiagnosticError',
  PolicycUndecided = 'Comment',
  PolicycPlace = 'Underlined',
  ['@lsp.mod.allow.policy'] = 'PolicycAllow',
  ['@lsp.mod.prompt.policy'] = 'PolicycPrompt',
  ['@lsp.mod.forbidden.policy'] = 'PolicycForbidden',
  ['@lsp.typemod.comment.documentation.policy'] = 'String',
}) do
  vim.api.nvim_set_hl(0, group, { link = link, default = true })
end

vim.api.nvim_create_user_command('PolicyTry', function(command)
  require('policyc.try').open(command.args)
end, { nargs = '*', desc = 'See how a command is judged, and why' })

vim.api.nvim_create_user_command('PolicyTable', function()
  require('policyc.table').open()
end, { desc = "List the policy set's decision table" })

vim.api.nvim_create_user_command('PolicyRestart', function()
  require('policyc.server').restart()
end, { desc = 'Start the language server of command policies anew' })

-- The policies that are shipped with the server are no files: it is asked for their text.
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = vim.api.nvim_create_augroup('policyc', {}),
  pattern = 'policyc-std:*',
  callback = function(event)
    require('policyc.shipped').read(event.buf, event.match)
  end,
})

if require('policyc.options').get('enable') then
  vim.lsp.enable('policyc')
end
