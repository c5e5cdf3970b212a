import { Prompt } from '@vernal/core';
import { OllamaChatModel, OllamaEmbeddingModel, ollamaChatOptions } from '@vernal/model-ollama';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { ollamaChatWire, ollamaEmbedWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(() => server?.close());

describe('a derived chat model', () => {
  it('merges its options over those of the original, which stays as it is', async () => {
    server = await startMockServer(() => ollamaChatWire.call(['ok']));
    const defaultOptions = ollamaChatOptions({ model: 'm', temperature: 1, topP: 0.5, seed: 1, numCtx: 10 });
    const original = new OllamaChatModel({ baseURL: server.url, headers: { 'x-a': '1' }, defaultOptions });
    const before = structuredClone(original.defaultOptions);
    const change = ollamaChatOptions({ temperature: 0, topP: null, seed: null, numCtx: undefined, topK: 3 });
    const derived = original.with({ defaultOptions: change });
    await derived.call(new Prompt('q'));
    await original.call(new Prompt('q'));
    expect(server.requests.map(({ json }) => (json as { options: unknown }).options)).toEqual([
      { temperature: 0, num_ctx: 10, top_k: 3 },
      { temperature: 1, top_p: 0.5, seed: 1, num_ctx: 10 },
    ]);
    expect(server.requests.map(({ headers }) => headers['x-a'])).toEqual(['1', '1']);
    expect(original.defaultOptions).toEqual(before);
  });

  it('replaces what else is given, and keeps what is undefined', async () => {
    server = await startMockServer(() => ollamaChatWire.call(['ok']));
    const original = new OllamaChatModel({
      baseURL: server.url,
      headers: { 'x-a': '1' },
      capabilities: { tools: false },
      defaultOptions: { model: 'm' },
    });
    const derived = original
      .with({ headers: { 'x-b': '2' }, capabilities: { mediaInput: [] } })
      .with({ baseURL: undefined, defaultOptions: undefined, headers: undefined });
    expect(derived.capabilities).toMatchObject({ tools: true, mediaInput: [] });
    expect(original.capabilities).toMatchObject({ tools: false, mediaInput: ['image/*'] });
    await derived.call(new Prompt('q'));
    expect(server.requests[0]?.headers).toMatchObject({ 'x-b': '2' });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-a');
  });

  it('is an OllamaChatModel, so that it may be derived from again', () => {
    const model = new OllamaChatModel({ defaultOptions: { model: 'a' } });
    expect(model.with({}).with({ defaultOptions: { model: 'b' } }).defaultOptions).toEqual({ model: 'b' });
    expect(model.with({})).toBeInstanceOf(OllamaChatModel);
    expect(model.with({})).not.toBe(model);
  });
});

describe('a derived embedding model', () => {
  it('merges its options over those of the original, which stays as it is', async () => {
    server = await startMockServer((request) => ollamaEmbedWire.call(request.json));
    const original = new OllamaEmbeddingModel({
      baseURL: server.url,
      limits: { maxInputs: 2 },
      defaultOptions: { model: 'm', dimensions: 8, providerOptions: { ollama: { truncate: true, numCtx: 5 } } },
    });
    const derived = original.with({
      limits: { maxInputs: 1 },
      defaultOptions: { dimensions: null, providerOptions: { ollama: { truncate: null } } },
    });
    await derived.embed(['a', 'b']);
    await original.embed(['a', 'b']);
    expect(server.requests.map(({ json }) => json)).toEqual([
      { model: 'm', input: ['a'], truncate: false, options: { num_ctx: 5 } },
      { model: 'm', input: ['b'], truncate: false, options: { num_ctx: 5 } },
      { model: 'm', input: ['a', 'b'], truncate: true, dimensions: 8, options: { num_ctx: 5 } },
    ]);
  });
});
