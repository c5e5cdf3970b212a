import { RedisScript } from '../redis-script.js';

/** The id of a conversation with messages; nothing for any other. Key: conversation. */
export const IDENTIFY: RedisScript = new RedisScript(`
local known = redis.call('HMGET', KEYS[1], 'conversation', 'sequence', 'layout', 'first', 'indexed')
if not known[1] or not known[2] then return false end
local facts = 0
for i = 1, 5 do if known[i] then facts = facts + 1 end end
return redis.call('HLEN', KEYS[1]) > facts and known[1]
`);
