-- What `vim.lsp.config` finds by the name of this file; `vim.lsp.config('policyc', { … })` overrides it.
return require('policyc.server').config()
