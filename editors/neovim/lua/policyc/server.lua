local options = require('policyc.options')

local server = {}

-- A server that fails again and again is left alone: so many starts in so many milliseconds.
local STARTS, WITHIN = 5, 180000

--- The buffers of each client, by its id: a client that is gone no longer knows them.
local buffers = {}
local restarts = {}
--- What the server said last of each policy set: how many rules, and what stands for an earlier text.
local statuses = {}
--- Called whenever policies were checked, or another server answers.
local listeners = {}

--- Calls `listen` after each check of a policy set.
function server.on_check(listen)
  table.insert(listeners, listen)
end

local function tell()
  for _, listen in ipairs(listeners) do
    listen()
  end
end

--- What the server said of the policy sets, by their names.
function server.statuses()
  return statuses
end

--- The client that answers for `buffer`, or for any policy.
function server.client(buffer)
  local clients = vim.lsp.get_clients({ name = 'policyc', bufnr = buffer })
  return clients[1] or vim.lsp.get_clients({ name = 'policyc' })[1]
end

local function attach(client, buffer)
  buffers[client.id] = buffers[client.id] or {}
  buffers[client.id][buffer] = true
  if options.get('inlay_hints') and client:supports_method('textDocument/inlayHint', buffer) then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if options.get('code_lenses') and client:supports_method('textDocument/codeLens', buffer) then
    if vim.lsp.codelens.enable then
      vim.lsp.codelens.enable(true, { bufnr = buffer })
    else
      vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
        group = vim.api.nvim_create_augroup('policyc.lenses.' .. buffer, {}),
        buffer = buffer,
        callback = function()
          vim.lsp.codelens.refresh({ bufnr = buffer })
        end,
      })
      vim.lsp.codelens.refresh({ bufnr = buffer })
    end
  end
end

--- Starts a server again that ended by itself, for the buffers that it had.
local function revive(client, attached)
  local now = vim.uv.now()
  restarts = vim.tbl_filter(function(when)
    return now - when < WITHIN
  end, restarts)
  if #restarts >= STARTS then
    vim.notify('policyc-lsp ended again and again; :PolicyRestart starts it anew', vim.log.levels.ERROR)
    return
  end
  table.insert(restarts, now)
  for buffer in pairs(attached) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'policy' then
      vim.lsp.start(client.config, { bufnr = buffer })
    end
  end
end

local function ended(code, signal, id)
  local attached = buffers[id] or {}
  buffers[id] = nil
  -- Asked to end, a server ends with 0; forced to by Neovim, with SIGTERM.
  local by_itself = (code ~= 0 or signal ~= 0) and signal ~= 15
  local client = vim.lsp.get_client_by_id(id)
  vim.schedule(function()
    statuses = {}
    if by_itself and client and vim.v.exiting == vim.NIL then
      revive(client, attached)
    end
  end)
end

--- Ends the server, and starts one for the same buffers; if there is none, one for every policy that is open.
function server.restart()
  restarts = {}
  local clients = vim.lsp.get_clients({ name = 'policyc' })
  local attached = vim.tbl_map(function(client)
    return vim.tbl_keys(client.attached_buffers)
  end, clients)
  local gone = function()
    return #vim.lsp.get_clients({ name = 'policyc' }) == 0
  end
  for _, client in ipairs(clients) do
    client:stop()
  end
  if not vim.wait(3000, gone, 20) then
    for _, client in ipairs(clients) do
      client:stop(true)
    end
    vim.wait(1000, gone, 20)
  end
  for place, client in ipairs(clients) do
    for _, buffer in ipairs(attached[place]) do
      vim.lsp.start(client.config, { bufnr = buffer })
    end
  end
  if #clients == 0 then
    vim.lsp.enable('policyc')
  end
end

local commands = {
  -- A lens names its file and, if it has one, its command.
  ['policyc.tryCommand'] = function(command)
    require('policyc.try').open((command.arguments or {})[2] or '')
  end,
  ['policyc.showHits'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local encoding = client and client.offset_encoding or 'utf-16'
    local items = vim.lsp.util.locations_to_items((command.arguments or {})[3] or {}, encoding)
    vim.fn.setqflist({}, ' ', { title = 'Hits', items = items })
    vim.cmd('botright copen')
  end,
}

--- The configuration for `vim.lsp.config`.
function server.config()
  return {
    cmd = options.get('cmd'),
    filetypes = { 'policy' },
    root_markers = { 'policyc.toml', '.git' },
    commands = commands,
    init_options = { shipped = true },
    handlers = {
      ['policyc/status'] = function(_, status)
        statuses[status.set] = status
        tell()
        vim.cmd.redrawstatus()
      end,
    },
    on_attach = attach,
    on_exit = ended,
  }
end

return server
