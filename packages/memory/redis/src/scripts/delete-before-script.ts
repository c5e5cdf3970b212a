import { RedisScript } from '../redis-script.js';
import { CHUNK_SIZE, PARTS } from './script-parts.js';

/** Deletes messages with a smaller sequence. Keys: conversation, systems. Values: the sequence or '' for all, '1' to keep system messages, prefix of copies. */
export const DELETE_BEFORE: RedisScript = new RedisScript(`${PARTS}
local main, systems, prefix = KEYS[1], KEYS[2], ARGV[3]
local state = read(main)
if state == false then return { 'layout' } end
if not state then return { 'done' } end
local keeps = ARGV[2] == '1'
local limit = state.sequence + 1
if ARGV[1] ~= '' then limit = math.min(limit, tonumber(ARGV[1])) end

local gone, kept = {}, {}
if keeps then
  for _, sequence in ipairs(redis.call('ZRANGEBYSCORE', systems, digits(state.first), '(' .. digits(limit))) do
    kept[sequence] = true
  end
else
  gone = older(systems, math.min(state.first, limit))
  redis.call('ZREMRANGEBYSCORE', systems, '-inf', '(' .. digits(limit))
end
for sequence = state.first, limit - 1 do
  local name = digits(sequence)
  if not kept[name] then gone[#gone + 1] = name end
end
chunks(gone, ${CHUNK_SIZE}, function(...) redis.call('HDEL', main, ...) end)
if state.indexed then
  for i = 1, #gone do gone[i] = prefix .. gone[i] end
  unlink(gone)
end
if limit > state.first then redis.call('HSET', main, 'first', digits(limit)) end
return { 'done' }
`);
