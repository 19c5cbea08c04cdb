-- An answer of the server as docs/answers.md describes it, cut into what is shown. Spans are bytes from 0, as Lua's strings are
-- bytes; places count from 0.
local pieces = {}

local STRICTNESS = { allow = 1, prompt = 2, forbidden = 3 }

--- The matches that make the decision: the strictest of those that count, or all if none counts.
function pieces.deciding(command)
  local strictest = 0
  for _, match in ipairs(command.matches) do
    if match.counts then
      strictest = math.max(strictest, STRICTNESS[match.decision] or 0)
    end
  end
  return vim.tbl_filter(function(match)
    return strictest == 0 or (match.counts and STRICTNESS[match.decision] == strictest)
  end, command.matches)
end

--- The matches without those that say what another says: a call in a loop makes many rules of one place.
function pieces.distinct(matches)
  local said = {}
  return vim.tbl_filter(function(match)
    local key = vim.json.encode({ match.file, match.line, match.column, match.decision, match.counts, match.how or '' })
    local new = not said[key]
    said[key] = true
    return new
  end, matches)
end

--- What is said about a command itself: one that runs others is answered with them, but has a rule of its own to show for what
--- it is alone.
function pieces.own_decision(answer, place)
  local command = answer.commands[place + 1]
  local counts = vim.iter(command.matches):any(function(match)
    return match.counts
  end)
  local runs_others = vim.iter(answer.commands):any(function(other)
    return other.inside == place
  end)
  local own = runs_others and counts and pieces.deciding(command)[1].decision or command.decision
  return own or 'undecided'
end

--- Whether a command has something of its own to say. One that only runs others, and is decided by them, has not; nor has a
--- wrapper that needs no rule.
function pieces.has_card(answer, place)
  local command = answer.commands[place + 1]
  if #command.matches > 0 or #command.doubts > 0 then
    return true
  end
  for _, other in ipairs(answer.commands) do
    if other.inside == place then
      return command.decision == nil and not command.harmless
    end
  end
  return true
end

--- The text, and the span in it, of a command: its own, or from the first to the last of its words in the text of what runs it.
local function stretch(answer, command)
  if command.span then
    return command.span.text, command.span.start, command.span['end']
  end
  if command.found ~= 'operands' then
    return nil
  end
  local at = command
  while at and not at.span do
    at = at.inside and answer.commands[at.inside + 1]
  end
  local first, last
  for _, word in ipairs(command.words) do
    if word.span then
      first = math.min(first or word.span.start, word.span.start)
      last = math.max(last or word.span['end'], word.span['end'])
    end
  end
  if at and first then
    return at.span.text, first, last
  end
end

--- For each byte of the text at `place`: the command that it is of, and whether a deciding rule's pattern took it.
function pieces.marks(answer, place)
  local length = #answer.texts[place + 1].text
  local owner, taken = {}, {}
  -- Each command comes after the one that runs it, so that the innermost is painted last.
  for number, command in ipairs(answer.commands) do
    local text, first, last = stretch(answer, command)
    if text == place and pieces.has_card(answer, number - 1) then
      for byte = first, math.min(last, length) - 1 do
        owner[byte], taken[byte] = number - 1, false
      end
      for _, match in ipairs(pieces.deciding(command)) do
        for _, word in ipairs(match.words) do
          local span = (command.words[word + 1] or {}).span
          for byte = span and span.start or 0, (span and span['end'] or 0) - 1 do
            taken[byte] = true
          end
        end
      end
    end
  end
  return owner, taken
end

--- The runs of bytes that are of one command: first and last byte (exclusive) and the command.
function pieces.runs(text, owner, first, last)
  local found = {}
  local from = first
  for byte = first + 1, last do
    if byte == last or owner[byte] ~= owner[from] then
      if owner[from] then
        table.insert(found, { from, byte, owner[from] })
      end
      from = byte
    end
  end
  return found
end

--- The lines of a text, as first and last byte (exclusive).
function pieces.lines(text)
  local found, from = {}, 1
  while true do
    local newline = text:find('\n', from, true)
    table.insert(found, { from - 1, (newline or #text + 1) - 1 })
    if not newline then
      return found
    end
    from = newline + 1
  end
end

return pieces
