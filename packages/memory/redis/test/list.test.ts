import { userMessage } from '@vernal/core';
import type { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { expect, it } from 'vitest';
import { countedClient } from './counted-client.js';
import { describeOnServer } from './server.js';

async function allIds(repository: RedisChatMemoryRepository): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of repository.findConversationIds()) ids.push(id);
  return ids.toSorted();
}

describeOnServer('ids', (server) => {
  it('are those of the prefix alone, whatever it holds', async () => {
    const name = server.name();
    const suffixes = ['', '*', '?', '[a-z]', '\\', '^a', 'x', 'message:a'];
    const prefixes = suffixes.map((suffix) => `${name}${suffix}:`);
    const repositories = [...new Set(prefixes)].map((keyPrefix) => ({
      keyPrefix,
      repository: server.repository({ keyPrefix, search: true }),
    }));
    for (const { keyPrefix, repository } of repositories) await repository.append(keyPrefix, [userMessage('x')]);
    for (const { keyPrefix, repository } of repositories) expect(await allIds(repository)).toEqual([keyPrefix]);
  });

  it('leave out keys of others', async () => {
    const name = server.name();
    const repository = server.repository({ keyPrefix: `${name}:` });
    await server.client.set(`${name}:{text}`, 'x');
    await server.client.hset(`${name}:{hash}`, 'a', 'b');
    await server.client.set(`${name}:plain`, 'x');
    await repository.append('mine', [userMessage('x')]);
    expect(await allIds(repository)).toEqual(['mine']);
  });

  it('are read a page at a time, and no further than they are asked for', async () => {
    const name = server.name();
    const { client, taken } = countedClient(server.client);
    const repository = server.repository({ client, keyPrefix: `${name}:`, pageSize: 1 });
    for (let at = 0; at < 50; at++) await repository.append(`c${at}`, [userMessage('x')]);
    taken();
    const whole = await allIds(repository);
    const all = taken();
    expect([whole.length, new Set(whole).size]).toEqual([50, 50]);
    for await (const id of repository.findConversationIds()) {
      expect(whole).toContain(id);
      break;
    }
    expect(taken()).toBeLessThan(all / 2);
  });

  it('end with the signal, between two of them too', async () => {
    const repository = server.repository();
    for (const id of ['a', 'b', 'c']) await repository.append(id, [userMessage('x')]);
    const controller = new AbortController();
    const listing = (async () => {
      for await (const _ of repository.findConversationIds({ signal: controller.signal })) controller.abort();
    })();
    await expect(listing).rejects.toMatchObject({ code: 'aborted' });
  });
});
