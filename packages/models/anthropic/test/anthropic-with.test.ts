import Anthropic from '@anthropic-ai/sdk';
import { fold, noRetry, Prompt } from '@vernal/core';
import { AnthropicChatModel, anthropicChatOptions } from '@vernal/model-anthropic';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { afterEach, describe, expect, it } from 'vitest';
import { text, whole } from './answers.js';

let server: MockServer;
afterEach(() => server.close());

const serve = async (): Promise<string> => {
  server = await startMockServer(() => whole([text('ok')]) as { json: unknown });
  return server.url;
};
const ask = (model: AnthropicChatModel): Promise<unknown> => model.call(new Prompt('q'));
const body = (i: number): Record<string, unknown> => server.requests[i]?.json as Record<string, unknown>;
/** The SDK sends it as a bearer token. */
const key = (i: number): string | undefined => header(i, 'authorization')?.replace('Bearer ', '');
const header = (i: number, name: string): string | undefined => server.requests[i]?.headers[name];

describe('a derived model', () => {
  it('has the options that were given, over those of the first, which stays as it is', async () => {
    const baseURL = await serve();
    const first = new AnthropicChatModel({
      baseURL,
      apiKey: 'k1',
      headers: { 'x-a': '1' },
      defaultOptions: anthropicChatOptions({ temperature: 0.5, topK: 3, effort: 'low', userId: 'u' }),
    });
    const second = first.with({
      apiKey: 'k2',
      headers: { 'x-b': '2' },
      defaultOptions: anthropicChatOptions({ temperature: undefined, topK: null, effort: null, maxTokens: 9 }),
    });
    expect(second).not.toBe(first);
    await ask(second);
    await ask(first);
    expect(body(0)).toMatchObject({ temperature: 0.5, max_tokens: 9, metadata: { user_id: 'u' } });
    expect(body(0)).not.toHaveProperty('top_k');
    expect(body(0)).not.toHaveProperty('output_config');
    expect([key(0), header(0, 'x-a'), header(0, 'x-b')]).toEqual(['k2', undefined, '2']);
    expect(body(1)).toMatchObject({ temperature: 0.5, top_k: 3, max_tokens: 4096, output_config: { effort: 'low' } });
    expect([key(1), header(1, 'x-a'), header(1, 'x-b')]).toEqual(['k1', '1', undefined]);
  });

  it('keeps what is undefined, and can be derived from again', async () => {
    const baseURL = await serve();
    const model = new AnthropicChatModel({ baseURL, apiKey: 'k', capabilities: { tools: false } })
      .with({ baseURL: undefined, apiKey: undefined, defaultOptions: undefined, capabilities: undefined })
      .with({ defaultOptions: { model: 'one', maxTokens: 5 } })
      .with({ defaultOptions: { model: 'two', maxTokens: null } });
    await ask(model);
    expect(body(0)).toMatchObject({ model: 'two', max_tokens: 4096 });
    expect(key(0)).toBe('k');
    expect(model.capabilities.tools).toBe(false);
  });

  it('changes a copy of a client that was given', async () => {
    const baseURL = await serve();
    const client = new Anthropic({
      apiKey: 'k1',
      baseURL: 'http://127.0.0.1:1',
      maxRetries: 0,
      timeout: 1_000,
      defaultHeaders: { 'x-a': '1' },
    });
    const first = new AnthropicChatModel({ client, retry: noRetry });
    await ask(first.with({ baseURL }));
    await ask(first.with({ baseURL, apiKey: 'k2' }).with({ headers: { 'x-b': '2' }, timeoutMs: 7_000 }));
    expect([key(0), header(0, 'x-a')]).toEqual(['k1', '1']);
    expect([key(1), header(1, 'x-a'), header(1, 'x-b')]).toEqual(['k2', undefined, '2']);
    expect([header(0, 'x-stainless-timeout'), header(1, 'x-stainless-timeout')]).toEqual(['1', '7']);
    expect(client).toMatchObject({ baseURL: 'http://127.0.0.1:1', apiKey: 'k1', timeout: 1_000 });
    await expect(ask(first)).rejects.toMatchObject({ code: 'model_connection' });
  });

  it.each(['call', 'stream'] as const)("has the client's time for a body, or another, in a %s", async (way) => {
    server = await startMockServer(() => ({
      headers: { 'content-type': way === 'call' ? 'application/json' : 'text/event-stream' },
      parts: ['{', { end: 'hang' }],
    }));
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0, timeout: 40 });
    const wait = (model: AnthropicChatModel): Promise<unknown> =>
      way === 'call' ? ask(model) : fold(model.stream(new Prompt('q')));
    const late = { code: 'timeout', subject: 'timeoutMs' };
    await expect(wait(new AnthropicChatModel({ client }))).rejects.toMatchObject(late);
    const patient = new AnthropicChatModel({ client: client.withOptions({ timeout: 60_000 }) });
    await expect(wait(patient.with({ timeoutMs: 40 }))).rejects.toMatchObject(late);
    await server.whenDropped(2);
  });

  it('takes another client, with the changes that come with it', async () => {
    const baseURL = await serve();
    const client = new Anthropic({ apiKey: 'k2', baseURL: 'http://127.0.0.1:1', maxRetries: 0 });
    await ask(new AnthropicChatModel({ apiKey: 'k1' }).with({ client, baseURL }));
    expect(key(0)).toBe('k2');
  });

  it('asks by another transport, as often as it is told', async () => {
    const baseURL = await serve();
    let asked = 0;
    const client = new Anthropic({ apiKey: 'k', baseURL, maxRetries: 0 });
    const fetch: typeof globalThis.fetch = (...request) => {
      asked++;
      return asked === 1 ? Promise.resolve(new Response('', { status: 503 })) : globalThis.fetch(...request);
    };
    await ask(new AnthropicChatModel({ client }).with({ fetch, maxRetries: 1 }));
    expect(asked).toBe(2);
  });
});
