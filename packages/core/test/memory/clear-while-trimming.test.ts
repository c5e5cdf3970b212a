import {
  assistantMessage,
  type ChatMemory,
  chatResponse,
  type DeleteBeforeOptions,
  InMemoryChatMemoryRepository,
  type Message,
  MessageWindowChatMemory,
  messageText,
  SummarizingChatMemory,
  TEXT_ONLY,
  userMessage,
} from '@vernal/core';
import { expect, it } from 'vitest';

/** Deletes when it is told to, as a database far away may. */
class SlowRepository extends InMemoryChatMemoryRepository {
  #arrived = (): void => {};
  #open = (): void => {};
  readonly arrived: Promise<void> = new Promise((resolve) => {
    this.#arrived = resolve;
  });
  readonly #gate: Promise<void> = new Promise((resolve) => {
    this.#open = resolve;
  });

  override async deleteBefore(id: string, sequence: number, options?: DeleteBeforeOptions): Promise<void> {
    this.#arrived();
    await this.#gate;
    await super.deleteBefore(id, sequence, options);
  }

  open(): void {
    this.#open();
  }
}

const turn = (n: number): Message[] => [userMessage(`q${n}`), assistantMessage(`a${n}`)];

const memories: [string, (repository: SlowRepository) => ChatMemory][] = [
  ['a window', (repository) => new MessageWindowChatMemory({ maxMessages: 2, repository })],
  [
    'a summary',
    (repository) => {
      const call = async () => chatResponse('short');
      const model = { provider: 'fake', capabilities: TEXT_ONLY, defaultOptions: {}, call, async *stream() {} };
      return new SummarizingChatMemory({ model, maxMessages: 2, repository });
    },
  ],
];

it.each(memories)('%s that is trimmed while it is cleared loses nothing that is said after', async (_, make) => {
  const repository = new SlowRepository();
  const memory = make(repository);
  await memory.add('c', turn(1));
  const second = memory.add('c', turn(2));
  await repository.arrived;
  const anew = (async () => {
    await memory.clear('c');
    await memory.add('c', [userMessage('new')]);
  })();
  // As far as anything gets before the database answers.
  await new Promise((resolve) => setImmediate(resolve));
  repository.open();
  await Promise.all([second, anew]);
  expect((await memory.get('c')).map(messageText)).toEqual(['new']);
  expect((await repository.findByConversationId('c')).messages).toHaveLength(1);
});

it.each(memories)('%s says when it could not be cleared, and goes on', async (_, make) => {
  const repository = new SlowRepository();
  repository.open();
  const memory = make(repository);
  await memory.add('c', turn(1));
  await expect(memory.clear('c', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  await memory.add('c', turn(2));
  expect((await memory.get('c')).map(messageText).slice(-2)).toEqual(['q2', 'a2']);
  await memory.clear('c');
  expect(await memory.get('c')).toEqual([]);
});
