import { RedisScript } from '../redis-script.js';
import { PARTS } from './script-parts.js';

/** Deletes a conversation. Keys: conversation, systems, writes. Values: prefix of copies. */
export const DELETE: RedisScript = new RedisScript(`${PARTS}
local state = read(KEYS[1])
if state == false then return { 'layout' } end
if state and state.indexed then unlink(copies(ARGV[1], state, KEYS[2])) end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return { 'done' }
`);
