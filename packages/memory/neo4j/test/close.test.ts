import { userMessage } from '@vernal/core';
import { Neo4jChatMemoryRepository } from '@vernal/memory-neo4j';
import { expect, it, vi } from 'vitest';
import { CuttingProxy } from './cutting-proxy.js';
import { describeOnServer } from './server.js';

describeOnServer('closing', (server) => {
  it('leaves the driver of the owner open', async () => {
    const repository = server.repository();
    await repository.append('c', [userMessage('x')]);
    await repository.close();
    expect(await server.query('RETURN 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('ends what the url has opened, at the end of its block', async () => {
    const proxy = await CuttingProxy.to(server.url);
    const labels = await server.labels();
    {
      // A server without users takes any.
      const url = proxy.url.replace('://', '://ann:p%40ss@');
      await using repository = new Neo4jChatMemoryRepository({ url, labels });
      expect(proxy.connections).toBe(0);
      await Promise.all(['a', 'b', 'c'].map((id) => repository.append(id, [userMessage('x')])));
      expect(proxy.connections).toBeGreaterThan(0);
      expect(proxy.sent).toMatch(/principal.*ann.*credentials.*p@ss/s);
    }
    // The other end hears of it a moment later.
    await vi.waitFor(() => expect(proxy.connections).toBe(0), { timeout: 60_000 });
    const unused = new Neo4jChatMemoryRepository({ url: proxy.url, labels });
    await unused.close();
    expect(proxy.connections).toBe(0);
    await proxy.close();
  });

  it('waits for what is under way', async () => {
    const proxy = await CuttingProxy.to(server.url);
    const repository = new Neo4jChatMemoryRepository({ url: proxy.url, labels: await server.labels() });
    await repository.append('c', [userMessage('x')]);
    proxy.hold();
    const waiting = repository.append('c', [userMessage('y')]);
    await vi.waitFor(() => expect(proxy.swallowed).toBeGreaterThan(0), { timeout: 60_000 });
    const closed = repository.close();
    await expect(repository.append('c', [userMessage('late')])).rejects.toMatchObject({ code: 'invalid_state' });
    proxy.cut();
    expect(await waiting).toEqual({ sequence: 2 });
    await closed;
    await vi.waitFor(() => expect(proxy.connections).toBe(0), { timeout: 60_000 });
    await proxy.close();
  });

  it('comes to an end when the server says nothing', async () => {
    const proxy = await CuttingProxy.to(server.url);
    const options = { url: proxy.url, labels: await server.labels(), timeoutMs: 3000 };
    const repository = new Neo4jChatMemoryRepository(options);
    await repository.append('c', [userMessage('x')]);
    proxy.hold();
    const waiting = repository.append('c', [userMessage('y')]).catch((error: unknown) => error);
    await vi.waitFor(() => expect(proxy.swallowed).toBeGreaterThan(0), { timeout: 60_000 });
    await repository.close();
    expect(await waiting).toMatchObject({ code: 'timeout', subject: 'timeoutMs' });
    await proxy.close();
  });
});
