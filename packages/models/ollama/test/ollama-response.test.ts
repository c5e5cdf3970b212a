import { type ChatResponse, fold, Prompt } from '@vernal/core';
import { OllamaChatModel, ollamaChatOptions } from '@vernal/model-ollama';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { ndjsonReply, ollamaChatWire, ollamaFixtures } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(() => server?.close());

async function connected(...replies: Parameters<typeof startMockServer>): Promise<OllamaChatModel> {
  server = await startMockServer(...replies);
  return new OllamaChatModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
}

async function bothWays(lines: readonly object[]): Promise<readonly [ChatResponse, ChatResponse]> {
  const whole = Object.assign({}, ...lines);
  const model = await connected([{ json: whole }, ndjsonReply(lines)]);
  return [await model.call(new Prompt('q')), await fold(model.stream(new Prompt('q')))];
}

const message = { role: 'assistant', content: 'hi' };

describe('answers of Ollama', () => {
  it('durations are milliseconds, called and streamed', async () => {
    const durations = {
      total_duration: 5_191_566_416,
      load_duration: 2_154_458,
      prompt_eval_duration: 383_809_000,
      eval_duration: 4_799_921_000,
    };
    const line = { model: 'm', message, done: true, done_reason: 'stop', ...durations };
    for (const { metadata } of await bothWays([line])) {
      expect(metadata).toMatchObject({
        totalDurationMs: 5191.566416,
        loadDurationMs: 2.154458,
        promptEvalDurationMs: 383.809,
        evalDurationMs: 4799.921,
      });
    }
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'stop'],
    ['unload', 'stop'],
    ['something new', 'something new'],
  ])('done_reason %s is %s', async (native, finishReason) => {
    for (const response of await bothWays([{ model: 'm', message, done: true, done_reason: native }])) {
      expect(response.result?.metadata).toMatchObject({ finishReason, nativeFinishReason: native });
    }
  });

  it('an answer that is cut in the middle of tool calls stays cut, called and streamed', async () => {
    const calling = { ...message, tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] };
    for (const { result } of await bothWays([{ model: 'm', message: calling, done: true, done_reason: 'length' }])) {
      expect(result?.output.toolCalls).toHaveLength(1);
      expect(result?.metadata).toMatchObject({ finishReason: 'length', nativeFinishReason: 'length' });
    }
  });

  it('an answer to no messages, which only loads the model, is an answer', async () => {
    const response = await (await connected([ollamaFixtures.loaded])).call(new Prompt([]));
    expect(response.result?.output.text).toBe('');
    expect(response.result?.metadata).toMatchObject({ finishReason: 'stop', nativeFinishReason: 'load' });
  });

  it('thinking is reasoning, and goes back with the next request', async () => {
    const model = await connected([ollamaFixtures.thinkingStream, ollamaChatWire.call(['ok'])]);
    const { result } = await fold(model.stream(new Prompt('q', ollamaChatOptions({ think: true }))));
    expect(result?.output).toMatchObject({
      text: 'Three.',
      reasoning: [{ text: 'The word has three of them.', provider: 'ollama' }],
    });
    if (result !== undefined) await model.call(new Prompt([result.output]));
    expect(server?.requests[1]?.json).toMatchObject({
      messages: [{ role: 'assistant', content: 'Three.', thinking: 'The word has three of them.' }],
    });
  });

  it('log probabilities of all tokens are in the metadata, called and streamed', async () => {
    const logprobs = ['Hel', 'lo'].map((token) => ({
      token,
      logprob: -0.5,
      top_logprobs: [{ token, logprob: -0.5 }],
    }));
    const lines = [
      ...logprobs.map((one) => ({ model: 'm', message: { content: one.token }, done: false, logprobs: [one] })),
      { model: 'm', message: { content: '' }, done: true, done_reason: 'stop' },
    ];
    const model = await connected([
      { json: { model: 'm', message: { content: 'Hello' }, done: true, done_reason: 'stop', logprobs } },
      ndjsonReply(lines),
    ]);
    for (const response of [await model.call(new Prompt('q')), await fold(model.stream(new Prompt('q')))]) {
      expect(response.result?.output.text).toBe('Hello');
      expect(response.result?.metadata['logprobs']).toEqual(logprobs);
    }
  });

  it('an id that the server gives a tool call is kept; one without gets its own', async () => {
    const calls = [{ id: 'call_x1', function: { name: 'f', arguments: {} } }, { function: { name: 'g' } }];
    const line = { model: 'm', message: { content: '', tool_calls: calls }, done: true, done_reason: 'stop' };
    for (const response of await bothWays([line])) {
      expect(response.result?.output.toolCalls).toEqual([
        { id: 'call_x1', name: 'f', arguments: '{}' },
        { id: 'call_0', name: 'g', arguments: '' },
      ]);
      expect(response.result?.metadata.finishReason).toBe('tool_calls');
    }
  });
});
