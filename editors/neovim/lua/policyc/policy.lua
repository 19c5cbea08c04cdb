local policy = {}

local last

local function is_policy(buffer)
  return vim.api.nvim_buf_is_valid(buffer) and vim.bo[buffer].filetype == 'policy'
end

--- The buffer of the policy that is worked on: the current one, the one before, or any that is open.
function policy.buffer()
  local current = vim.api.nvim_get_current_buf()
  if is_policy(current) then
    last = current
  elseif not (last and is_policy(last)) then
    last = vim.iter(vim.api.nvim_list_bufs()):find(function(buffer)
      return vim.api.nvim_buf_is_loaded(buffer) and is_policy(buffer)
    end)
  end
  return last
end

--- What a request says of it.
function policy.document(buffer)
  return buffer and { uri = vim.uri_from_bufnr(buffer) } or nil
end

return policy
