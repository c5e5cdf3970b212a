import { encodeMessage, messageText, systemMessage, userMessage } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import type { Collection } from 'mongodb';
import { expect, it } from 'vitest';
import { describeOnServer, uniqueName } from './server.js';

type Stored = Collection<{ _id: string; [field: string]: unknown }>;

describeOnServer('a write of which a part is there', (server) => {
  /** Documents of the conversation 'c' that a writer left behind in the middle of its write. */
  async function begun(collection: Stored, slot: number, texts: readonly string[], from = 1, left = 1): Promise<void> {
    const documents = texts.map((text, index) => ({
      _id: `c#${String(slot + index).padStart(16, '0')}`,
      layout: 1,
      conversationId: 'c',
      sequence: slot + index,
      type: text.startsWith('system') ? 'system' : 'user',
      text,
      message: encodeMessage(text.startsWith('system') ? systemMessage(text) : userMessage(text)),
      createdAt: new Date(),
      write: 'of another',
      left: left + texts.length - 1 - index,
      from,
    }));
    await collection.insertMany(documents);
  }
  const stage = () => {
    const collection: Stored = server.db.collection(uniqueName());
    return {
      collection,
      repository: new MongoChatMemoryRepository({ collection: collection as unknown as Collection }),
    };
  };
  const textsOf = async (repository: MongoChatMemoryRepository) =>
    (await repository.findByConversationId('c')).messages.map(messageText);

  it('does not count, is not on top of what follows, and is deleted', async () => {
    const { collection, repository } = stage();
    const { sequence } = await repository.append('c', [systemMessage('be terse'), userMessage('one')]);
    await begun(collection, 4, ['system half', 'half', 'half again']);
    for (const options of [{}, { last: 2 }, { last: 1, includeSystem: true }, { before: 6, last: 2 }]) {
      const slice = await repository.findByConversationId('c', options);
      expect(slice.messages.map(messageText)).toEqual(['be terse', 'one']);
      expect(slice.sequence).toBe(sequence);
    }
    await repository.deleteBefore('c', sequence);
    await repository.append('c', [userMessage('two')], { expectedSequence: sequence });
    expect(await textsOf(repository)).toEqual(['one', 'two']);
    for (const before of [5, 6, 7])
      expect((await repository.findByConversationId('c', { before, includeSystem: true })).messages).toHaveLength(1);
    expect(await collection.countDocuments({ write: 'of another' })).toBe(0);
  });

  it('is no conversation when there was none before', async () => {
    const { collection, repository } = stage();
    await begun(collection, 1, ['half']);
    expect(await repository.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 0 });
    const ids = async () => {
      const all: string[] = [];
      for await (const id of repository.findConversationIds()) all.push(id);
      return all;
    };
    expect(await ids()).toEqual([]);
    await repository.append('c', [userMessage('whole')], { expectedSequence: 0 });
    expect([await textsOf(repository), await ids()]).toEqual([['whole'], ['c']]);
    expect(await collection.countDocuments({ write: 'of another' })).toBe(0);
  });

  it('is waited for while it goes on', async () => {
    const { collection, repository } = stage();
    await repository.append('c', [userMessage('one')]);
    await begun(collection, 3, ['two']);
    const appending = repository.append('c', [userMessage('four')]);
    await begun(collection, 4, ['three'], 1, 0);
    await appending;
    expect(await textsOf(repository)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('cannot be made whole any more when it was given up', async () => {
    const { collection, repository } = stage();
    await repository.append('c', [userMessage('one')]);
    await begun(collection, 3, ['half']);
    await repository.append('c', [userMessage('two')]);
    await expect(begun(collection, 4, ['rest'], 1, 0)).rejects.toMatchObject({ code: 11_000 });
    expect(await textsOf(repository)).toEqual(['one', 'two']);
  });

  it('that was given up and not yet deleted counts for nobody', async () => {
    const { collection, repository } = stage();
    const { sequence } = await repository.append('c', [userMessage('one')]);
    await begun(collection, 3, ['system half', 'half']);
    // What whoever gives it up writes first.
    await collection.insertOne({
      ...{ _id: 'c#0000000000000005', layout: 1, sequence, createdAt: new Date(), write: 'w' },
      ...{ left: 0, from: 1, voidFrom: 3 },
    });
    for (const options of [{}, { last: 3, includeSystem: true }, { last: 1 }, { before: 9, includeSystem: true }])
      expect((await repository.findByConversationId('c', options)).messages.map(messageText)).toEqual(['one']);
    await repository.append('c', [userMessage('two')], { expectedSequence: sequence });
    expect(await textsOf(repository)).toEqual(['one', 'two']);
    expect(await collection.countDocuments({ write: 'of another' })).toBe(0);
  });
});
