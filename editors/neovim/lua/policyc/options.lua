local options = {}

local defaults = {
  -- Whether the language server is started for policies.
  enable = true,
  -- The language server, and its arguments.
  cmd = { 'policyc-lsp' },
  inlay_hints = true,
  code_lenses = true,
  -- How high the windows of :PolicyTry and :PolicyTable are.
  height = 14,
}

--- What `vim.g.policyc` says of `name`, or else the default.
function options.get(name)
  local given = vim.g.policyc or {}
  if given[name] ~= nil then
    return given[name]
  end
  return defaults[name]
end

return options
