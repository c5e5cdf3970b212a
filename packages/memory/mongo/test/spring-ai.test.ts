import { assistantMessage, InMemoryChatMemoryRepository, systemMessage, userMessage } from '@vernal/core';
import { migrateSpringAiMongoMemory, springAiMongoConversations } from '@vernal/memory-mongo';
import { ObjectId } from 'mongodb';
import { expect, it } from 'vitest';
import { describeOnServer, uniqueName } from './server.js';

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;

describeOnServer("Spring AI's collection", (server) => {
  const stage = () => {
    const collection = server.db.collection(uniqueName());
    let made = 0;
    const row = (conversationId: string, content: string, type: string, second: number, metadata: object = {}) => ({
      _id: ObjectId.createFromHexString(String(++made).padStart(24, '0')),
      conversationId,
      message: { content, type, metadata },
      timestamp: new Date(at(second)),
    });
    return { collection, row };
  };

  it('is read in the order of its times and ids, and copied once', async () => {
    const { collection, row } = stage();
    const rows = [
      row('b', 'Be terse.', 'SYSTEM', 1),
      row('b', 'question', 'USER', 1, {
        id: new ObjectId('0123456789abcdef01234567'),
        tags: ['a'],
        when: new Date(at(7)),
      }),
      row('b', 'answer', 'ASSISTANT', 1),
      row('b', 'result', 'TOOL', 1),
      row('a.$b', 'second', 'ASSISTANT', 3),
      row('a.$b', 'first', 'USER', 2),
      row('only tools', 'result', 'TOOL', 1),
    ];
    // As the server happens to find them.
    for (const index of [2, 0, 5, 1, 6, 3, 4]) await collection.insertOne(rows[index] ?? {});
    const repository = server.repository();
    const moved = await migrateSpringAiMongoMemory({ from: collection, to: repository });
    expect(moved).toEqual({ conversations: 2, messages: 5, skipped: 2, existing: 0 });
    const metadata = { timestamp: at(1) };
    expect((await repository.findByConversationId('b')).messages).toEqual([
      systemMessage('Be terse.', { metadata }),
      userMessage('question', { metadata: { ...metadata, id: '0123456789abcdef01234567', tags: ['a'], when: at(7) } }),
      assistantMessage({ text: 'answer', metadata }),
    ]);
    expect((await repository.findByConversationId('a.$b')).messages.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
    ]);
    await repository.append('b', [userMessage('more')]);
    const again = await migrateSpringAiMongoMemory({ from: collection, to: repository });
    expect(again).toEqual({ conversations: 0, messages: 0, skipped: 2, existing: 2 });
    expect(await collection.countDocuments()).toBe(7);
  });

  it('is named when it holds what Spring AI does not write, and empty when it is not there', async () => {
    const { collection, row } = stage();
    const to = new InMemoryChatMemoryRepository();
    expect(await migrateSpringAiMongoMemory({ from: collection, to })).toMatchObject({ conversations: 0 });
    await collection.insertOne(row('b', 'secret', 'OTHER', 1));
    const error = await migrateSpringAiMongoMemory({ from: collection, to }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'store_read', subject: 'collection' });
    expect(String(error)).not.toContain('secret');
  });

  it('is left when the signal fires', async () => {
    const { collection, row } = stage();
    await collection.insertMany([row('a', 'x', 'USER', 1), row('b', 'x', 'USER', 1)]);
    const controller = new AbortController();
    const read: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { conversationId } of springAiMongoConversations(collection, { signal: controller.signal })) {
        read.push(conversationId);
        controller.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'aborted' });
    expect(read).toEqual(['a']);
  });
});
