import { messageText, userMessage } from '@vernal/core';
import { MongoChatMemoryRepository } from '@vernal/memory-mongo';
import type { Collection } from 'mongodb';
import { expect, it } from 'vitest';
import { describeOnServer, uniqueName } from './server.js';

/** The collection, whose next insert waits at a door. */
function heldInsert(collection: Collection): {
  readonly held: Collection;
  readonly reached: Promise<void>;
  open(): void;
} {
  let open = (): void => {};
  let arrive = (): void => {};
  const door = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let isFirst = true;
  const held = new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'insertMany') return value.bind(target);
      return async (...given: unknown[]) => {
        if (isFirst) {
          isFirst = false;
          arrive();
          await door;
        }
        return value.apply(target, given);
      };
    },
  });
  return { held, reached, open };
}

const texts = async (repository: MongoChatMemoryRepository): Promise<string[]> =>
  (await repository.findByConversationId('c')).messages.map(messageText);
const said = (...words: string[]) => words.map((word) => userMessage(word));

describeOnServer('a write that comes late, when others have written and made room below', (server) => {
  it.each([1, 3])('is put on top, whole and once: %i messages', async (count) => {
    const collection = server.db.collection(uniqueName());
    const quick = new MongoChatMemoryRepository({ collection });
    await quick.append('c', said('first'));
    const { held, reached, open } = heldInsert(collection);
    const late = new MongoChatMemoryRepository({ collection: held });
    const words = Array.from({ length: count }, (_, index) => `late ${index}`);
    const appended = late.append('c', said(...words));
    await reached;
    await quick.append('c', said('a'));
    await quick.append('c', said('b'));
    const newest = (await quick.findByConversationId('c')).sequence;
    await quick.deleteBefore('c', newest);
    open();
    const { sequence } = await appended;
    expect(await texts(quick)).toEqual(['b', ...words]);
    expect((await quick.findByConversationId('c')).sequence).toBe(sequence);
    expect(sequence).toBeGreaterThan(newest);
  });

  it('is a conflict when it expected what is no more, and leaves nothing', async () => {
    const collection = server.db.collection(uniqueName());
    const quick = new MongoChatMemoryRepository({ collection });
    const { sequence } = await quick.append('c', said('first'));
    const { held, reached, open } = heldInsert(collection);
    const late = new MongoChatMemoryRepository({ collection: held });
    const appended = late.append('c', said('late'), { expectedSequence: sequence });
    await reached;
    await quick.append('c', said('a'));
    await quick.append('c', said('b'));
    await quick.deleteBefore('c', (await quick.findByConversationId('c')).sequence);
    open();
    await expect(appended).rejects.toMatchObject({ code: 'conversation_conflict', expectedSequence: sequence });
    expect(await texts(quick)).toEqual(['b']);
    expect(await collection.countDocuments({ text: 'late' })).toBe(0);
  });

  it('begins the conversation anew when it was deleted meanwhile', async () => {
    const collection = server.db.collection(uniqueName());
    const quick = new MongoChatMemoryRepository({ collection });
    await quick.append('c', said('first'));
    const { held, reached, open } = heldInsert(collection);
    const late = new MongoChatMemoryRepository({ collection: held });
    const appended = late.append('c', said('late'));
    await reached;
    await quick.append('c', said('a'));
    await quick.deleteByConversationId('c');
    open();
    await appended;
    expect(await texts(quick)).toEqual(['late']);
    expect(await collection.countDocuments({ text: 'late' })).toBe(1);
  });
});
