// What holds for the models of images, speech, transcripts and moderation alike.
import type { ModelError, VernalError } from '@vernal/core';
import {
  OpenAiImageModel,
  OpenAiModerationModel,
  OpenAiSpeechModel,
  OpenAiTranscriptionModel,
} from '@vernal/model-openai';
import { RecordingObservationRegistry } from '@vernal/testing';
import { gate, type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { openAiEmbeddingsWire } from '@vernal/testing/wires';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { failure, PROMPT, sound, WAYS } from './task-ways.js';

const SECRET = 'sk-very-secret';
const WIRE_SECRET = 'sk-wire-secret';

describe.each(WAYS)('a $name', ({ ask, good, path, kind, misspelt, name }) => {
  const failing = async (...replies: readonly MockExchange[]): Promise<unknown> => {
    await using server = await startMockServer(replies);
    return await failure(ask({ baseURL: `${server.url}/v1`, apiKey: SECRET, maxRetries: 0 }));
  };

  it('goes to its path with the key, organization, project, headers and query of the connection', async () => {
    await using server = await startMockServer([good]);
    await ask({
      baseURL: `${server.url}/v1`,
      apiKey: SECRET,
      organization: 'org',
      project: 'pro',
      headers: { 'x-a': 'b' },
      query: { v: '1' },
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: `${path}?v=1`,
      headers: { authorization: `Bearer ${SECRET}`, 'openai-organization': 'org', 'openai-project': 'pro', 'x-a': 'b' },
    });
  });

  it.each([
    ['authentication', { code: 'model_authentication', status: 401, retryable: false }],
    ['rate-limit', { code: 'model_rate_limit', status: 429, retryable: true, retryAfterMs: 7_000 }],
    ['overloaded', { code: 'model_overloaded', status: 503, retryable: true }],
    ['bad-request', { code: 'model_bad_request', status: 400, retryable: false }],
    ['not-found', { code: 'model_not_found', status: 404, retryable: false }],
  ] as const)('that fails by %s says so, without a secret', async (fault, wanted) => {
    const error = (await failing(openAiEmbeddingsWire.error(fault))) as ModelError;
    expect(error).toMatchObject({ ...wanted, provider: 'openai', requestId: 'req_wire_1' });
    const words = `${error.message} ${JSON.stringify(error)} ${error.stack} ${String(error.cause)}`;
    for (const secret of [SECRET, WIRE_SECRET, PROMPT, 'Incorrect API key']) expect(words).not.toContain(secret);
  });

  it('whose prompt a filter refuses is `model_content_filter`', async () => {
    const json = { error: { message: PROMPT, type: 'user_error', code: 'content_policy_violation' } };
    expect(await failing({ status: 400, json })).toMatchObject({ code: 'model_content_filter', status: 400 });
  });

  it('that reports an error with status 200 is that error', async () => {
    const json = { error: { message: PROMPT, type: 'server_error', code: 'lost' } };
    expect(await failing({ headers: { 'x-request-id': 'req_1' }, json })).toMatchObject({
      code: 'model_error',
      requestId: 'req_1',
      retryable: true,
      details: { provider_code: 'lost' },
    });
  });

  it.each([
    ['a web page', { headers: { 'content-type': 'text/html' }, parts: ['<html>hello</html>'] }],
    ['other JSON', { json: { hello: 'world' } }],
    ['a list', { json: [] }],
    ['null', { json: null }],
    ['cut JSON', { headers: { 'content-type': 'application/json' }, parts: ['{"text": "ha', { end: 'close' }] }],
  ] as const)('answered by %s is an error of the address, not to be repeated', async (_what, reply) => {
    expect(await failing(reply as MockExchange)).toMatchObject({
      code: 'model_error',
      subject: 'baseURL',
      retryable: false,
    });
  });

  it('that nobody answers is a failed connection', async () => {
    expect(await failing({ drop: true })).toMatchObject({ code: 'model_connection', retryable: true });
  });

  it('is repeated by the SDK, or by the policy of the model in its place', async () => {
    const down: MockExchange = { status: 503, headers: { 'retry-after-ms': '1' }, json: { error: {} } };
    await using bySdk = await startMockServer([down, down, good]);
    await ask({ baseURL: `${bySdk.url}/v1` });
    bySdk.assertComplete();
    await using byPolicy = await startMockServer([down, down, down, good]);
    const retry = { maxAttempts: 4, initialDelayMs: 0 };
    await ask({ baseURL: `${byPolicy.url}/v1`, retry });
    byPolicy.assertComplete();
    await using never = await startMockServer([down]);
    const once = { baseURL: `${never.url}/v1`, retry: { maxAttempts: 1 } };
    expect(await failure(ask(once))).toMatchObject({ code: 'model_overloaded' });
    never.assertComplete();
  });

  it('aborted before it begins sends nothing', async () => {
    await using server = await startMockServer([good]);
    const context = { signal: AbortSignal.abort('enough') };
    const error = (await failure(ask({ baseURL: `${server.url}/v1` }, context))) as VernalError;
    expect(error).toMatchObject({ code: 'aborted', subject: 'signal', cause: 'enough' });
    expect(server.requests).toHaveLength(0);
  });

  it('aborted while it waits lets go of the connection', async () => {
    const held = gate();
    await using server = await startMockServer([{ ...good, hold: held }]);
    const abort = new AbortController();
    const listeners = counted(abort.signal);
    const asking = failure(ask({ baseURL: `${server.url}/v1`, maxRetries: 0 }, { signal: abort.signal }));
    await held.reached;
    expect(listeners()).toBeGreaterThan(0);
    abort.abort('enough');
    expect(await asking).toMatchObject({ code: 'aborted', cause: 'enough' });
    await server.whenDropped(1);
  });

  it('that ends leaves nothing on a signal that goes on', async () => {
    await using server = await startMockServer([good, { status: 400, json: {} }]);
    const { signal } = new AbortController();
    const listeners = counted(signal);
    const options = { baseURL: `${server.url}/v1`, maxRetries: 0 };
    await ask(options, { signal });
    await failure(ask(options, { signal }));
    expect(listeners()).toBe(0);
  });

  it('that takes too long is `timeout`', async () => {
    await using server = await startMockServer([{ ...good, hold: gate() }]);
    const error = await failure(ask({ baseURL: `${server.url}/v1`, maxRetries: 0, timeoutMs: 20 }));
    expect(error).toMatchObject({ code: 'timeout', subject: 'timeoutMs', retryable: true });
  });

  it('with an option that does not exist is refused before anything is sent', async () => {
    await using server = await startMockServer([good]);
    const error = (await failure(misspelt({ baseURL: `${server.url}/v1` }))) as VernalError;
    expect(error).toMatchObject({ code: 'invalid_argument', subject: 'options.modle' });
    expect(error.message).toContain('there are model');
    expect(server.requests).toHaveLength(0);
  });

  it('is observed, with contents only where they are wanted', async () => {
    await using server = await startMockServer(() => good);
    for (const content of [false, true]) {
      const observationRegistry = new RecordingObservationRegistry({ content });
      await ask({ baseURL: `${server.url}/v1`, observationRegistry });
      expect(observationRegistry.observations).toHaveLength(1);
      const [seen] = observationRegistry.observations;
      observationRegistry.assertAllStopped();
      expect(seen).toMatchObject({ kind, data: { provider: 'openai', requestModel: expect.any(String) } });
      expect(JSON.stringify(seen?.data).includes(PROMPT)).toBe(content);
    }
  });

  it('that fails is observed, too', async () => {
    await using server = await startMockServer([{ status: 400, json: {} }]);
    const observationRegistry = new RecordingObservationRegistry();
    const error = await failure(ask({ baseURL: `${server.url}/v1`, observationRegistry }));
    observationRegistry.assertAllStopped();
    expect(observationRegistry.observations[0]?.error).toBe(error);
  });

  it("goes through a transport of one's own, which sees this request only", async () => {
    await using server = await startMockServer([good]);
    const seen: string[] = [];
    await ask({
      baseURL: `${server.url}/v1`,
      fetch: (url, init) => {
        seen.push(String(url));
        return fetch(url, init);
      },
    });
    expect(seen, name).toEqual([`${server.url}${path}`]);
  });

  it("goes through a client of one's own, which stays open", async () => {
    await using server = await startMockServer([good, good]);
    const client = new OpenAI({ apiKey: SECRET, baseURL: `${server.url}/v1`, defaultHeaders: { 'x-own': '1' } });
    await ask({ client });
    await ask({ client });
    expect(server.requests.map(({ headers }) => headers['x-own'])).toEqual(['1', '1']);
  });
});

const MODELS = [OpenAiImageModel, OpenAiSpeechModel, OpenAiTranscriptionModel, OpenAiModerationModel];

describe.each(MODELS)('%o', (Model) => {
  it('needs a key, a client or an address', () => {
    expect(() => new Model()).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'apiKey' }));
    expect(() => new Model({ apiKey: ' ' })).toThrow(expect.objectContaining({ subject: 'apiKey' }));
    expect(() => new Model({ baseURL: 'localhost' })).toThrow(expect.objectContaining({ subject: 'baseURL' }));
    expect(new Model({ apiKey: 'k' }).provider).toBe('openai');
  });

  it('refuses default options that do not exist', () => {
    const defaultOptions = { modle: 'x' } as never;
    expect(() => new Model({ apiKey: 'k', defaultOptions })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'options.modle' }),
    );
  });

  it('gives models like it, of which it knows nothing', () => {
    const first = new Model({ apiKey: 'k', defaultOptions: { model: 'one' } });
    const second = first.with({ defaultOptions: { model: 'two' } });
    expect(second).toBeInstanceOf(Model);
    expect([first.defaultOptions.model, second.defaultOptions.model]).toEqual(['one', 'two']);
  });

  it('refuses a call when no model is named', async () => {
    const model = new Model({ apiKey: 'k', defaultOptions: { model: null } });
    const call = model.call.bind(model) as (input: unknown) => Promise<unknown>;
    const input = model instanceof OpenAiTranscriptionModel ? sound : 'q';
    await expect(call(input)).rejects.toMatchObject({ code: 'invalid_argument', subject: 'model' });
  });
});

/** How many listeners for its abort a signal has now. */
function counted(signal: AbortSignal): () => number {
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (type: string, listener: never, options?: never): void => {
    listeners.add(listener);
    addEventListener.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: never, options?: never): void => {
    listeners.delete(listener);
    removeEventListener.call(signal, type, listener, options);
  };
  return () => listeners.size;
}
