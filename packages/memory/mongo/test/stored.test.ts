import {
  encodeMessage,
  MessageWindowChatMemory,
  messageText,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import type { Collection } from 'mongodb';
import { expect, it } from 'vitest';
import { sentBy } from './counted-client.js';
import { describeOnServer, uniqueName } from './server.js';

describeOnServer('what is stored', (server) => {
  const stage = () => {
    const collection = server.db.collection<{ _id: string; [field: string]: unknown }>(uniqueName());
    const repository = new MongoChatMemoryRepository({ collection: collection as unknown as Collection });
    return { collection, repository, all: () => collection.find({}, { sort: { _id: 1 } }).toArray() };
  };
  const everyId = async (repository: MongoChatMemoryRepository) => {
    const ids: string[] = [];
    for await (const id of repository.findConversationIds()) ids.push(id);
    return ids;
  };

  it('is a document a message, with what people ask for beside it, and a mark behind the first write', async () => {
    const { repository, all } = stage();
    const message = toolResponseMessage([{ id: '1', name: 'now', result: '$set.a\0b' }]);
    await repository.append('ann', [systemMessage('Be terse.'), message]);
    const [first, second, mark, ...rest] = await all();
    expect(rest).toEqual([]);
    expect(first).toEqual({
      _id: 'ann#0000000000000001',
      layout: 1,
      conversationId: 'ann',
      sequence: 1,
      type: 'system',
      text: 'Be terse.',
      message: encodeMessage(systemMessage('Be terse.')),
      createdAt: expect.any(Date),
      write: expect.any(String),
      left: 2,
      from: 1,
    });
    expect(second).toMatchObject({
      sequence: 2,
      type: 'tool',
      text: '$set.a\ufffdb',
      message: encodeMessage(message),
      left: 1,
    });
    expect(mark).toMatchObject({ sequence: 2, listed: 'ann', conversationId: 'ann', left: 0 });
    expect(mark).not.toHaveProperty('message');
    await repository.append('ann', [userMessage('more')]);
    expect(await all()).toHaveLength(4);
  });

  it('is under a hash for ids that are long or odd, and the list gives these back', async () => {
    const { repository, all } = stage();
    const ids = ['', ' and \0 and \ud800', 'x'.repeat(5000), 'a#0000000000000001', '$a.b'].map((id) => `id${id}`);
    for (const id of ids) await repository.append(id, [userMessage('x')]);
    expect((await all()).every(({ _id }) => /^[\w.$-]{1,120}#\d{16}$/.test(_id))).toBe(true);
    expect((await everyId(repository)).toSorted()).toEqual(ids.toSorted());
  });

  it('costs an append a read of one document, an insert and a look at what is above, and a trim one read and one delete', async () => {
    const client = server.connect(server.url, { monitorCommands: true });
    const sent = sentBy(client);
    const collectionName = uniqueName();
    const repository = new MongoChatMemoryRepository({ client, databaseName: server.db.databaseName, collectionName });
    await repository.append('c', [userMessage('first')]);
    expect(sent()).toEqual({ names: ['find', 'insert', 'find'], returned: 0 });
    await repository.append(
      'c',
      Array.from({ length: 300 }, (_, index) => userMessage(`${index}`)),
    );
    sent();
    const { sequence } = await repository.append('c', [userMessage('last')], { expectedSequence: 302 });
    expect(sent()).toEqual({ names: ['find', 'insert', 'find'], returned: 1 });
    await repository.findByConversationId('c', { last: 20 });
    expect(sent()).toEqual({ names: ['find'], returned: 21 });
    await repository.findByConversationId('c', { last: 20, includeSystem: true });
    expect(sent()).toEqual({ names: ['find', 'find'], returned: 22 });
    await repository.deleteBefore('c', sequence - 5, { keepSystem: true });
    expect(sent()).toEqual({ names: ['find', 'delete'], returned: 1 });
    await repository.saveAll('c', [userMessage('new')]);
    expect(sent()).toEqual({ names: ['find', 'insert', 'find', 'delete'], returned: 1 });
    await repository.deleteByConversationId('c');
    expect(sent()).toEqual({ names: ['find', 'insert', 'find', 'delete'], returned: 1 });
  });

  it('is gone with the conversation but for a mark without content, which ends by itself', async () => {
    const { repository, all } = stage();
    await repository.append('c', [userMessage('secret')]);
    await repository.deleteByConversationId('c');
    await repository.deleteByConversationId('c');
    const [mark, ...rest] = await all();
    expect(rest).toEqual([]);
    expect(Object.keys(mark ?? {}).toSorted()).toEqual(
      ['_id', 'after', 'createdAt', 'expiresAt', 'from', 'layout', 'left', 'sequence', 'write'].toSorted(),
    );
    expect(await everyId(repository)).toEqual([]);
    await repository.append('c', [userMessage('again')], { expectedSequence: 0 });
    expect((await all()).map(({ text }) => text)).toEqual(['again', undefined]);
    expect(await everyId(repository)).toEqual(['c']);
  });

  it('keeps where it stands when all messages are trimmed, whatever is kept', async () => {
    const { repository } = stage();
    const { sequence } = await repository.append('c', [systemMessage('s'), userMessage('a')]);
    const texts = async () => (await repository.findByConversationId('c')).messages.map(messageText);
    await repository.deleteBefore('c', Number.POSITIVE_INFINITY, { keepSystem: true });
    expect([await texts(), await everyId(repository)]).toEqual([['s'], ['c']]);
    await repository.deleteBefore('c', sequence);
    expect([await texts(), await everyId(repository)]).toEqual([[], []]);
    expect((await repository.findByConversationId('c')).sequence).toBe(sequence);
    const next = await repository.append('c', [userMessage('b')], { expectedSequence: sequence });
    await repository.deleteBefore('c', next.sequence + 1, { keepSystem: true });
    expect([await texts(), await everyId(repository)]).toEqual([[], []]);
    expect(await repository.append('c', [])).toEqual(next);
  });

  it('of a message that does not fit into a document is refused, with all that came with it', async () => {
    const { repository, all } = stage();
    const large = userMessage('é'.repeat(4_500_000));
    await repository.append('c', [large, userMessage('small')]);
    const [first, second] = await all();
    expect(first).not.toHaveProperty('text');
    expect(second).toMatchObject({ text: 'small' });
    expect((await repository.findByConversationId('c', { before: 2 })).messages).toEqual([large]);
    const error = await repository
      .append('c', [userMessage('lost'), userMessage('x'.repeat(17_000_000))])
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'invalid_argument', subject: 'messages[1]' });
    expect(await repository.append('c', [])).toEqual({ sequence: 2 });
  });

  it('in a later layout is left alone', async () => {
    const { repository, collection, all } = stage();
    await repository.append('c', [userMessage('x')]);
    await collection.updateMany({}, { $set: { layout: 2 } });
    const before = await all();
    for (const call of [
      () => repository.append('c', [userMessage('y')]),
      () => repository.saveAll('c', []),
      () => repository.findByConversationId('c'),
      () => repository.deleteBefore('c', 1),
      () => repository.deleteByConversationId('c'),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'invalid_state', subject: 'layout', details: { layout: 2 } });
    expect(await all()).toEqual(before);
    await repository.append('other', [userMessage('x')]);
  });

  it('holds what a window keeps, turn by turn', async () => {
    const { repository } = stage();
    const memory = new MessageWindowChatMemory({ repository, maxMessages: 4 });
    await memory.add('c', [systemMessage('Be terse.')]);
    for (let turn = 0; turn < 6; turn++) await memory.add('c', [userMessage(`q${turn}`), userMessage(`a${turn}`)]);
    const kept = (await memory.get('c')).map(messageText);
    expect(kept.slice(0, 1)).toEqual(['Be terse.']);
    expect(kept.at(-1)).toBe('a5');
    expect((await repository.findByConversationId('c')).messages.length).toBeLessThanOrEqual(6);
  });
});
