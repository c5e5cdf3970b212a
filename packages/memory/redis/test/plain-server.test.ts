import { messageText, systemMessage, userMessage } from '@vernal/core';
import { RedisChatMemoryRepository } from '@vernal/memory-redis';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { noLocalServer, startPlainServer } from './plain-server.mjs';

const reason = noLocalServer();
if (reason !== undefined) it.skip(`a server without a query engine: ${reason}`);
else {
  it('a server without a query engine takes everything but searching, which says what is missing', async () => {
    const server = await startPlainServer();
    onTestFinished(() => server.end());
    const options = { url: server.url, initializeSchema: 'always', metadataFields: { year: 'numeric' } } as const;
    await using repository = new RedisChatMemoryRepository(options);
    await repository.append('c', [userMessage('one', { metadata: { year: 2026 } }), userMessage('two')]);
    await repository.deleteBefore('c', 2);
    expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['two']);
    for (const search of [
      () => repository.findByContent('two'),
      () => repository.findByType('user'),
      () => repository.findByTimeRange('c', 0, 1),
      () => repository.findByMetadata('year', 2026),
      () => repository.executeQuery('*'),
    ]) {
      const error: unknown = await search().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'unsupported_capability', subject: 'search', retryable: false });
      expect(String(error)).toContain('query engine');
    }
    await repository.deleteByConversationId('c');
  });

  it('a server that is full refuses a write as one that may pass, and leaves no half of it', async () => {
    const server = await startPlainServer();
    const client = new Redis(server.url);
    onTestFinished(async () => {
      client.disconnect();
      await server.end();
    });
    const repository = new RedisChatMemoryRepository({ client, search: true });
    const texts = async (): Promise<string[]> => (await repository.findByConversationId('c')).messages.map(messageText);
    await repository.append('c', [userMessage('old'), systemMessage('s')]);
    await client.config('SET', 'maxmemory', '1');
    for (const id of ['c', 'd']) {
      await expect(repository.append(id, [systemMessage('lost')])).rejects.toMatchObject({
        code: 'store_write',
        retryable: true,
        details: { reply: 'OOM' },
      });
    }
    expect(await texts()).toEqual(['old', 's']);
    // What deletes first may go on.
    await repository.saveAll('c', [userMessage('new'), systemMessage('t')]);
    expect(await texts()).toEqual(['new', 't']);
    await client.config('SET', 'maxmemory', '0');
    await repository.append('c', [userMessage('after')]);
    expect(await texts()).toEqual(['new', 't', 'after']);
    expect(await repository.findByConversationId('d')).toEqual({ messages: [], sequences: [], sequence: 0 });
  });
}
