local policy = {}

local last

-- A shipped policy is no file and in no set of its own: one that is looked at changes nothing.
local function is_policy(buffer)
  return vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'policy' and vim.bo[buffer].buftype == ''
end

--- The buffer of the policy that is worked on: the current one, the one before, or any that is open.
function policy.buffer()
  local current = vim.api.nvim_get_current_buf()
  if is_policy(current) then
    last = current
  elseif not (last and is_policy(last)) then
    last = vim.iter(vim.api.nvim_list_bufs()):find(is_policy)
  end
  return last
end

--- `buffer` while it is open; else the policy that is worked on instead.
function policy.standing(buffer)
  return buffer and is_policy(buffer) and buffer or policy.buffer()
end

--- What a request says of it.
function policy.document(buffer)
  return { uri = vim.uri_from_bufnr(buffer) }
end

return policy
