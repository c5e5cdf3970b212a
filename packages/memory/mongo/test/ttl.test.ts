import { messageText, userMessage } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import { afterEach, expect, it, vi } from 'vitest';
import { sentBy } from './counted-client.js';
import { describeOnServer, uniqueName } from './server.js';

const TTL = 1_000_000;
const GRACE = 100_000;

describeOnServer('a conversation with a time to live', (server) => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const stage = (ttlMs: number | undefined = TTL, collectionName = uniqueName()) => {
    const client = server.connect(server.url, { monitorCommands: true });
    const names = { databaseName: server.db.databaseName, collectionName };
    const repository = new MongoChatMemoryRepository({ client, ...names, ttlMs });
    const collection = server.db.collection<{ _id: string; until?: Date; expiresAt?: Date }>(collectionName);
    return {
      ...names,
      repository,
      sent: sentBy(client),
      all: () => collection.find({}, { sort: { _id: 1 } }).toArray(),
      texts: async () => (await repository.findByConversationId('c')).messages.map(messageText),
      async ids() {
        const ids: string[] = [];
        for await (const id of repository.findConversationIds()) ids.push(id);
        return ids;
      },
    };
  };
  const at = (ms: number): void => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 + ms });
  };
  const milliseconds = (date: Date | undefined): number => (date?.getTime() ?? Number.NaN) - 1_800_000_000_000;

  it('is renewed as a whole by each append, and touches older documents only now and then', async () => {
    const { repository, sent, all } = stage();
    at(0);
    await repository.append('c', [userMessage('a')]);
    sent();
    at(GRACE);
    await repository.append('c', [userMessage('b')]);
    expect(sent().names).toEqual(['find', 'insert', 'find']);
    expect((await all()).map(({ expiresAt }) => milliseconds(expiresAt))).toEqual([
      TTL + GRACE,
      TTL + GRACE,
      TTL + 2 * GRACE,
    ]);
    at(GRACE + 1);
    await repository.append('c', [userMessage('c')]);
    expect(sent().names).toEqual(['find', 'update', 'insert', 'find']);
    const documents = await all();
    expect(documents).toHaveLength(4);
    for (const { expiresAt } of documents) expect(milliseconds(expiresAt)).toBe(TTL + 2 * GRACE + 1);
    expect(milliseconds(documents.at(-1)?.until)).toBe(TTL + GRACE + 1);
  });

  it('ends at once: it is empty, not listed, and starts anew, though the server has removed nothing', async () => {
    const { repository, texts, ids, all } = stage();
    at(0);
    await repository.append('c', [userMessage('a')]);
    at(50_000);
    await repository.append('c', [userMessage('b')]);
    at(TTL + 49_999);
    expect([await texts(), await ids()]).toEqual([['a', 'b'], ['c']]);
    at(TTL + 50_000);
    expect([await texts(), await ids()]).toEqual([[], []]);
    expect(await repository.findByConversationId('c', { before: 2 })).toEqual({
      messages: [],
      sequences: [],
      sequence: 0,
    });
    await repository.deleteBefore('c', 1);
    expect(await all()).toHaveLength(3);
    await repository.append('c', [userMessage('new')], { expectedSequence: 0 });
    expect([await texts(), await ids()]).toEqual([['new'], ['c']]);
    expect(await all()).toHaveLength(2);
  });

  it('gets one when the option is set later, and loses it when that is left out', async () => {
    const names = stage();
    const without = new MongoChatMemoryRepository({
      client: server.client,
      databaseName: names.databaseName,
      collectionName: names.collectionName,
    });
    at(0);
    await without.append('c', [userMessage('a')]);
    await names.repository.append('c', [userMessage('b')]);
    for (const { expiresAt } of await names.all()) expect(milliseconds(expiresAt)).toBe(TTL + GRACE);
    await names.repository.append('c', [userMessage('c')]);
    at(TTL);
    expect(await names.texts()).toEqual([]);
    at(TTL - 1);
    await without.append('c', [userMessage('d')]);
    at(10 * TTL);
    expect([await names.texts(), await names.ids()]).toEqual([['a', 'b', 'c', 'd'], ['c']]);
    for (const document of await names.all()) expect(document).not.toHaveProperty('expiresAt');
  });

  it('keeps it when it is trimmed or emptied', async () => {
    const { repository, texts } = stage();
    at(0);
    const { sequence } = await repository.append('c', [userMessage('a'), userMessage('b')]);
    at(1);
    await repository.deleteBefore('c', sequence);
    expect(await texts()).toEqual(['b']);
    await repository.deleteBefore('c', sequence + 1);
    expect((await repository.findByConversationId('c')).sequence).toBe(sequence);
    at(TTL);
    expect((await repository.findByConversationId('c')).sequence).toBe(0);
  });
});
