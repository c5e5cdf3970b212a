import { userMessage } from '@vernal/core';
import { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { expect, it, vi } from 'vitest';
import { describeOnServer } from './server.js';

describeOnServer('closing', (server) => {
  const connections = async (address: string): Promise<number> =>
    String(await server.client.client('LIST'))
      .split('\n')
      .filter((line) => line.includes(`user=${address} `)).length;

  it('leaves the client of the owner open', async () => {
    const client = server.connect();
    const repository = server.repository({ client });
    await repository.append('c', [userMessage('x')]);
    await repository.close();
    expect([client.status, await client.ping()]).toEqual(['ready', 'PONG']);
  });

  it('ends what the url has opened, at the end of its block', async () => {
    const name = server.name();
    await server.client.call('ACL', ['SETUSER', name, 'on', '>secret', `~${name}*`, '+@all']);
    try {
      const url = new URL(server.url);
      [url.username, url.password] = [name, 'secret'];
      {
        await using repository = new RedisChatMemoryRepository({ url: url.href, keyPrefix: `${name}:` });
        await Promise.all(['a', 'b', 'c'].map((id) => repository.append(id, [userMessage('x')])));
        expect(await connections(name)).toBe(1);
      }
      // The server answers before it closes.
      await vi.waitFor(async () => expect(await connections(name)).toBe(0), { timeout: 60_000 });
      const unused = new RedisChatMemoryRepository({ url: url.href });
      await unused.close();
      expect(await connections(name)).toBe(0);
    } finally {
      await server.client.call('ACL', ['DELUSER', name]);
    }
  });
});
