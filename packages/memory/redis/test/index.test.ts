import { messageText, userMessage } from '@vernal/core';
import type { RedisChatMemoryRepositoryOptions } from '@vernal/memory-redis';
import { expect, it } from 'vitest';
import { LossyConnection } from './lossy-connection.js';
import { describeOnServer, type RedisServer } from './server.js';

function setUp(server: RedisServer) {
  const name = server.name();
  const open = (options: RedisChatMemoryRepositoryOptions = {}) =>
    server.repository({ keyPrefix: `${name}:`, indexName: name, initializeSchema: 'always', ...options });
  return { name, open };
}

describeOnServer('the index', (server) => {
  it('is made once by several at once, and finds what was there before', async () => {
    const { name, open } = setUp(server);
    await open({ initializeSchema: 'never' }).append(
      'c',
      Array.from({ length: 600 }, (_, at) => userMessage(`word ${at}`)),
    );
    expect(await server.client.call('FT._LIST')).not.toContain(name);
    const repositories = [open(), open(), open()];
    const found = await Promise.all(repositories.map((one) => one.findByContent('word', { limit: 1000 })));
    expect(found.map((one) => one.length)).toEqual([600, 600, 600]);
    const [first] = repositories;
    await Promise.all([1, 2, 3].map((at) => first?.append('c', [userMessage(`word again ${at}`)])));
    expect(await first?.findByContent('word again')).toHaveLength(3);
  });

  it('that nobody made is named, with the fix, and messages are stored all the same', async () => {
    const { open } = setUp(server);
    for (const initializeSchema of ['never', 'embedded'] as const) {
      const repository = open({ initializeSchema });
      await repository.append('c', [userMessage('x')]);
      const error: unknown = await repository.findByContent('x').catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'store_read', subject: 'indexName' });
      expect(String(error)).toContain('initializeSchema');
    }
    expect(await open().findByContent('x')).toHaveLength(2);
  });

  it('is made again where it was dropped', async () => {
    const { name, open } = setUp(server);
    const repository = open();
    await repository.append('c', [userMessage('x')]);
    await server.client.call('FT.DROPINDEX', [name]);
    expect((await repository.findByContent('x')).map(({ message }) => messageText(message))).toEqual(['x']);
  });

  it('may be waited for by several, each with its own signal', async () => {
    const { name, open } = setUp(server);
    const lossy = await LossyConnection.to(server.url);
    const client = server.connect(lossy.url);
    await client.ping();
    lossy.hold();
    const repository = open({ client, timeoutMs: 300 });
    const [first, second] = [new AbortController(), new AbortController()];
    const append = (signal?: AbortSignal): Promise<unknown> =>
      repository.append('c', [userMessage(name)], { signal }).catch(({ code }) => code);
    const codes = [append(first.signal), append(second.signal), append()];
    second.abort();
    expect(await codes[1]).toBe('aborted');
    first.abort();
    expect(await Promise.all(codes)).toEqual(['aborted', 'aborted', 'timeout']);
    client.disconnect();
    await lossy.close();
  });

  it('gets fields that it lacks, and finds by them what has them', async () => {
    const { open } = setUp(server);
    const message = (year: number) => userMessage(`of ${year}`, { metadata: { year } });
    await open().append('c', [message(2025)]);
    const later = open({ metadataFields: { year: 'numeric' } });
    await later.append('c', [message(2025)]);
    expect(await later.findByMetadata('year', 2025)).toMatchObject([{ sequence: 2 }]);
  });

  it('of something else is refused, with all that is wrong', async () => {
    const { name, open } = setUp(server);
    await open({ metadataFields: { year: 'numeric' } }).append('c', [userMessage('x')]);
    const work = open({ metadataFields: { year: 'tag' }, keyPrefix: `${name}_other:` }).append('c', [userMessage('x')]);
    await expect(work).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'indexName',
      details: { faults: ['metadataFields.year is numeric, not tag', 'it does not index the keys under keyPrefix'] },
    });
    const foreign = server.name();
    await server.client.call('FT.CREATE', [foreign, 'ON', 'HASH', 'PREFIX', 1, `${foreign}:`, 'SCHEMA', 'a', 'TEXT']);
    await expect(open({ indexName: foreign }).append('c', [userMessage('x')])).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'indexName',
    });
  });
});
