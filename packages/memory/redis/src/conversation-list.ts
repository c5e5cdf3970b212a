import { type SignalOptions, throwIfAborted } from '@vernal/core';
import { conversationPattern } from './conversation-keys.js';
import type { MemorySettings } from './memory-settings.js';
import type { RedisConnection } from './redis-connection.js';
import type { RedisMemoryClient } from './redis-memory-client.js';
import { IDENTIFY } from './scripts/identify-script.js';

/**
 * The stored ids of conversations with messages, a step of SCAN at a time, on every server of a cluster. There is no register of them: it would
 * lie in another slot, could not be written in one step with a message, and would go on naming what has expired.
 */
export async function* listedConversations(
  connection: RedisConnection,
  { keyPrefix, pageSize }: MemorySettings,
  { signal }: SignalOptions,
): AsyncIterable<string> {
  const match = ['MATCH', conversationPattern(keyPrefix), 'COUNT', pageSize, 'TYPE', 'hash'];
  // SCAN gives a key twice when the server's table grows meanwhile, or a slot moves.
  const seen = new Set<string>();
  const nodes = await connection.run('store_read', signal, async (client) => client.nodes?.('master') ?? [client]);
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await connection.run('store_read', signal, () => scan(node, [cursor, ...match]));
      const fresh = keys.filter((key) => !seen.has(key));
      for (const key of fresh) seen.add(key);
      const ids = await connection.run('store_read', signal, (client) =>
        Promise.all(fresh.map((key) => IDENTIFY.run(client, [key], [], signal))),
      );
      for (const id of ids) {
        throwIfAborted(signal);
        if (typeof id === 'string') yield id;
      }
      cursor = next;
    } while (cursor !== '0');
  }
}

async function scan(node: RedisMemoryClient, args: (string | number)[]): Promise<readonly [string, string[]]> {
  const [cursor, keys] = (await node.call('SCAN', args)) as [string, string[]];
  return [String(cursor), keys];
}
