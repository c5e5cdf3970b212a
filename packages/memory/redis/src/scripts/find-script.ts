import { RedisScript } from '../redis-script.js';
import { CHUNK_SIZE, PARTS } from './script-parts.js';

/**
 * Reads a part of a conversation from its newest end. Keys: conversation, systems. Values: last or '', before or '', '1' when system messages
 * from outside come too. Gives 'found', the sequence of the conversation, and pairs of a sequence and what is stored there, in no order. What
 * somebody has taken out of the hash is not there.
 */
export const FIND: RedisScript = new RedisScript(`${PARTS}
local main, systems = KEYS[1], KEYS[2]
local state = read(main)
if state == false then return { 'layout' } end
if not state then return { 'found', '0' } end
local wanted = ARGV[1] == '' and math.huge or tonumber(ARGV[1])
local top = state.sequence
if ARGV[2] ~= '' then top = math.min(top, tonumber(ARGV[2]) - 1) end

local reply, found = { 'found', digits(state.sequence) }, 0
local function take(...)
  local names, entries = { ... }, redis.call('HMGET', main, ...)
  for i = 1, #names do
    if entries[i] then
      reply[#reply + 1] = names[i]
      reply[#reply + 1] = entries[i]
      found = found + 1
    end
  end
end

local lowest = top + 1
while found < wanted and lowest > state.first do
  local names = {}
  local from = lowest - 1
  lowest = math.max(state.first, from - math.min(wanted - found, ${CHUNK_SIZE}) + 1)
  for sequence = from, lowest, -1 do names[#names + 1] = digits(sequence) end
  take(unpack(names))
end
if found < wanted then
  local most = wanted == math.huge and -1 or wanted - found
  local below = '(' .. digits(math.min(lowest, state.first))
  local names = redis.call('ZREVRANGEBYSCORE', systems, below, '-inf', 'LIMIT', '0', digits(most))
  chunks(names, ${CHUNK_SIZE}, take)
  if #names > 0 then lowest = tonumber(names[#names]) end
end
if ARGV[3] == '1' then
  chunks(redis.call('ZRANGEBYSCORE', systems, '-inf', '(' .. digits(lowest)), ${CHUNK_SIZE}, take)
  chunks(redis.call('ZRANGEBYSCORE', systems, '(' .. digits(top), '+inf'), ${CHUNK_SIZE}, take)
end
return reply
`);
