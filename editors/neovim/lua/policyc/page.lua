-- An answer as lines, with what is coloured and what leads somewhere.
local pieces = require('policyc.pieces')

local Page = {}
Page.__index = Page

local GROUPS = {
  allow = 'PolicycAllow',
  prompt = 'PolicycPrompt',
  forbidden = 'PolicycForbidden',
  undecided = 'PolicycUndecided',
}

local function new()
  return setmetatable({ lines = {}, colours = {}, links = {} }, Page)
end

--- Adds a line of parts, each a text or a text and its highlight group. `place` is where the line leads.
function Page:line(parts, place)
  local text = ''
  for _, part in ipairs(parts) do
    local piece, group = part, nil
    if type(part) == 'table' then
      piece, group = part[1], part[2]
    end
    -- What is shown stands on one line.
    piece = piece:gsub('[\r\n]', ' ')
    if group then
      table.insert(self.colours, { #self.lines, #text, #text + #piece, group })
    end
    text = text .. piece
  end
  table.insert(self.lines, (text:gsub('%s+$', '')))
  if place then
    self.links[#self.lines] = place
  end
end

--- A text, with what each of its commands is underlined and numbered by: `^` what a pattern took, `~` the rest.
function Page:text(answer, place, numbers, indent)
  local text = answer.texts[place + 1].text
  local owner, taken = pieces.marks(answer, place)
  local numbered = {}
  for _, line in ipairs(pieces.lines(text)) do
    local first, last = line[1], line[2]
    local under, number, row = indent, indent, { indent }
    local colours = {}
    local at = first
    local function plain(upto)
      if upto > at then
        local part = text:sub(at + 1, upto)
        table.insert(row, part)
        under = under .. (' '):rep(vim.fn.strdisplaywidth(part))
        at = upto
      end
    end
    for _, run in ipairs(pieces.runs(text, owner, first, last)) do
      plain(run[1])
      local group = GROUPS[pieces.own_decision(answer, run[3])]
      local start = #under
      if not numbered[run[3]] then
        numbered[run[3]] = true
        number = number .. (' '):rep(#under - #number)
        table.insert(colours, { #number, #number + #tostring(numbers[run[3]]), group, true })
        number = number .. numbers[run[3]]
      end
      table.insert(row, { text:sub(run[1] + 1, run[2]), group })
      for byte = run[1], run[2] - 1 do
        -- Continuation bytes of UTF-8 take no room of their own.
        local character = text:byte(byte + 1)
        if character < 0x80 or character >= 0xC0 then
          local stop = byte + 1
          while stop < run[2] and text:byte(stop + 1) >= 0x80 and text:byte(stop + 1) < 0xC0 do
            stop = stop + 1
          end
          local width = vim.fn.strdisplaywidth(text:sub(byte + 1, stop))
          under = under .. (taken[byte] and '^' or '~'):rep(width)
        end
      end
      table.insert(colours, { start, #under, group })
      at = run[2]
    end
    plain(last)
    self:line(row)
    if under:find('%S') then
      for _, colour in ipairs(colours) do
        table.insert(self.colours, { #self.lines + (colour[4] and 1 or 0), colour[1], colour[2], colour[3] })
      end
      self:line({ under })
      self:line({ number })
    end
  end
end

local function place_of(match)
  return ('%s:%d'):format(match.file, match.line)
end

function Page:rule(match, decides)
  local parts = { '    ', { ('%-10s'):format(match.decision), GROUPS[match.decision] }, ' ', { place_of(match), 'PolicycPlace' } }
  if match.layer then
    table.insert(parts, ', layer ' .. match.layer)
  end
  if not match.counts then
    table.insert(parts, ', does not count here')
  end
  if match.how then
    table.insert(parts, ', ' .. match.how)
  end
  self:line(parts, match)
  if decides and match.justification then
    self:line({ '      why: ' .. match.justification }, match)
  end
end

function Page:command(answer, place, number)
  local command = answer.commands[place + 1]
  local word = pieces.own_decision(answer, place)
  local head = { { tostring(number), GROUPS[word] }, ' ', { ('%-10s'):format(word), GROUPS[word] }, ' ', command.display }
  local deciding = pieces.deciding(command)
  self:line(head, deciding[1])
  for _, match in ipairs(pieces.distinct(deciding)) do
    self:rule(match, true)
  end
  local others = vim.tbl_filter(function(match)
    return not vim.list_contains(deciding, match)
  end, command.matches)
  for _, match in ipairs(pieces.distinct(others)) do
    self:rule(match, false)
  end
  for _, doubt in ipairs(command.doubts) do
    self:line({ '    but: ' .. doubt.message })
    if doubt.fix then
      self:line({ '    fix: ' .. doubt.fix })
    end
  end
  if word == 'undecided' then
    if command.suggestion then
      self:line({ '    no rule is about it; this one would allow it:' })
      self:line({ '    ', { command.suggestion, 'String' } })
    else
      self:line({ '    no rule is about it' })
    end
  end
end

--- The lines, colours (line, first and last column, group) and links (line from 1 to place) of an answer.
local function page(answer)
  local self = new()
  local cards, numbers = {}, {}
  for place = 0, #answer.commands - 1 do
    if pieces.has_card(answer, place) then
      table.insert(cards, place)
      numbers[place] = #cards
    end
  end
  if answer.texts then
    self:text(answer, 0, numbers, '  ')
  end
  local word = answer.decision or 'undecided'
  local because = #cards > 1 and ('  the strictest of %d commands'):format(#cards) or ''
  if word == 'undecided' then
    because = "  no rule decides the whole: the host's default does"
  end
  self:line({ { word, GROUPS[word] }, because })
  if answer.problem then
    self:line({ 'The text is not understood, so nothing in it is allowed: ' .. answer.problem.message .. '.' })
  end
  if answer.default then
    self:line({ ('Where no rule decides, %s is what the policy says at '):format(answer.default.decision), { place_of(answer.default), 'PolicycPlace' } }, answer.default)
  end
  local text = 0
  for _, place in ipairs(cards) do
    local command = answer.commands[place + 1]
    local own = command.span and command.span.text or text
    self:line({})
    if own ~= text and own > 0 then
      local runner = answer.texts[own + 1].of
      local name = runner and answer.commands[runner + 1].words[1].text or 'it'
      self:line({ ('`%s` runs this text:'):format(name) })
      self:text(answer, own, numbers, '  ')
      self:line({})
    end
    text = own
    self:command(answer, place, numbers[place])
  end
  return self
end

return page
