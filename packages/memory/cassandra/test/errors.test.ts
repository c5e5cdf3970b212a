import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { userMessage, VernalError } from '@vernal/core';
import { CassandraChatMemoryRepository, type CassandraChatMemoryRepositoryOptions } from '@vernal/memory-cassandra';
import { describe, expect, it } from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';
import { lossyProxy } from './lossy-proxy.js';
import { testKeyspace } from './test-keyspace.js';

const server = engine('cassandra');

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('options', () => {
  const client = { execute: () => Promise.reject(new Error()), batch: () => Promise.reject(new Error()) };
  const url = 'cassandra://127.0.0.1:9042';
  it.each<[object, string]>([
    [{}, 'client'],
    [{ client, url }, 'client'],
    [{ url, contactPoints: ['127.0.0.1'] }, 'client'],
    [{ client: {} }, 'client'],
    [{ client, keySpace: 'a' }, 'keySpace'],
    [{ client, keyspace: 'a"; DROP' }, 'keyspace'],
    [{ client, keyspace: '' }, 'keyspace'],
    [{ client, table: 'x'.repeat(44) }, 'table'],
    [{ client, columns: { text: 'message' } }, 'columns'],
    [{ client, columns: { words: 'w' } }, 'columns.words'],
    [{ client, columns: { text: '' } }, 'columns.text'],
    [{ client, ttlMs: 0 }, 'ttlMs'],
    [{ client, ttlMs: Number.NaN }, 'ttlMs'],
    [{ client, ttlMs: 630_720_000_001 }, 'ttlMs'],
    [{ client, pageSize: 0 }, 'pageSize'],
    [{ client, consistency: 'serial' }, 'consistency'],
    [{ client, consistency: 'toString' }, 'consistency'],
    [{ client, serialConsistency: 'quorum' }, 'serialConsistency'],
    [{ client, initializeSchema: 'create' }, 'initializeSchema'],
    [{ client, replication: { replication_factor: 1 } }, 'replication'],
    [{ client, replication: { class: 'SimpleStrategy', replication_factor: 1.5 } }, 'replication'],
    [{ client, localDataCenter: 'dc1' }, 'localDataCenter'],
    [{ url, credentials: { username: 'a', password: 'b' } }, 'credentials'],
    [{ contactPoints: [] }, 'contactPoints'],
    [{ contactPoints: ['a b'] }, 'contactPoints'],
    [{ contactPoints: ['a'], localDataCenter: '' }, 'localDataCenter'],
    [{ contactPoints: ['a'], credentials: { username: 'a' } }, 'credentials'],
    [{ url: 'redis://127.0.0.1' }, 'url'],
    [{ url: 'cassandra://user:top%ZZ@127.0.0.1' }, 'url'],
    [{ url: 'cassandra://127.0.0.1?consistency=one' }, 'url'],
    [{ url: 'cassandra://user:topsecret@@127.0.0.1' }, 'url'],
    [{ url: `${url}/one`, keyspace: 'two' }, 'keyspace'],
  ])('that cannot be are refused: %#', (options, subject) => {
    const make = (): unknown => new CassandraChatMemoryRepository(options as CassandraChatMemoryRepositoryOptions);
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
    expect(make).not.toThrow(/top/);
  });

  it('may be several hosts, a user, a keyspace and a data centre in one url', () => {
    const full = 'cassandra://user:p%40ss@host1:9042,[::1]:9043,host3/memory_1?localDataCenter=dc1&ssl=true';
    const repository = new CassandraChatMemoryRepository({ url: full, keyspace: 'memory_1' });
    expect(inspect(repository)).not.toContain('p@ss');
    expect(JSON.stringify(repository)).not.toContain('p@ss');
  });
});

it('a cluster that is down is an error that says so, without what it was given', async () => {
  const port = await freePort();
  const url = `cassandra://user:topsecret@127.0.0.1:${port}`;
  await using repository = new CassandraChatMemoryRepository({ url });
  const error: unknown = await repository.append('c', [userMessage('content')]).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'store_write', retryable: true, details: { code: 'NoHostAvailable' } });
  expect(inspect(error, { depth: 9 })).not.toMatch(/topsecret|content/);
});

it('a wait for a cluster that is down ends with the signal, and with close()', async () => {
  const url = `cassandra://127.0.0.1:${await freePort()}`;
  await using repository = new CassandraChatMemoryRepository({ url });
  const controller = new AbortController();
  const aborted = repository.findByConversationId('c', { signal: controller.signal });
  const timed = repository.append('c', [userMessage('a')], { signal: AbortSignal.timeout(1) });
  controller.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
  await expect(timed).rejects.toMatchObject({ code: 'timeout' });
  const other = expect(repository.findByConversationId('c')).rejects.toSatisfy((thrown) => VernalError.is(thrown));
  await repository.close();
  await other;
  await expect(repository.findByConversationId('c')).rejects.toMatchObject({ code: 'invalid_state' });
});

if ('reason' in server) it.skip(`what Cassandra refuses: ${server.reason}`);
else
  describe('what Cassandra refuses', () => {
    it('a repository that was there before the cluster works when that is up', async () => {
      const port = await freePort();
      await using repository = new CassandraChatMemoryRepository({
        contactPoints: [`127.0.0.1:${port}`],
        keyspace: 'vernal_none',
      });
      const unreachable = { code: 'store_read', retryable: true, details: { code: 'NoHostAvailable' } };
      await expect(repository.findByConversationId('c')).rejects.toMatchObject(unreachable);
      const proxy = await lossyProxy(server.url, port);
      try {
        // It answers: there is no such keyspace.
        await expect(repository.findByConversationId('c')).rejects.toMatchObject({ details: { code: 'invalid' } });
      } finally {
        await repository.close();
        await proxy.close();
      }
    });

    it('another data centre is named in the error', async () => {
      const contactPoints = [new URL(server.url).host];
      await using repository = new CassandraChatMemoryRepository({ contactPoints, localDataCenter: 'elsewhere' });
      await expect(repository.findByConversationId('c')).rejects.toMatchObject({
        code: 'store_read',
        message: expect.stringContaining('localDataCenter'),
      });
    });

    it('too few replicas for the consistency are an error that passes', async () => {
      const space = await testKeyspace(server.url);
      try {
        const { client, keyspace } = space;
        const options = { client, keyspace, table: 'few', initializeSchema: 'always' } as const;
        await new CassandraChatMemoryRepository(options).append('c', [userMessage('a')]);
        const repository = new CassandraChatMemoryRepository({ ...options, consistency: 'two' });
        await expect(repository.findByConversationId('c')).rejects.toMatchObject({
          code: 'store_read',
          retryable: true,
          details: { code: 'unavailableException' },
        });
      } finally {
        await space.end();
      }
    });

    it('closes what it opened, and leaves a client that it was given open', async () => {
      const space = await testKeyspace(server.url);
      const proxy = await lossyProxy(server.url);
      try {
        const { client, keyspace } = space;
        const given = new CassandraChatMemoryRepository({
          client,
          keyspace,
          table: 'close',
          initializeSchema: 'always',
        });
        await given.append('c', [userMessage('a')]);
        await given.close();
        expect((await client.execute('SELECT key FROM system.local')).rows).toHaveLength(1);
        const opened = new CassandraChatMemoryRepository({ contactPoints: [proxy.host], keyspace, table: 'close' });
        expect(proxy.connections()).toBe(0);
        expect((await opened.findByConversationId('c')).sequence).toBe(1);
        expect(proxy.connections()).toBeGreaterThan(0);
        await opened[Symbol.asyncDispose]();
        await proxy.idle();
      } finally {
        await proxy.close();
        await space.end();
      }
    });
  });
