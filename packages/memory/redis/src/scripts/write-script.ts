import { RedisScript } from '../redis-script.js';
import { CHUNK_SIZE, LAYOUT, PARTS } from './script-parts.js';

/** How many writes of one conversation are remembered, and how long after the last: milliseconds. */
const REMEMBERED = 1000;
const REMEMBERED_MS = 3_600_000;

/** Of ARGV, before the names of the fields of copies. */
export const WRITE_HEAD = 8;

/**
 * Appends to a conversation, or replaces it. Keys: conversation, systems, writes. Values: 'append' or 'replace', name of this write, expected
 * sequence or '', time to live or 0, id, key, prefix of copies, number of their fields, the names of these fields; then of each message its
 * type, its text, and the values of these fields, '' for none.
 *
 * A driver sends commands again whose replies were lost with a connection: a write that was done already only says so.
 */
export const WRITE: RedisScript = new RedisScript(`${PARTS}
local main, systems, writes = KEYS[1], KEYS[2], KEYS[3]
local replaces, name, expected, ttl = ARGV[1] == 'replace', ARGV[2], ARGV[3], tonumber(ARGV[4])
local id, key, prefix, fields = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8])
local head, stride = ${WRITE_HEAD} + fields, 2 + fields
local count = (#ARGV - head) / stride

local state = read(main)
if state == false then return { 'layout' } end
local done = redis.call('ZSCORE', writes, name)
if done then return { 'written', done } end
local sequence = state and state.sequence or 0
if expected ~= '' and tonumber(expected) ~= sequence then return { 'conflict', digits(sequence) } end
if count == 0 and not (replaces and state) then return { 'written', digits(sequence) } end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local life = ttl > 0 and ttl or math.max(redis.call('PTTL', main), 0)
local ends = life > 0 and digits(now + life)
local lastCopyEnds = life > 0 and now + 2 * life or 0

if replaces and state then
  if state.indexed then unlink(copies(prefix, state, systems)) end
  redis.call('UNLINK', main, systems)
end
local isNew = replaces or not state
local last = digits(sequence + count)
local values = { 'sequence', last }
if isNew then
  values = { 'layout', '${LAYOUT}', 'conversation', id, 'first', digits(sequence + 1), 'sequence', last }
end

local indexed = not isNew and state.indexed or nil
if indexed and ((life > 0 and (indexed == 0 or indexed < now + life)) or (life == 0 and indexed > 0)) then
  for _, copy in ipairs(copies(prefix, state, systems)) do
    if life > 0 then redis.call('PEXPIREAT', copy, digits(lastCopyEnds)) else redis.call('PERSIST', copy) end
  end
  indexed = lastCopyEnds
end
if fields > 0 and count > 0 and not indexed then indexed = lastCopyEnds end
if indexed then
  values[#values + 1] = 'indexed'
  values[#values + 1] = digits(indexed)
end

local scores = {}
for i = 1, count do
  if ARGV[head + (i - 1) * stride + 1] == 'system' then
    local own = digits(sequence + i)
    scores[#scores + 1] = own
    scores[#scores + 1] = own
  end
end
-- First what could be refused because the key holds something else: nothing is undone.
chunks(scores, ${CHUNK_SIZE}, function(...) redis.call('ZADD', systems, ...) end)
for i = 1, count do
  local at = head + (i - 1) * stride
  local kind, own = ARGV[at + 1], digits(sequence + i)
  values[#values + 1] = own
  values[#values + 1] = '{"createdAt":' .. digits(now) .. ',"message":' .. ARGV[at + 2] .. '}'
  if #values >= ${CHUNK_SIZE} then
    redis.call('HSET', main, unpack(values))
    values = {}
  end
  if fields > 0 then
    local copy, place = prefix .. own, string.format('%013.0f %s %016.0f', now, key, sequence + i)
    local parts = { 'conversation', key, 'sequence', own, 'type', kind, 'createdAt', digits(now), 'place', place }
    for field = 1, fields do
      local value = ARGV[at + 2 + field]
      if value ~= '' then
        parts[#parts + 1] = ARGV[${WRITE_HEAD} + field]
        parts[#parts + 1] = value
      end
    end
    redis.call('UNLINK', copy)
    redis.call('HSET', copy, unpack(parts))
    if life > 0 then redis.call('PEXPIREAT', copy, digits(lastCopyEnds)) end
  end
end
if #values > 0 then redis.call('HSET', main, unpack(values)) end

redis.call('ZADD', writes, last, name)
redis.call('ZREMRANGEBYRANK', writes, 0, -${REMEMBERED + 1})
redis.call('PEXPIRE', writes, digits(life > 0 and math.min(life, ${REMEMBERED_MS}) or ${REMEMBERED_MS}))
if ends then
  redis.call('PEXPIREAT', main, ends)
  redis.call('PEXPIREAT', systems, ends)
end
return { 'written', last }
`);
