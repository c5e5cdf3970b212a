import { inspect } from 'node:util';
import { messageText, userMessage, VernalError } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { describe, expect, it, vi } from 'vitest';
import { LossyConnection } from './lossy-connection.js';
import { describeOnServer, uniqueName } from './server.js';

async function thrown(promise: Promise<unknown>): Promise<VernalError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!VernalError.is(error)) throw new Error(`expected a VernalError, got ${inspect(error)}`);
  return error;
}

async function firstId(repository: MongoChatMemoryRepository, signal?: AbortSignal): Promise<string | undefined> {
  for await (const id of repository.findConversationIds({ signal })) return id;
  return undefined;
}

function everyCall(repository: MongoChatMemoryRepository, signal?: AbortSignal): readonly (() => Promise<unknown>)[] {
  return [
    () => repository.append('c', [userMessage('private words')], { signal }),
    () => repository.saveAll('c', [], { signal }),
    () => repository.deleteBefore('c', 5, { signal }),
    () => repository.deleteByConversationId('c', { signal }),
    () => repository.findByConversationId('c', { signal }),
    () => firstId(repository, signal),
  ];
}

describe('errors without a server', () => {
  const secret = 'mongodb://someone:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=50';

  it('say that it cannot be reached, and hold no secrets', async () => {
    await using repository = new MongoChatMemoryRepository({ url: secret });
    for (const [index, work] of everyCall(repository).entries()) {
      const error = await thrown(work());
      expect([error.code, error.retryable]).toEqual([index < 4 ? 'store_write' : 'store_read', true]);
      expect(error.message).toContain('cannot be reached');
      expect(error.message).not.toContain('whether it was written');
      const told = inspect([error, repository], { depth: 9, showHidden: true }) + String(error) + JSON.stringify(error);
      expect(told).not.toContain('hunter2');
      expect(told).not.toContain('private words');
    }
  });

  it('name the url that the driver does not understand, and do not tell it', async () => {
    await using repository = new MongoChatMemoryRepository({ url: 'mongodb://someone:hunter2@host:99999999/' });
    const error = await thrown(repository.findByConversationId('c'));
    expect([error.code, error.subject]).toEqual(['invalid_argument', 'url']);
    expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
  });

  it('do not keep a caller whose signal fires', async () => {
    await using repository = new MongoChatMemoryRepository({ url: 'mongodb://127.0.0.1:1/' });
    for (const work of everyCall(repository, AbortSignal.timeout(20)))
      expect((await thrown(work())).code).toBe('timeout');
  });
});

describeOnServer('errors of a server', (server) => {
  it('that does not answer: an abort ends the wait of every call, and the repository goes on', async () => {
    const lossy = await LossyConnection.to(server.url);
    const client = server.connect(lossy.url);
    const { databaseName } = server.db;
    const repository = new MongoChatMemoryRepository({ client, databaseName, collectionName: uniqueName() });
    await repository.append('c', [userMessage('first')]);
    const controller = new AbortController();
    lossy.hold();
    const waiting = everyCall(repository, controller.signal).map((work) => thrown(work()));
    controller.abort();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(Array(6).fill('aborted'));
    lossy.release();
    await repository.append('c', [userMessage('second')]);
    expect((await repository.findByConversationId('c')).messages.map(messageText)).toEqual(['first', 'second']);
    await lossy.close();
  });

  it('whose client belongs to somebody else: it stays open; one of a url is closed', async () => {
    const client = server.connect();
    const { databaseName } = server.db;
    const borrowed = new MongoChatMemoryRepository({ client, databaseName, collectionName: uniqueName() });
    await borrowed.append('c', [userMessage('x')]);
    await borrowed.close();
    expect(await client.db(databaseName).command({ ping: 1 })).toMatchObject({ ok: 1 });
    const lossy = await LossyConnection.to(server.url);
    const own = new MongoChatMemoryRepository({ url: lossy.url, databaseName, collectionName: uniqueName() });
    await own.append('c', [userMessage('x')]);
    expect(lossy.connections).toBeGreaterThan(0);
    await own[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(lossy.connections).toBe(0), { timeout: 60_000 });
    expect((await thrown(own.append('c', [userMessage('x')]))).code).toBe('invalid_state');
    await lossy.close();
  });

  it('of a collection that was given, with its names', async () => {
    const collection = server.db.collection(uniqueName());
    const repository = new MongoChatMemoryRepository({ collection });
    await repository.append('c', [userMessage('x')]);
    expect(await collection.countDocuments({ conversationId: 'c', type: 'user' })).toBe(1);
  });
});
