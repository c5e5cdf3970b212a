import { fold, Prompt } from '@vernal/core';
import { OpenAiChatModel, OpenAiEmbeddingModel, openAiChatOptions } from '@vernal/model-openai';
import { type MockRequest, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire, openAiEmbeddingsWire } from '@vernal/testing/wires';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let server: MockServer;
beforeEach(async () => {
  server = await startMockServer((request) =>
    request.path.includes('/embeddings') ? openAiEmbeddingsWire.call(request.json) : openAiChatWire.call(['ok']),
  );
});
afterEach(() => server.close());

const prompt = new Prompt('q');
const last = (): MockRequest => server.requests.at(-1) as MockRequest;
const sent = (): Record<string, unknown> => {
  const { messages: _messages, stream: _stream, ...rest } = Object(last().json);
  return rest;
};

describe('a derived chat model', () => {
  it('has what is changed in place, and the rest as it was; the first stays as it is', async () => {
    const first = new OpenAiChatModel({
      baseURL: `${server.url}/v1`,
      apiKey: 'one',
      headers: { 'x-a': '1', 'x-b': '1' },
      defaultOptions: openAiChatOptions({ model: 'm', temperature: 0, seed: 7, verbosity: 'low', extra: { a: 1 } }),
    });
    const second = first.with({
      apiKey: 'two',
      headers: { 'x-b': '2' },
      baseURL: undefined,
      maxTokensParameter: 'max_completion_tokens',
      defaultOptions: openAiChatOptions({
        model: undefined,
        temperature: null,
        maxTokens: 5,
        seed: null,
        n: 2,
        extra: { b: 2 },
      }),
    });
    expect(second).toBeInstanceOf(OpenAiChatModel);
    await second.call(prompt);
    expect(sent()).toEqual({ model: 'm', max_completion_tokens: 5, verbosity: 'low', n: 2, a: 1, b: 2 });
    expect(last().headers).toMatchObject({ authorization: 'Bearer two', 'x-b': '2' });
    expect(last().headers).not.toHaveProperty('x-a');
    await first.call(prompt);
    expect(sent()).toEqual({ model: 'm', temperature: 0, seed: 7, verbosity: 'low', a: 1 });
    expect(last().headers).toMatchObject({ authorization: 'Bearer one', 'x-a': '1', 'x-b': '1' });
    const third = second.with({ defaultOptions: { temperature: 1 } });
    await third.call(prompt);
    expect(sent()).toMatchObject({ temperature: 1, max_completion_tokens: 5, n: 2 });
  });

  it('keeps capabilities, and takes others', async () => {
    const first = new OpenAiChatModel({ baseURL: server.url, capabilities: { tools: false } });
    expect(first.with({ replayReasoning: true }).capabilities.tools).toBe(false);
    expect(first.with({ capabilities: { reasoning: false } }).capabilities).toMatchObject({
      tools: true,
      reasoning: false,
    });
    expect(first.capabilities).toMatchObject({ tools: false, reasoning: true });
  });

  it('of a client goes on with that client, changed by its own means', async () => {
    const other = await startMockServer([openAiChatWire.call(['ok'])]);
    try {
      const client = new OpenAI({
        apiKey: 'one',
        baseURL: `${server.url}/v1`,
        maxRetries: 5,
        defaultHeaders: { 'x-own': '1' },
      });
      const first = new OpenAiChatModel({ client });
      const fetched: string[] = [];
      const second = first.with({
        baseURL: `${other.url}/v9`,
        apiKey: 'two',
        organization: 'org',
        query: { q: '1' },
        maxRetries: 0,
        fetch: (url, init) => {
          fetched.push(String(url));
          return fetch(url, init);
        },
      });
      await second.call(prompt);
      expect(other.requests[0]).toMatchObject({
        path: '/v9/chat/completions?q=1',
        headers: {
          authorization: 'Bearer two',
          'x-own': '1',
          'openai-organization': 'org',
        },
      });
      expect(fetched).toEqual([`${other.url}/v9/chat/completions?q=1`]);
      await second.with({ baseURL: `${server.url}/v1`, headers: { 'x-other': '2' } }).call(prompt);
      expect(last().headers).toMatchObject({ authorization: 'Bearer two', 'x-other': '2' });
      expect(last().headers).not.toHaveProperty('x-own');
      await first.call(prompt);
      expect(last()).toMatchObject({
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer one', 'x-own': '1' },
      });
    } finally {
      await other.close();
    }
  });

  it('of a client takes another time-out', async () => {
    const waits: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true });
      });
    const client = new OpenAI({ apiKey: 'one', fetch: waits, maxRetries: 0 });
    const impatient = new OpenAiChatModel({ client }).with({ timeoutMs: 10 });
    await expect(impatient.call(prompt)).rejects.toMatchObject({ code: 'timeout' });
    expect(client.timeout).toBe(600_000);
  });

  it.each(['call', 'stream'] as const)(
    "of a client has the client's time for a body, or another, in a %s",
    async (way) => {
      await using silent = await startMockServer(() => ({ parts: ['{', { end: 'hang' }] }));
      const client = new OpenAI({ apiKey: 'one', baseURL: silent.url, maxRetries: 0, timeout: 40 });
      const ask = (model: OpenAiChatModel): Promise<unknown> =>
        way === 'call' ? model.call(prompt) : fold(model.stream(prompt));
      const late = { code: 'timeout', subject: 'timeoutMs' };
      const model = new OpenAiChatModel({ client });
      await expect(ask(model)).rejects.toMatchObject(late);
      const patient = new OpenAiChatModel({ client: client.withOptions({ timeout: 60_000 }) });
      await expect(ask(patient.with({ timeoutMs: 40 }))).rejects.toMatchObject(late);
      await silent.whenDropped(2);
    },
  );

  it('takes another client as it is', async () => {
    const first = new OpenAiChatModel({ apiKey: 'one', baseURL: 'http://127.0.0.1:1', maxRetries: 0 });
    const second = first.with({ client: new OpenAI({ apiKey: 'two', baseURL: `${server.url}/v2` }) });
    await second.call(prompt);
    expect(last()).toMatchObject({ path: '/v2/chat/completions', headers: { authorization: 'Bearer two' } });
    await expect(first.call(prompt)).rejects.toMatchObject({ code: 'model_connection' });
  });
});

describe('a derived embedding model', () => {
  it('follows the same rules', async () => {
    const first = new OpenAiEmbeddingModel({
      baseURL: `${server.url}/v1`,
      apiKey: 'one',
      limits: { maxInputs: 1 },
      defaultOptions: { model: 'e', dimensions: 8, providerOptions: { openai: { user: 'u' } } },
    });
    const second = first.with({ apiKey: 'two', defaultOptions: { dimensions: null, model: 'f' } });
    expect(second).toBeInstanceOf(OpenAiEmbeddingModel);
    expect(await second.embed(['a', 'b'])).toHaveLength(2);
    expect(sent()).toEqual({ model: 'f', input: ['b'], encoding_format: 'float', user: 'u' });
    expect(last().headers['authorization']).toBe('Bearer two');
    await first.embed(['a']);
    expect(sent()).toEqual({ model: 'e', input: ['a'], encoding_format: 'float', dimensions: 8, user: 'u' });
    expect(last().headers['authorization']).toBe('Bearer one');
    const third = first.with({ limits: { maxInputs: 9 } });
    await third.embed(['a', 'b']);
    expect(sent()['input']).toEqual(['a', 'b']);
  });

  it('of a client goes on with that client', async () => {
    const client = new OpenAI({ apiKey: 'one', baseURL: `${server.url}/v1` });
    const first = new OpenAiEmbeddingModel({ client });
    await first.with({ headers: { 'x-a': 'b' }, baseURL: `${server.url}/v2` }).embed(['a']);
    expect(last()).toMatchObject({ path: '/v2/embeddings', headers: { authorization: 'Bearer one', 'x-a': 'b' } });
    await first.embed(['a']);
    expect(last().path).toBe('/v1/embeddings');
  });
});
