import type { ChatResponse } from '@vernal/core';
import { fold, Prompt, responseText, UnsupportedCapabilityError, VernalError } from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { expect, it, vi } from 'vitest';

const ask = new Prompt('hi', { model: 'm' });

async function chunks(stream: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const found: ChatResponse[] = [];
  for await (const chunk of stream) found.push(chunk);
  return found;
}
const texts = (list: readonly ChatResponse[]): string[] => list.map(responseText).filter((text) => text !== '');

it('plays text, tool calls and functions, and keeps the prompts', async () => {
  const model = new ScriptedChatModel([
    {
      toolCalls: [
        { name: 'a', arguments: { x: new Date(0) } },
        { id: 'own', name: 'b', arguments: '{broken' },
      ],
    },
    (prompt) => async () => `You said ${prompt.userMessage.text}`,
  ]);
  const first = await model.call(ask);
  expect(first.result?.output.toolCalls).toEqual([
    { id: 'call_1', name: 'a', arguments: '{"x":"1970-01-01T00:00:00.000Z"}' },
    { id: 'own', name: 'b', arguments: '{broken' },
  ]);
  expect(first.result?.metadata.finishReason).toBe('tool_calls');
  expect(first.metadata).toMatchObject({ model: 'm', usage: {} });
  expect(() => model.assertComplete()).toThrow(/1 of the script's 2 steps/);
  expect(responseText(await model.call(ask))).toBe('You said hi');
  model.assertComplete();
  expect(model.prompts).toEqual([ask, ask]);
  expect(model.prompts[0]).toBe(ask);
});

it('refuses a call beyond the script', async () => {
  const model = new ScriptedChatModel(['one']);
  await model.call(ask);
  await expect(model.call(ask)).rejects.toMatchObject({ code: 'invalid_state', details: { steps: 1, asked: 2 } });
});

it('cuts text into words, lengths or characters, never inside a character', async () => {
  const text = 'ab  cd 😀e ';
  const model = new ScriptedChatModel([text, { text, chunks: [1, 0, 6] }, { text, chunks: 'char' }, { text: '   ' }]);
  expect(texts(await chunks(model.stream(ask)))).toEqual(['ab', '  cd', ' 😀e', ' ']);
  expect(texts(await chunks(model.stream(ask)))).toEqual(['a', 'b  cd ', '😀e ']);
  expect(texts(await chunks(model.stream(ask)))).toEqual(Array.from(text));
  expect(texts(await chunks(model.stream(ask)))).toEqual(['   ']);
});

it('call is the fold of the stream, reasoning, arguments and usage included', async () => {
  const step = {
    text: 'It rains.',
    reasoning: 'hm hm',
    toolCalls: [{ id: 'i', name: 'n', arguments: { city: 'Delft' } }],
    usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
    finishReason: 'length',
    chunks: 'char',
  } as const;
  const model = new ScriptedChatModel([step, step]);
  const whole = await model.call(ask);
  const parts = await chunks(model.stream(ask));
  const { id: _, ...metadata } = whole.metadata;
  expect(await fold(parts)).toMatchObject({ results: whole.results, metadata });
  expect(whole.result?.output).toMatchObject({ text: 'It rains.', reasoning: [{ text: 'hm hm' }] });
  expect(whole.result?.metadata.finishReason).toBe('length');
  expect(parts.length).toBeGreaterThan(25);
});

it('takes its step when a stream is first read, and can be read once', async () => {
  const model = new ScriptedChatModel(['one']);
  const stream = model.stream(ask);
  expect(model.prompts).toHaveLength(0);
  expect(texts(await chunks(stream))).toEqual(['one']);
  await chunks(stream).catch(() => []);
  expect(model.prompts).toHaveLength(1);
});

it('fails after the chunks that it is told, with the very error', async () => {
  const error = new Error('lost');
  const model = new ScriptedChatModel([
    { error },
    { text: 'a b c', error, afterChunks: 2 },
    { text: 'a', error, afterChunks: 9 },
  ]);
  await expect(model.call(ask)).rejects.toBe(error);
  for (const expected of [['a', ' b'], ['a']]) {
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const chunk of model.stream(ask)) seen.push(responseText(chunk));
      })(),
    ).rejects.toBe(error);
    expect(seen.filter((text) => text !== '')).toEqual(expected);
  }
  model.assertComplete();
});

it('waits between chunks, and stops waiting when the signal fires', async () => {
  vi.useFakeTimers();
  try {
    const model = new ScriptedChatModel([
      { text: 'a b', delayMs: 1000 },
      { text: 'a b', delayMs: 1000 },
    ]);
    const whole = model.call(ask);
    await vi.advanceTimersByTimeAsync(3000);
    expect(responseText(await whole)).toBe('a b');
    const controller = new AbortController();
    const failed = expect(model.call(ask, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    await vi.advanceTimersByTimeAsync(1500);
    controller.abort();
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('stops waiting for a function when the signal fires; a call that never starts takes no step', async () => {
  const model = new ScriptedChatModel([() => new Promise<string>(() => {}), 'next']);
  const controller = new AbortController();
  const call = model.call(ask, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toSatisfy((error) => VernalError.is(error) && error.code === 'aborted');
  await expect(model.call(ask, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  expect(responseText(await model.call(ask))).toBe('next');
});

it('refuses what its capabilities switch off', async () => {
  const model = new ScriptedChatModel(['x'], { capabilities: { outputSchema: 'none', unsupportedOptions: ['topK'] } });
  await expect(model.call(ask.withOptions({ topK: 1 }))).rejects.toSatisfy(UnsupportedCapabilityError.is);
  await expect(model.call(ask.withOptions({ outputSchema: {} }))).rejects.toSatisfy(UnsupportedCapabilityError.is);
  expect(responseText(await model.call(ask.withOptions({ temperature: 1 })))).toBe('x');
});
