/** Of what is stored. Scripts do not touch a conversation of a later one. */
export const LAYOUT = 1;

/** How many arguments of one command are unpacked: the stack of Lua takes some 8,000. */
export const CHUNK_SIZE = 1000;

/**
 * What the scripts share. `read` gives the state of a conversation: nil when there is none, false when a later release wrote it. Its messages
 * are those from `first` to `sequence`, and before them those whose sequences are among the system messages. `indexed` is there when copies
 * for searching are: when the first of them expires, in milliseconds since 1970, or 0. Sequences are written by `digits`, for Lua writes
 * large numbers as powers of ten.
 */
export const PARTS: string = `
local function digits(number) return string.format('%.0f', number) end

local function read(main)
  local known = redis.call('HMGET', main, 'layout', 'sequence', 'first', 'indexed')
  if not known[2] then return nil end
  if tonumber(known[1]) ~= ${LAYOUT} then return false end
  return { sequence = tonumber(known[2]), first = tonumber(known[3]), indexed = tonumber(known[4] or '') }
end

local function chunks(list, size, use)
  for start = 1, #list, size do use(unpack(list, start, math.min(start + size - 1, #list))) end
end

local function older(systems, first)
  return redis.call('ZRANGEBYSCORE', systems, '-inf', '(' .. digits(first))
end

local function unlink(keys)
  chunks(keys, ${CHUNK_SIZE}, function(...) redis.call('UNLINK', ...) end)
end

local function copies(prefix, state, systems)
  local keys = {}
  for _, sequence in ipairs(older(systems, state.first)) do keys[#keys + 1] = prefix .. sequence end
  for sequence = state.first, state.sequence do keys[#keys + 1] = prefix .. digits(sequence) end
  return keys
end
`;
