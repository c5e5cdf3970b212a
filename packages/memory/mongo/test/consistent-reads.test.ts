import { assistantMessage, messageText, systemMessage, userMessage } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import type { Collection, Document } from 'mongodb';
import { expect, it } from 'vitest';
import { describeOnServer, uniqueName } from './server.js';

/** The collection, with something done when the first of its reads has its documents, which `torn` may take from. */
function interrupted(collection: Collection, torn: (documents: Document[]) => Promise<Document[]>): Collection {
  let isFirst = true;
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'find') return typeof value === 'function' ? value.bind(target) : value;
      return (...args: Parameters<Collection['find']>) => ({
        async toArray() {
          const documents = await target.find(...args).toArray();
          if (!isFirst) return documents;
          isFirst = false;
          return torn(documents);
        },
      });
    },
  });
}

describeOnServer('a read while others write', (server) => {
  const stage = async () => {
    const collection = server.db.collection(uniqueName());
    const writer = new MongoChatMemoryRepository({ collection });
    await writer.append('c', [systemMessage('be terse')]);
    for (let index = 0; index < 6; index++) await writer.append('c', [userMessage(`old ${index}`)]);
    const { sequences } = await writer.findByConversationId('c');
    return { collection, writer, sequences };
  };
  const reads = [{}, { last: 20 }, { last: 3, includeSystem: true }, { last: 20, includeSystem: true }];

  it('gives what replaced the conversation, when the rest of it was deleted under its eyes', async () => {
    for (const options of reads) {
      const { collection, writer } = await stage();
      const reader = new MongoChatMemoryRepository({
        collection: interrupted(collection, async (documents) => {
          await writer.saveAll('c', [userMessage('new 0'), userMessage('new 1')]);
          return documents.slice(0, 3);
        }),
      });
      expect((await reader.findByConversationId('c', options)).messages.map(messageText)).toEqual(['new 0', 'new 1']);
    }
  });

  it('gives nothing of a conversation that was deleted under its eyes', async () => {
    const { collection, writer } = await stage();
    const reader = new MongoChatMemoryRepository({
      collection: interrupted(collection, async (documents) => {
        await writer.deleteByConversationId('c');
        return documents.slice(0, 3);
      }),
    });
    expect(await reader.findByConversationId('c')).toEqual({ messages: [], sequences: [], sequence: 0 });
  });

  it('gives what was there, when others appended or trimmed meanwhile', async () => {
    const { collection, writer, sequences } = await stage();
    await writer.deleteBefore('c', sequences[2] ?? 0, { keepSystem: true });
    const reader = new MongoChatMemoryRepository({
      collection: interrupted(collection, async (documents) => {
        await writer.append('c', [systemMessage('later')]);
        await writer.deleteBefore('c', sequences[4] ?? 0, { keepSystem: true });
        return documents;
      }),
    });
    const slice = await reader.findByConversationId('c', { last: 3, includeSystem: true });
    expect(slice.messages.map(messageText)).toEqual(['be terse', 'old 3', 'old 4', 'old 5']);
    expect(slice.sequence).toBe(sequences.at(-1));
  });

  it('gives whole turns only, whatever three writers do at once', async () => {
    const collectionName = uniqueName();
    const writers = [undefined, undefined, 10_000_000].map((ttlMs) => server.repository({ collectionName, ttlMs }));
    const reader = server.repository({ collectionName });
    const works = ['append', 'append', 'saveAll', 'append', 'trim', 'append', 'empty', 'append', 'delete'] as const;
    const write = async (repository: MongoChatMemoryRepository, name: string, start: number): Promise<void> => {
      for (let index = 0; index < 2 * works.length; index++) {
        const work = works[(start + index) % works.length];
        const turn = [userMessage(`q ${name}${index}`), assistantMessage(`a ${name}${index}`)];
        if (work === 'append' || work === 'saveAll') await repository[work]('c', turn);
        else if (work === 'empty') await repository.saveAll('c', []);
        else if (work === 'delete') await repository.deleteByConversationId('c');
        else
          await repository.deleteBefore('c', (await reader.findByConversationId('c', { last: 2 })).sequences[0] ?? 0);
      }
    };
    let isOver = false;
    const writing = Promise.all(writers.map((one, index) => write(one, `w${index}-`, 3 * index))).finally(() => {
      isOver = true;
    });
    let reads = 0;
    for (; !isOver; reads++) {
      const slice = await reader.findByConversationId(
        'c',
        [{}, { last: 4 }, { last: 40, includeSystem: true }][reads % 3],
      );
      const texts = slice.messages.map(messageText);
      for (const text of texts.filter((_, index) => index % 2 === 0))
        expect(texts).toContain(text.replace(/^./, text.startsWith('q') ? 'a' : 'q'));
      expect(slice.sequences.length === 0 || (slice.sequences.at(-1) ?? 0) <= slice.sequence).toBe(true);
    }
    await writing;
    expect(reads).toBeGreaterThan(0);
  });
});
