// @vernal/memory-redis, and its scripts by their hash through ioredis.
import { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { Redis } from 'ioredis';
import { listening } from './recorded-calls.mjs';

export function redisStore(url, name) {
  const client = new Redis(url);
  const keyPrefix = `${name}:`;
  return {
    repository: new RedisChatMemoryRepository({ client, keyPrefix }),
    recording: (calls) => new RedisChatMemoryRepository({ client: listening(client, ['call'], calls), keyPrefix }),
    compiled: ({ args }) => args,
    replay: ([command, args]) => client.call(command, args),
    async drop() {
      for (let cursor = '0'; ; ) {
        const [next, keys] = await client.scan(cursor, 'MATCH', `${name}:*`, 'COUNT', 1000);
        if (keys.length > 0) await client.unlink(keys);
        if (next === '0') break;
        cursor = next;
      }
      client.disconnect();
    },
  };
}
