// Source of codes and headers: https://platform.openai.com/docs/guides/error-codes and https://platform.openai.com/docs/api-reference/debugging-requests
import { fold, ModelError, Prompt } from '@vernal/core';
import { OpenAiChatModel, type OpenAiChatModelOptions, OpenAiEmbeddingModel } from '@vernal/model-openai';
import { gate, type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';

type Way = 'call' | 'stream' | 'embed';
const WAYS: readonly Way[] = ['call', 'stream', 'embed'];

function ask(way: Way, options: OpenAiChatModelOptions): Promise<unknown> {
  if (way === 'embed') return new OpenAiEmbeddingModel({ ...options, defaultOptions: {} }).embed(['a']);
  const model = new OpenAiChatModel(options);
  return way === 'call' ? model.call(new Prompt('q')) : fold(model.stream(new Prompt('q')));
}

const failure = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

async function failureOf(way: Way, exchange: MockExchange, options: OpenAiChatModelOptions = {}): Promise<unknown> {
  await using server = await startMockServer((request, at) =>
    typeof exchange === 'function' ? exchange(request, at) : exchange,
  );
  return await failure(ask(way, { baseURL: `${server.url}/v1`, maxRetries: 0, ...options }));
}

const NAMED: Readonly<Record<number, readonly [code: string, retryable: boolean]>> = {
  401: ['model_authentication', false],
  403: ['model_authentication', false],
  404: ['model_not_found', false],
  408: ['model_error', true],
  409: ['model_error', true],
  429: ['model_rate_limit', true],
  503: ['model_overloaded', true],
  529: ['model_overloaded', true],
};

describe.each(WAYS)('a failed %s', (way) => {
  it('has its code by its status, from 400 to 529', async () => {
    // 407 belongs to proxies, and `fetch` itself makes a network error of it: https://fetch.spec.whatwg.org/#http-network-or-cache-fetch
    const statuses = Array.from({ length: 130 }, (_, i) => 400 + i).filter((status) => status !== 407);
    // By the path, since `fetch` repeats a 421 by itself.
    await using server = await startMockServer(({ path }) => {
      const status = Number(path.split('/')[1]);
      const headers = { 'x-request-id': `req_${status}`, 'retry-after': '7' };
      return { status, headers, json: { error: { message: 'no', type: 't', code: 'c', param: 'p' } } };
    });
    const one = async (status: number): Promise<unknown> => {
      const error = await failure(ask(way, { baseURL: `${server.url}/${status}`, maxRetries: 0 }));
      expect(ModelError.is(error)).toBe(true);
      const { code, retryable, status: said, requestId, retryAfterMs, details } = error as ModelError;
      expect([said, requestId, retryAfterMs]).toEqual([status, `req_${status}`, 7_000]);
      expect(details).toMatchObject({ provider_code: 'c', provider_type: 't', provider_param: 'p' });
      return [status, code, retryable];
    };
    const found = await Promise.all(statuses.map(one));
    expect(found).toEqual(
      statuses.map((status) => [
        status,
        ...(NAMED[status] ?? (status < 500 ? ['model_bad_request', false] : ['model_error', true])),
      ]),
    );
  });

  it('without JSON has them, too', async () => {
    const page: MockExchange = {
      status: 502,
      headers: { 'content-type': 'text/html' },
      parts: ['<html>Bad gateway</html>'],
    };
    expect(await failureOf(way, page)).toMatchObject({ code: 'model_error', status: 502, retryable: true });
  });

  it('cannot be reached when nobody listens or the connection is dropped', async () => {
    const wanted = { code: 'model_connection', subject: 'baseURL', retryable: true };
    expect(await failure(ask(way, { baseURL: 'http://127.0.0.1:1', maxRetries: 0 }))).toMatchObject(wanted);
    expect(await failureOf(way, { drop: true })).toMatchObject(wanted);
  });

  it('that takes too long is a time-out', async () => {
    const never = gate();
    const error = await failureOf(way, { json: {}, hold: never }, { timeoutMs: 20 });
    expect(error).toMatchObject({ code: 'timeout', subject: 'timeoutMs', retryable: true });
  });

  it('is repeated by the SDK as often as `maxRetries` says, and not when it cannot help', async () => {
    const down: MockExchange = {
      status: 500,
      headers: { 'retry-after-ms': '1' },
      json: { error: { message: 'down' } },
    };
    for (const [maxRetries, status, asked] of [
      [undefined, 500, 3],
      [1, 500, 2],
      [0, 500, 1],
      [5, 400, 1],
    ] as const) {
      await using server = await startMockServer(() => ({ ...down, status }));
      const error = await failure(ask(way, { baseURL: `${server.url}/v1`, maxRetries }));
      expect(error).toMatchObject({ status });
      expect(server.requests.map(({ headers }) => headers['x-stainless-retry-count'])).toEqual(
        Array.from({ length: asked }, (_, at) => String(at)),
      );
    }
  });
});

it('a request that fails for a moment is answered in the end', async () => {
  const down: MockExchange = { status: 503, headers: { 'retry-after-ms': '1' }, json: { error: {} } };
  await using server = await startMockServer([down, { drop: true }, openAiChatWire.call(['ok'])]);
  const model = new OpenAiChatModel({ baseURL: `${server.url}/v1` });
  expect((await model.call(new Prompt('q'))).result?.output.text).toBe('ok');
  server.assertComplete();
});

it.each([
  [
    { code: 429, message: 'wait' },
    { code: 'model_rate_limit', status: 429, retryable: true },
  ],
  [
    { code: '503', message: 'full' },
    { code: 'model_overloaded', status: 503, retryable: true },
  ],
  [
    { code: 'server_error', message: 'lost' },
    { code: 'model_error', retryable: true, details: { provider_code: 'server_error' } },
  ],
])('an error in an answer of status 200 is that error: %j', async (error, wanted) => {
  // Source: https://openrouter.ai/docs/api-reference/errors
  expect(await failureOf('call', { json: { error } })).toMatchObject(wanted);
  const headers = { 'x-request-id': 'req_1' };
  const empty = await failureOf('call', { headers, json: { error, choices: [] } });
  const choice = { index: 0, message: { content: 'half' }, delta: { content: 'half' }, finish_reason: 'error', error };
  expect(await failureOf('call', { json: { choices: [choice] } })).toMatchObject(wanted);
  const inChoice = await failureOf('stream', {
    headers: { ...headers, 'content-type': 'text/event-stream' },
    parts: [{ data: { choices: [choice] } }],
  });
  const streamed = await failureOf('stream', {
    headers: { ...headers, 'content-type': 'text/event-stream' },
    parts: [{ data: { error } }],
  });
  for (const failed of [empty, streamed, inChoice]) {
    expect(failed).toMatchObject({ ...wanted, code: expect.stringMatching(`${wanted.code}|stream_interrupted`) });
    expect((failed as ModelError).requestId).toBe('req_1');
  }
});

it.each(WAYS)('a %s whose prompt was filtered says so', async (way) => {
  // Source: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
  const error = { message: 'your words', type: null, param: 'prompt', code: 'content_filter', status: 400 };
  const filtered = await failureOf(way, { status: 400, headers: { 'x-request-id': 'req_1' }, json: { error } });
  expect(filtered).toMatchObject({
    code: 'model_content_filter',
    subject: 'messages',
    status: 400,
    requestId: 'req_1',
    retryable: false,
    details: { provider_code: 'content_filter' },
  });
  expect(String(filtered)).not.toContain('your words');
  const told = await failureOf(way, { status: 400, json: { error } }, { providerMessages: true });
  expect(String(told)).toContain('your words');
});

it('a web page in place of a stream is let go of', async () => {
  const page: MockExchange = { headers: { 'content-type': 'text/html' }, parts: ['<html>', { end: 'hang' }] };
  await using server = await startMockServer([page]);
  const error = await failure(ask('stream', { baseURL: `${server.url}/v1`, maxRetries: 0 }));
  expect(error).toMatchObject({ code: 'model_error', subject: 'baseURL', retryable: false });
  await server.whenDropped(1);
});

it('`fetch` carries calls, streams and embeddings', async () => {
  await using server = await startMockServer(({ path, json }) => {
    if (path.endsWith('/embeddings')) return { json: { data: [{ index: 0, embedding: [1, 2] }] } };
    return openAiChatWire[Object(json).stream === true ? 'stream' : 'call'](['ok']);
  });
  const carried: string[] = [];
  const transport: typeof fetch = (input, init) => {
    carried.push(new URL(String(input)).pathname);
    return fetch(input, init);
  };
  for (const way of WAYS) await ask(way, { baseURL: `${server.url}/v1`, fetch: transport });
  expect(carried).toEqual(['/v1/chat/completions', '/v1/chat/completions', '/v1/embeddings']);
  expect(server.requests).toHaveLength(3);
});
