import { assistantMessage, media, Prompt, toolResponseMessage, userMessage } from '@vernal/core';
import { OllamaChatModel, OllamaEmbeddingModel, ollamaChatOptions } from '@vernal/model-ollama';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { ollamaChatWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(async () => {
  await server?.close();
});

describe('what is sent to Ollama', () => {
  it('holds its own options under its names, and messages in its shape', async () => {
    server = await startMockServer([ollamaChatWire.call(['ok'])]);
    const model = new OllamaChatModel({ baseURL: `${server.url}/`, headers: { authorization: 'Bearer t' } });
    const options = ollamaChatOptions({
      model: 'llama3.2',
      maxTokens: 5,
      numCtx: 8192,
      seed: 7,
      minP: 0.1,
      keepAlive: '5m',
      think: true,
    });
    await model.call(
      new Prompt(
        [
          userMessage('look', { media: [media('image/png', Uint8Array.of(1))] }),
          assistantMessage({
            toolCalls: [{ id: 'call_0', name: 'f', arguments: '{"a":1}' }],
            reasoning: [{ text: 'hm', provider: 'ollama' }],
          }),
          toolResponseMessage([{ id: 'call_0', name: 'f', result: 'r' }]),
        ],
        options,
      ),
    );
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer t');
    expect(server.requests[0]?.json).toMatchObject({
      model: 'llama3.2',
      stream: false,
      think: true,
      keep_alive: '5m',
      options: { num_predict: 5, num_ctx: 8192, seed: 7, min_p: 0.1 },
      messages: [
        { role: 'user', content: 'look', images: ['AQ=='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'hm',
          tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }],
        },
        { role: 'tool', content: 'r', tool_name: 'f' },
      ],
    });
  });

  it('holds the images that a tool gave', async () => {
    server = await startMockServer([ollamaChatWire.call(['ok'])]);
    const model = new OllamaChatModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
    const call = assistantMessage({ toolCalls: [{ id: 'c', name: 'photo', arguments: '{}' }] });
    const shown = [media('image/png', new Uint8Array([1]))];
    const answer = toolResponseMessage([{ id: 'c', name: 'photo', result: 'taken', media: shown }]);
    await model.call(new Prompt([userMessage('q'), call, answer]));
    expect(server.requests[0]?.json).toMatchObject({
      messages: [{}, {}, { role: 'tool', content: 'taken', tool_name: 'photo', tool_call_id: 'c', images: ['AQ=='] }],
    });
  });

  it('a model must be named', async () => {
    await expect(new OllamaChatModel().call(new Prompt('hi'))).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'model',
    });
    await expect(new OllamaEmbeddingModel().embed(['a'])).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'model',
    });
  });

  it('a server that does not begin to answer in time is a time-out', async () => {
    server = await startMockServer([{ parts: [], hold: (await import('@vernal/testing/mock-server')).gate() }]);
    const model = new OllamaChatModel({ baseURL: server.url, timeoutMs: 20, defaultOptions: { model: 'm' } });
    await expect(model.call(new Prompt('hi'))).rejects.toMatchObject({ code: 'timeout', retryable: true });
  });
});

describe('what comes from Ollama', () => {
  it.each([
    [['call_4'], 'call_5'],
    [['call_7', 'call_3'], 'call_8'],
    [['given', 'call_x', 'call_1e3'], 'call_0'],
  ])('a call behind %j, when the beginning is forgotten, is %s', async (ids, next) => {
    const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: {} } }] };
    server = await startMockServer([{ json: { model: 'm', done: true, message } }]);
    const model = new OllamaChatModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
    const kept = ids.flatMap((id) => [
      assistantMessage({ toolCalls: [{ id, name: 'f', arguments: '{}' }] }),
      toolResponseMessage([{ id, name: 'f', result: 'r' }]),
    ]);
    const response = await model.call(new Prompt([userMessage('q'), ...kept]));
    expect(response.result?.output.toolCalls.map(({ id }) => id)).toEqual([next]);
  });

  it('tool calls get ids that are unique in the conversation, and durations are milliseconds', async () => {
    const call = { function: { name: 'f', arguments: { a: 1 } } };
    server = await startMockServer([
      {
        json: {
          model: 'm',
          done: true,
          done_reason: 'stop',
          total_duration: 2_500_000,
          message: { role: 'assistant', content: '', tool_calls: [call, call] },
        },
      },
    ]);
    const model = new OllamaChatModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
    const earlier = assistantMessage({ toolCalls: [{ id: 'call_0', name: 'f', arguments: '{}' }] });
    const response = await model.call(
      new Prompt([userMessage('q'), earlier, toolResponseMessage([{ id: 'call_0', name: 'f', result: 'r' }])]),
    );
    expect(response.result?.output.toolCalls.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    expect(response.result?.metadata).toMatchObject({ finishReason: 'tool_calls', nativeFinishReason: 'stop' });
    expect(response.metadata['totalDurationMs']).toBe(2.5);
  });
});
