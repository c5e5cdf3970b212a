import {
  assistantMessage,
  InMemoryChatMemoryRepository,
  messageText,
  systemMessage,
  TokenWindowChatMemory,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { expect, it, vi } from 'vitest';

const characters = { count: (text: string): number => text.length };

it('keeps as many turns as the tokens allow', async () => {
  const memory = new TokenWindowChatMemory({ maxTokens: 10, estimator: characters });
  await memory.add('c', [userMessage('aaaa'), assistantMessage('bb')]);
  await memory.add('c', [userMessage('cc'), assistantMessage('dd')]);
  expect((await memory.get('c')).map(messageText)).toEqual(['aaaa', 'bb', 'cc', 'dd']);
  await memory.add('c', userMessage('e'));
  expect((await memory.get('c')).map(messageText)).toEqual(['cc', 'dd', 'e']);
});

it('makes room for the system message and gives the running turn whole', async () => {
  const memory = new TokenWindowChatMemory({ maxTokens: 10, estimator: characters });
  await memory.add('c', [userMessage('aaaa'), assistantMessage('bb'), userMessage('cc')]);
  await memory.add('c', systemMessage('SSSS'));
  expect((await memory.get('c')).map(messageText)).toEqual(['SSSS', 'cc']);
  await memory.add('c', assistantMessage('far too long'));
  expect((await memory.get('c')).map(messageText)).toEqual(['SSSS', 'cc', 'far too long']);
});

it('counts text, reasoning, calls and answers', async () => {
  const counted: string[] = [];
  const estimator = { count: (text: string): number => counted.push(text) };
  const memory = new TokenWindowChatMemory({ maxTokens: 1_000, estimator });
  await memory.add('c', [
    userMessage('question'),
    assistantMessage({
      text: 'wait',
      reasoning: [{ text: 'hm' }, { redactedData: 'x' }],
      toolCalls: [{ id: '1', name: 'f', arguments: '{}' }],
    }),
    toolResponseMessage([{ id: '1', name: 'f', result: 'r' }]),
  ]);
  expect(new Set(counted)).toEqual(new Set(['question', 'wait', 'hm', 'f', '{}', 'r']));
});

it('counts each stored message once', async () => {
  const count = vi.fn((text: string) => text.length);
  const memory = new TokenWindowChatMemory({ maxTokens: 60, estimator: { count } });
  for (let i = 0; i < 40; i++) {
    await memory.add('c', [userMessage(`question ${i}`), assistantMessage(`answer ${i}`)]);
    await memory.get('c');
    await memory.get('c');
  }
  const perText = new Map<string, number>();
  for (const [text] of count.mock.calls) perText.set(text, (perText.get(text) ?? 0) + 1);
  // Once as it was handed over, once as it is stored.
  expect(Math.max(...perText.values())).toBeLessThanOrEqual(2);
});

it('looks back beyond its first page', async () => {
  const repository = new InMemoryChatMemoryRepository();
  await repository.append(
    'c',
    Array.from({ length: 400 }, (_, i) => (i % 2 ? assistantMessage('a') : userMessage('u'))),
  );
  const memory = new TokenWindowChatMemory({ maxTokens: 301, estimator: characters, repository });
  const find = vi.spyOn(repository, 'findByConversationId');
  expect(await memory.get('c')).toHaveLength(300);
  expect(find.mock.calls.length).toBeGreaterThan(1);
  find.mockClear();
  // By now it knows how far a window of so many tokens reaches.
  expect(await memory.get('c')).toHaveLength(300);
  expect(find).toHaveBeenCalledTimes(1);
});

it.each([
  [{ maxTokens: 0, estimator: characters }, 'maxTokens'],
  [{ maxTokens: Number.NaN, estimator: characters }, 'maxTokens'],
  [{ maxTokens: 1, estimator: {} }, 'estimator'],
])('refuses %j', (options, subject) => {
  expect(() => Reflect.construct(TokenWindowChatMemory, [options])).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject }),
  );
});
