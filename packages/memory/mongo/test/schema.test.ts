import { userMessage } from '@vernal/core';
import {
  MONGO_MEMORY_INDEXES,
  MongoChatMemoryRepository,
  type MongoChatMemoryRepositoryOptions,
} from '@vernal/memory-mongo';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { LossyConnection } from './lossy-connection.js';
import { describeOnServer, uniqueName } from './server.js';

describeOnServer('indexes', (server) => {
  const indexesOf = async (collectionName: string) => {
    const found = await server.db.collection(collectionName).listIndexes().toArray();
    return found.map(({ name, key, sparse, expireAfterSeconds }) => ({ name, key, sparse, expireAfterSeconds }));
  };
  const OWN = ['_id_', 'vernal_conversation', 'vernal_listed'];

  it('are made when that is asked for, by two at once too, and found by the next', async () => {
    const collectionName = uniqueName();
    const make = () => server.repository({ collectionName, initializeSchema: 'always' });
    const [first, second] = [make(), make()];
    await Promise.all([first.append('c', [userMessage('a')]), second.append('d', [userMessage('b')])]);
    await make().append('c', [userMessage('c')]);
    const names = (await indexesOf(collectionName)).map(({ name }) => String(name)).toSorted();
    const ttl = (await server.hasTtlIndexes()) ? ['vernal_expires'] : [];
    expect(names).toEqual([...OWN.slice(0, 2), ...ttl, ...OWN.slice(2)]);
  });

  it('are not made otherwise, and are not needed for what is right', async () => {
    for (const initializeSchema of ['never', 'embedded', undefined] as const) {
      const collectionName = uniqueName();
      const repository = server.repository({ collectionName, initializeSchema });
      await repository.append('c', [userMessage('a')]);
      expect((await indexesOf(collectionName)).map(({ name }) => name)).toEqual(['_id_']);
      expect((await repository.findByConversationId('c', { last: 0, includeSystem: true })).sequence).toBe(1);
    }
  });

  it('for a time to live are one that does not depend on it, or an error that names it where the server has none', async () => {
    const collectionName = uniqueName();
    const repository = server.repository({ collectionName, initializeSchema: 'always', ttlMs: 60_000 });
    const done = await repository.append('c', [userMessage('a')]).catch((error: unknown) => error);
    if (await server.hasTtlIndexes()) {
      expect(done).toEqual({ sequence: 1 });
      await server
        .repository({ collectionName, initializeSchema: 'always', ttlMs: 5_000 })
        .append('c', [userMessage('b')]);
      const ttl = (await indexesOf(collectionName)).find(({ name }) => name === 'vernal_expires');
      expect(ttl).toEqual({ name: 'vernal_expires', key: { expiresAt: 1 }, sparse: true, expireAfterSeconds: 0 });
    } else {
      expect(done).toMatchObject({ code: 'store_write', retryable: false, details: { codeName: 'NotImplemented' } });
      expect((done as Error).message).toContain('ttlMs needs TTL indexes');
    }
  });

  it('that fail to be made are tried again', async () => {
    const lossy = await LossyConnection.to(server.url);
    const client = server.connect(lossy.url);
    const collectionName = uniqueName();
    const { databaseName } = server.db;
    const repository = new MongoChatMemoryRepository({
      client,
      databaseName,
      collectionName,
      initializeSchema: 'always',
    });
    const lost = lossy.lose('createIndexes', 'request');
    const failed = { code: 'store_write', retryable: true };
    await Promise.all([
      expect(repository.append('c', [userMessage('a')])).rejects.toMatchObject(failed),
      expect(repository.append('c', [userMessage('b')])).rejects.toMatchObject(failed),
      lost,
    ]);
    await repository.append('c', [userMessage('c')]);
    expect((await repository.findByConversationId('c')).messages).toEqual([userMessage('c')]);
    expect((await indexesOf(collectionName)).map(({ name }) => name)).toEqual(expect.arrayContaining(OWN));
    await lossy.close();
  });

  it("are given for tools of one's own", () => {
    expect(MONGO_MEMORY_INDEXES.map(({ name }) => name)).toEqual([
      'vernal_conversation',
      'vernal_listed',
      'vernal_expires',
    ]);
  });

  it('and names may be anything that MongoDB takes', async () => {
    const collectionName = `ä 'quoted'; {or: []} 日本.${uniqueName()}`;
    const hostile = server.repository({ collectionName, initializeSchema: 'always' });
    const plain = server.repository();
    await hostile.append('c', [userMessage('hostile')]);
    expect((await plain.findByConversationId('c')).messages).toEqual([]);
    expect((await hostile.findByConversationId('c')).sequence).toBe(1);
  });
});

describe('options', () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/');
  const collection = client.db('d').collection('c');
  it.each<[object, string]>([
    [{}, 'client'],
    [{ client, url: 'mongodb://127.0.0.1/' }, 'client'],
    [{ client, collection }, 'client'],
    [{ client: {} }, 'client'],
    [{ client: new MongoClient('mongodb://127.0.0.1:1/?w=0') }, 'client'],
    [{ collection: {} }, 'collection'],
    [{ collection, collectionName: 'c' }, 'collection'],
    [{ url: 'postgres://127.0.0.1/' }, 'url'],
    [{ url: 5 }, 'url'],
    [{ client, databaseName: 'a.b' }, 'databaseName'],
    [{ client, databaseName: '' }, 'databaseName'],
    [{ client, collectionName: '' }, 'collectionName'],
    [{ client, collectionName: 'a$b' }, 'collectionName'],
    [{ client, collectionName: 'a\0b' }, 'collectionName'],
    [{ client, collectionName: 'system.x' }, 'collectionName'],
    [{ client, collectionName: 'x.' }, 'collectionName'],
    [{ client, initializeSchema: 'create' }, 'initializeSchema'],
    [{ client, pageSize: 0 }, 'pageSize'],
    [{ client, ttlMs: 0.5 }, 'ttlMs'],
    [{ client, ttlMs: Number.MAX_SAFE_INTEGER }, 'ttlMs'],
    [{ client, ttl: 5 }, 'ttl'],
  ])('that cannot be are refused: %#', (options, subject) => {
    expect(() => new MongoChatMemoryRepository(options as MongoChatMemoryRepositoryOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });
});
