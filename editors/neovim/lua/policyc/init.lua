local policyc = {}

--- For a statusline: how many rules the policy set has, and whether a file of it stands for an earlier text.
function policyc.status()
  local rules, degraded = 0, false
  local statuses = require('policyc.server').statuses()
  if next(statuses) == nil then
    return ''
  end
  for _, status in pairs(statuses) do
    rules = rules + status.rules
    degraded = degraded or #(status.degraded or {}) > 0
  end
  return ('%d rule%s%s'):format(rules, rules == 1 and '' or 's', degraded and ' (earlier text)' or '')
end

return policyc
