import { BatchError, document, VernalError } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import { type RedisClient, RedisVectorStore, type RedisVectorStoreOptions } from '@vernal/vector-store-redis';
import { describe, expect, it } from 'vitest';
import { HeldConnection } from './held-connection.js';
import { describeOnServer } from './server.js';

const embeddingModel = hashingEmbeddingModel({ dimensions: 8 });
const once = { maxRetriesPerRequest: 0, retryStrategy: () => null };

async function thrown(work: () => Promise<unknown>): Promise<VernalError> {
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (VernalError.is(error)) return error;
  throw new Error(`expected a VernalError, got ${String(error)}`);
}

describe('options', () => {
  const client: RedisClient = {
    call: async () => 'OK',
    callBuffer: async () => null,
    multi: () => ({ exec: async () => [] }),
  };
  const faults: readonly [subject: string, options: Partial<RedisVectorStoreOptions>][] = [
    ['client', { client: undefined as unknown as RedisClient }],
    ['client', { client: { ...client, options: { keyPrefix: 'app:' } } }],
    ['index', { index: '' }],
    ['prefix', { prefix: '' }],
    ['algorithm', { algorithm: 'hnsw' as 'HNSW' }],
    ['metric', { metric: 'l2' as 'cosine' }],
    ['initializeSchema', { initializeSchema: true as unknown as 'create' }],
    ['dimensions', { dimensions: 0 }],
    ['hnsw.m', { hnsw: { m: 1 } }],
    ['hnsw.efRuntime', { hnsw: { efRuntime: 1.5 } }],
    ['language', { language: 'english; FLUSHALL' }],
    ['textScorer', { textScorer: 'best' as 'BM25' }],
    ['maxBatch', { maxBatch: 0 }],
    ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['metadataFields[0].type', { metadataFields: [{ name: 'a', type: 'date' as 'tag' }] }],
    [
      'metadataFields[1].name',
      {
        metadataFields: [
          { name: 'a', type: 'tag' },
          { name: 'a', type: 'text' },
        ],
      },
    ],
  ];
  it.each(faults)('that cannot be right are refused: %s', (subject, options) => {
    const make = (): unknown => new RedisVectorStore({ client, embeddingModel, ...options });
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });
});

describeOnServer('errors', (server) => {
  it('say that a server cannot be reached, and that it may be tried again', async () => {
    const store = server.store({ client: server.connect('redis://127.0.0.1:1', once) });
    for (const work of [
      () => store.add([document({ id: 'a', text: 'x' })]),
      () => store.similaritySearch('x'),
      () => store.delete(['a']),
    ]) {
      const error = await thrown(work);
      expect([error.code, error.retryable]).toEqual(['store_write', true]);
      expect(error.message).toContain('cannot be reached');
    }
  });

  it('of a connection that breaks in the middle of a batch leave nothing of it behind', async () => {
    const index = server.name();
    await server.store({ index }).initialize();
    for (const bytes of [20_000, 60_000]) {
      const connection = await HeldConnection.to(server.url);
      const store = server.store({ index, client: server.connect(connection.url, once) });
      await store.add([document({ id: 'first', text: 'x' })]);
      connection.cutAfter(bytes);
      const batch = Array.from({ length: 200 }, (_, at) =>
        document({ id: `d${at}`, text: 'words '.repeat(100) + String(at) }),
      );
      const error = await thrown(() => store.add(batch));
      expect([error.code, error.retryable]).toEqual(['store_write', true]);
      await connection.close();
      const found = await server.store({ index }).similaritySearch({ query: 'x', topK: 500 });
      expect(found.map(({ id }) => id)).toEqual(['first']);
    }
  });

  it('of a connection that breaks in the middle of a batch are the same when the driver would connect again', async () => {
    const index = server.name();
    await server.store({ index }).initialize();
    const connection = await HeldConnection.to(server.url);
    const store = server.store({ index, client: server.connect(connection.url) });
    await store.initialize();
    // The driver gives up what is left of a transaction whose beginning was answered.
    connection.cutAfter(60_000, { answered: true });
    const batch = Array.from({ length: 200 }, (_, at) => document({ id: `d${at}`, text: 'words '.repeat(100) }));
    const error = await thrown(() => store.add(batch));
    expect([error.code, error.retryable]).toEqual(['store_write', true]);
    expect(error.message).toContain('cannot be reached');
    await connection.close();
    expect(await server.store({ index }).similaritySearch('x')).toEqual([]);
  });

  it('of a server that does not answer come after timeoutMs, and an abort comes at once', async () => {
    const connection = await HeldConnection.to(server.url);
    const client = server.connect(connection.url, once);
    const index = server.name();
    const slow = server.store({ index, client, timeoutMs: 200 });
    const patient = server.store({ index, client });
    await patient.add([document({ id: 'a', text: 'x' })]);
    await slow.initialize();
    connection.hold();
    const late = await thrown(() => slow.similaritySearch('x'));
    expect([late.code, late.subject, late.retryable]).toEqual(['timeout', 'timeoutMs', true]);
    expect((await thrown(() => slow.add([document({ id: 'b', text: 'x' })]))).code).toBe('timeout');
    const controller = new AbortController();
    const searching = thrown(() => patient.similaritySearch('x', { signal: controller.signal }));
    controller.abort();
    expect((await searching).code).toBe('aborted');
    client.disconnect();
    await connection.close();
  });

  it('say what is missing when there is no query engine', async () => {
    // The server's own answer to a command that it does not know.
    const without = (command: string): string => command.replace(/^FT\./, 'MISSING.');
    const client: RedisClient = {
      call: (command, args) => server.client.call(without(command), args),
      callBuffer: (command, args) => server.client.callBuffer(without(command), args),
      multi: (commands) => server.client.multi(commands),
    };
    const error = await thrown(() => server.store({ client }).initialize());
    expect([error.code, error.subject, error.retryable]).toEqual(['store_write', 'client', false]);
    expect(error.message).toContain('query engine');
  });

  it('name what a user may not do, and hold no content', async () => {
    const index = server.name();
    await server.store({ index }).initialize();
    const user = `u${index}`;
    await server.client.call('ACL', ['SETUSER', user, 'on', '>secret', '~*', '+@all', '-hset']);
    try {
      const url = new URL(server.url);
      [url.username, url.password] = [user, 'secret'];
      const store = server.store({ index, client: server.connect(url.href) });
      const error = await thrown(() => store.add([document({ id: 'private-id', text: 'private words' })]));
      expect([error.code, error.details]).toEqual(['store_write', { reply: 'NOPERM' }]);
      expect(error.message).not.toContain('private');
      expect(await store.similaritySearch('x')).toEqual([]);
      url.password = 'wrong';
      const refused = await thrown(() => server.store({ index, client: server.connect(url.href, once) }).initialize());
      expect([refused.code, refused.details]).toEqual(['store_write', { reply: 'WRONGPASS' }]);
    } finally {
      await server.client.call('ACL', ['DELUSER', user]);
    }
  });

  it('of an index that was dropped meanwhile name the index', async () => {
    const index = server.name();
    const store = server.store({ index });
    await store.initialize();
    await server.client.call('FT.DROPINDEX', [index]);
    const error = await thrown(() => store.similaritySearch('x'));
    expect([error.code, error.subject]).toEqual(['store_read', 'index']);
  });

  it('of one part of an add name what is not stored', async () => {
    const index = server.name();
    const store = server.store({ index, maxBatch: 2 });
    await server.client.set(`${index}:d3`, 'text');
    const documents = ['d0', 'd1', 'd2', 'd3', 'd4'].map((id) => document({ id, text: id }));
    const error = await thrown(() => store.add(documents));
    expect(BatchError.is(error) && error.failedIds).toEqual(['d3', 'd4']);
  });
});
