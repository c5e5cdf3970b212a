import { fold, type ModelError, Prompt } from '@vernal/core';
import { AnthropicChatModel, type AnthropicChatModelOptions } from '@vernal/model-anthropic';
import { type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { anthropicFixtures } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { answered, event, exchanged, streamed, text, WAYS, whole } from './answers.js';

describe('why an answer ended', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'pause_turn'],
    ['news', 'news'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('%s is %s', async (native, finishReason) => {
    const both = await answered([text('a')], {
      stop_reason: native,
      stop_sequence: native === 'stop_sequence' ? 'x' : null,
    });
    expect(both.stream).toEqual(both.call);
    expect(both.call.result?.metadata).toEqual({
      finishReason,
      nativeFinishReason: native,
      ...(native === 'stop_sequence' ? { stopSequence: 'x' } : {}),
    });
  });

  it('a refusal says for what it took the request', async () => {
    const stop_details = { type: 'refusal', category: 'bio', explanation: 'No.' };
    const both = await answered([], { stop_reason: 'refusal', stop_details });
    expect(both.stream).toEqual(both.call);
    expect(both.call.result?.metadata).toMatchObject({
      finishReason: 'content_filter',
      refusal: { category: 'bio', explanation: 'No.' },
    });
  });
});

describe('rate limits', () => {
  const headers = {
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '49',
    'anthropic-ratelimit-requests-reset': '2020-01-01T00:00:00Z',
    'anthropic-ratelimit-tokens-limit': '8000',
    'anthropic-ratelimit-tokens-remaining': 'many',
  };

  it.each(WAYS)('are in the metadata of a %s', async (way) => {
    const answer = way === 'call' ? whole([text('a')]) : streamed([text('a')]);
    const type = way === 'call' ? 'application/json' : 'text/event-stream';
    const { response } = await exchanged(new Prompt('q'), {
      ...(answer as { json: unknown }),
      headers: { ...headers, 'content-type': type },
    });
    expect(response.metadata.rateLimit).toEqual({
      requestsLimit: 50,
      requestsRemaining: 49,
      requestsResetMs: 0,
      tokensLimit: 8000,
    });
  });
});

async function errorOf(
  exchanges: readonly MockExchange[],
  options: AnthropicChatModelOptions = {},
): Promise<{ readonly error: ModelError; readonly asked: number }> {
  await using server = await startMockServer(exchanges);
  const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0, ...options });
  try {
    await fold(model.stream(new Prompt('q')));
  } catch (error) {
    return { error: error as ModelError, asked: server.requests.length };
  }
  throw new Error('did not fail');
}

describe('errors', () => {
  it.each([
    ['unauthorized', 'model_authentication', 401, false],
    ['forbidden', 'model_authentication', 403, false],
    ['notFound', 'model_not_found', 404, false],
    ['badRequest', 'model_bad_request', 400, false],
    ['tooLarge', 'model_bad_request', 413, false],
    ['rateLimit', 'model_rate_limit', 429, true],
    ['serverError', 'model_error', 500, true],
    ['overloaded', 'model_overloaded', 529, true],
  ] as const)('%s is %s', async (name, code, status, retryable) => {
    const reply = anthropicFixtures[name];
    const { error } = await errorOf([reply]);
    expect(error).toMatchObject({ code, status, retryable, requestId: 'req_018EeWyXxfu5pfWkrYcMdjWG' });
    expect(error.details).toMatchObject({ provider_type: JSON.parse(String(reply.parts[0])).error.type });
    expect(error.retryAfterMs).toBe(name === 'rateLimit' ? 20_000 : undefined);
  });

  it('in the middle of a stream are told by their type', async () => {
    const headers = { ...anthropicFixtures.midStreamError.headers, 'request-id': 'req_1' };
    const { error } = await errorOf([{ ...anthropicFixtures.midStreamError, headers }]);
    expect(error).toMatchObject({
      code: 'model_stream_interrupted',
      requestId: 'req_1',
      retryable: true,
      details: { provider_type: 'overloaded_error', model: 'claude-haiku-4-5' },
    });
  });

  it('at the beginning of a stream let it be asked for again', async () => {
    const overloaded: MockExchange = {
      parts: [event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })],
    };
    await using server = await startMockServer([overloaded, streamed([text('ok')])]);
    const retry = { maxAttempts: 2, initialDelayMs: 0 };
    const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0, retry });
    expect((await fold(model.stream(new Prompt('q')))).result?.output.text).toBe('ok');
  });

  it.each([
    [undefined, 3],
    [0, 1],
    [1, 2],
  ])('are repeated by the SDK: with maxRetries %s there are %i requests', async (maxRetries, asked) => {
    const again = {
      ...anthropicFixtures.overloaded,
      headers: { ...anthropicFixtures.overloaded.headers, 'retry-after-ms': '1' },
    };
    const outcome = await errorOf([again, again, again, again], { maxRetries });
    expect(outcome.asked).toBe(asked);
    expect(outcome.error.code).toBe('model_overloaded');
  });
});

describe('what the documentation shows', () => {
  it.each([
    ['plainAnswer', 'plainAnswerStream'],
    ['toolCall', 'toolCallStream'],
    ['thinking', 'thinkingStream'],
    ['cachedUsage', 'cachedUsageStream'],
  ] as const)('%s and %s are read', async (call, stream) => {
    for (const name of [call, stream]) {
      await using server = await startMockServer([anthropicFixtures[name]]);
      const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0 });
      const response = name === call ? await model.call(new Prompt('q')) : await fold(model.stream(new Prompt('q')));
      expect(response.result?.metadata.finishReason).toMatch(/^(?:stop|tool_calls)$/);
      expect(response.metadata).toMatchObject({ id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF' });
      expect(response.metadata.usage.promptTokens).toBeGreaterThan(0);
    }
  });

  it('calls of tools side by side are told apart, also without arguments', async () => {
    await using server = await startMockServer([anthropicFixtures.parallelToolCallsStream]);
    const model = new AnthropicChatModel({ baseURL: server.url, maxRetries: 0 });
    expect((await fold(model.stream(new Prompt('q')))).result?.output.toolCalls).toEqual([
      { id: 'toolu_01', name: 'get_weather', arguments: '{"location": "Delft"}' },
      { id: 'toolu_02', name: 'get_time', arguments: '{}' },
    ]);
  });
});
