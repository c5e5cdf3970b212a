import {
  assistantMessage,
  type ChatMemory,
  InMemoryChatMemoryRepository,
  type Message,
  MessageWindowChatMemory,
  systemMessage,
  TokenWindowChatMemory,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Every answer follows its call; every call is answered, unless it is the last thing said. */
function checkCalls(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.type === 'tool') {
      for (const { id } of message.responses) {
        expect(open).toContain(id);
        open = open.filter((one) => one !== id);
      }
      continue;
    }
    expect(open).toEqual([]);
    if (message.type === 'assistant') open = message.toolCalls.map(({ id }) => id);
  }
}

/** Healthy turns: a question, rounds of calls that are answered together or one by one, an answer. */
const round = fc.record({ calls: fc.integer({ min: 1, max: 3 }), together: fc.boolean() });
const turn = fc.record({
  system: fc.option(fc.constantFrom('S1', 'S2')),
  rounds: fc.array(round, { maxLength: 3 }),
  answered: fc.boolean(),
});

function messagesOf(turns: readonly (typeof turn extends fc.Arbitrary<infer T> ? T : never)[]): Message[] {
  let id = 0;
  return turns.flatMap(({ system, rounds, answered }, n): Message[] => [
    ...(system === null ? [] : [systemMessage(system)]),
    userMessage(`q${n} ${'x'.repeat(n % 5)}`),
    ...rounds.flatMap(({ calls, together }) => {
      const ids = Array.from({ length: calls }, () => `t${id++}`);
      const answers = ids.map((one) => ({ id: one, name: 'f', result: `r${one}` }));
      return [
        assistantMessage({ toolCalls: ids.map((one) => ({ id: one, name: 'f', arguments: '{}' })) }),
        ...(together ? [toolResponseMessage(answers)] : answers.map((one) => toolResponseMessage([one]))),
      ];
    }),
    ...(answered ? [assistantMessage(`a${n}`)] : []),
  ]);
}

/** How a list is handed over: so many messages at a time. */
const portions = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 });

async function addAll(
  memory: ChatMemory,
  all: readonly Message[],
  sizes: readonly number[],
  check: (added: readonly Message[]) => Promise<void>,
): Promise<void> {
  for (let at = 0, n = 0; at < all.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    await memory.add('c', all.slice(at, at + size));
    at += size;
    await check(all.slice(0, at));
  }
}

describe.each(['messages', 'tokens'] as const)('a window by %s', (kind) => {
  const cost = (message: Message): number => (kind === 'messages' ? 1 : tokens(message));

  function create(limit: number): {
    memory: ChatMemory;
    repository: InMemoryChatMemoryRepository;
    transcript: InMemoryChatMemoryRepository;
  } {
    const repository = new InMemoryChatMemoryRepository();
    const transcript = new InMemoryChatMemoryRepository();
    const parts = { repository, transcript };
    const memory =
      kind === 'messages'
        ? new MessageWindowChatMemory({ ...parts, maxMessages: limit })
        : new TokenWindowChatMemory({ ...parts, maxTokens: limit, estimator: { count: (text) => text.length } });
    return { memory, ...parts };
  }

  it('holds after every add, over any history', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { maxLength: 8 }),
        portions,
        fc.integer({ min: 1, max: 25 }),
        async (turns, sizes, limit) => {
          const { memory, repository, transcript } = create(limit);
          await addAll(memory, messagesOf(turns), sizes, async (added) => {
            const window = await memory.get('c');
            const history = window.filter(({ type }) => type !== 'system');
            const said = added.filter(({ type }) => type !== 'system');
            const system = added.findLast(({ type }) => type === 'system');
            checkCalls(window);
            // One system message, the newest, in front.
            expect(window.filter(({ type }) => type === 'system')).toEqual(system ? [system] : []);
            if (system) expect(window[0]).toEqual(system);
            // The end of what was said, beginning with a user message, the running turn whole.
            expect(history).toEqual(said.slice(said.length - history.length));
            expect(history[0]?.type ?? 'user').toBe('user');
            const running = Math.max(
              0,
              said.findLastIndex(({ type }) => type === 'user'),
            );
            expect(history.length).toBeGreaterThanOrEqual(said.length - running);
            // Never beyond the limit but for the running turn; and no more is cut than needed.
            const room = limit - (kind === 'tokens' && system ? tokens(system) : 0);
            const total = (from: number): number => said.slice(from).reduce((sum, message) => sum + cost(message), 0);
            const start = said.length - history.length;
            if (start < running) expect(total(start)).toBeLessThanOrEqual(room);
            const earlier = said.slice(0, start).findLastIndex(({ type }) => type === 'user');
            if (earlier !== -1) expect(total(earlier)).toBeGreaterThan(room);
            // Nothing is lost: what is not stored is in the transcript, in order and once.
            const dropped = (await transcript.findByConversationId('c')).messages.filter(
              ({ type }) => type !== 'system',
            );
            const kept = (await repository.findByConversationId('c')).messages.filter(({ type }) => type !== 'system');
            expect([...dropped, ...kept]).toEqual(said);
            expect(kept).toEqual(history);
          });
        },
      ),
      { numRuns: 80 },
    );
  });

  it('gives even a broken history so that a provider takes it', async () => {
    const message: fc.Arbitrary<Message> = fc.oneof(
      fc.constant(userMessage('u')),
      fc.constant(assistantMessage('a')),
      fc
        .subarray(['1', '2', '3'], { minLength: 1 })
        .map((ids) => assistantMessage({ toolCalls: ids.map((id) => ({ id, name: 'f', arguments: '' })) })),
      fc.subarray(['1', '2', '3']).map((ids) => toolResponseMessage(ids.map((id) => ({ id, name: 'f', result: '' })))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 20 }),
        portions,
        fc.integer({ min: 1, max: 8 }),
        async (all, sizes, limit) => {
          const { memory } = create(limit);
          await addAll(memory, all, sizes, async () => checkCalls(await memory.get('c')));
        },
      ),
    );
  });
});

function tokens(message: Message): number {
  switch (message.type) {
    case 'tool':
      return message.responses.reduce((sum, { name, result }) => sum + name.length + result.length, 0);
    case 'assistant':
      return message.toolCalls.reduce(
        (sum, call) => sum + call.name.length + call.arguments.length,
        message.text.length,
      );
    default:
      return message.text.length;
  }
}
