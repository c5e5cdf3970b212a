import { getEventListeners } from 'node:events';
import { Prompt } from '@vernal/core';
import {
  OllamaChatModel,
  type OllamaChatModelOptions,
  OllamaEmbeddingModel,
  type OllamaPullProgress,
} from '@vernal/model-ollama';
import { gate } from '@vernal/testing/mock-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type OllamaServer, PULLED, pullLines, startOllama } from './ollama-server.js';

let server: OllamaServer;
afterEach(() => server?.close());

type Shared = Pick<
  OllamaChatModelOptions,
  'pull' | 'additionalModels' | 'pullTimeoutMs' | 'pullRetries' | 'onPullProgress'
>;

interface Asked {
  ask(signal?: AbortSignal): Promise<unknown>;
  ready(signal?: AbortSignal): Promise<void>;
  with(change: object): Asked;
}

const askChat = (model: OllamaChatModel): Asked => ({
  ask: (signal) => model.call(new Prompt('q'), { signal }),
  ready: (signal) => model.ready(signal),
  with: (change) => askChat(model.with(change)),
});
const askStream = (model: OllamaChatModel): Asked => ({
  ...askChat(model),
  async ask(signal) {
    for await (const _ of model.stream(new Prompt('q'), { signal }));
  },
  with: (change) => askStream(model.with(change)),
});
const askEmbedding = (model: OllamaEmbeddingModel): Asked => ({
  ask: (signal) => model.embed(['a'], undefined, { signal }),
  ready: (signal) => model.ready(signal),
  with: (change) => askEmbedding(model.with(change)),
});

const connection = (options: Shared) => ({ baseURL: server.url, defaultOptions: { model: 'm' }, ...options });
const KINDS: readonly (readonly [string, string, (options: Shared) => Asked])[] = [
  ['a call', '/api/chat', (options) => askChat(new OllamaChatModel(connection(options)))],
  ['a stream', '/api/chat', (options) => askStream(new OllamaChatModel(connection(options)))],
  ['an embedding', '/api/embed', (options) => askEmbedding(new OllamaEmbeddingModel(connection(options)))],
];

describe.each(KINDS)('%s', (_, path, make) => {
  it('pulls nothing unless it is told to', async () => {
    server = await startOllama([]);
    const model = make({});
    await model.ready();
    expect(server.requests).toHaveLength(0);
    await expect(model.ask()).rejects.toMatchObject({ code: 'model_not_found', subject: 'model' });
    expect(server.paths()).toEqual([path]);
  });

  it('pulls what is missing, at its first use and once', async () => {
    server = await startOllama([]);
    const model = make({ pull: 'whenMissing' });
    expect(server.requests).toHaveLength(0);
    await model.ask();
    await model.ask();
    expect(server.paths()).toEqual(['/api/tags', '/api/pull', path, path]);
  });

  it('leaves what is there', async () => {
    server = await startOllama(['m']);
    const model = make({ pull: 'whenMissing' });
    await model.ask();
    await model.ask();
    expect(server.paths()).toEqual(['/api/tags', path, path]);
  });

  it('brings it up to date, once', async () => {
    server = await startOllama(['m']);
    const model = make({ pull: 'always' });
    await model.ask();
    await model.ask();
    expect(server.paths()).toEqual(['/api/pull', path, path]);
  });

  it('pulls once for all who wait', async () => {
    server = await startOllama([]);
    const model = make({ pull: 'always' });
    await Promise.all([model.ask(), model.ready(), model.ask(), model.ask()]);
    expect(server.paths().filter((one) => one === '/api/pull')).toHaveLength(1);
    expect(server.paths().filter((one) => one === path)).toHaveLength(3);
  });

  it('that is aborted leaves the others their pull', async () => {
    const hold = gate();
    server = await startOllama(['m'], () => ({ ...pullLines(...PULLED), hold }));
    const model = make({ pull: 'always' });
    const controller = new AbortController();
    const left = model.ask(controller.signal);
    const stays = model.ask();
    await hold.reached;
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: 'aborted' });
    hold.open();
    await stays;
    expect(server.dropped).toBe(0);
    expect(server.paths()).toEqual(['/api/pull', path]);
  });

  it('that was the last to wait ends the pull, and the next one pulls anew', async () => {
    server = await startOllama(['m'], (__, attempt) =>
      attempt === 0 ? pullLines({ status: 'pulling manifest' }, { end: 'hang' }) : pullLines(...PULLED),
    );
    const model = make({ pull: 'always' });
    const controller = new AbortController();
    const left = [model.ask(controller.signal), model.ready(controller.signal)];
    await server.whenRequested(1);
    controller.abort();
    for (const one of left) await expect(one).rejects.toMatchObject({ code: 'aborted' });
    await server.whenDropped(1);
    await model.ask();
    expect(server.paths()).toEqual(['/api/pull', '/api/pull', path]);
  });

  it('whose signal has fired asks for nothing', async () => {
    server = await startOllama([]);
    const model = make({ pull: 'always' });
    await expect(model.ask(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
    await expect(model.ready(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(0);
  });

  it('fails when the pull does, for all who wait, and the next one tries again', async () => {
    server = await startOllama(['m'], (__, attempt) =>
      attempt === 0 ? pullLines({ error: 'no space left on device' }) : pullLines(...PULLED),
    );
    const model = make({ pull: 'always' });
    const results = await Promise.allSettled([model.ask(), model.ask()]);
    expect(results.map((one) => one.status === 'rejected' && one.reason.code)).toEqual(['model_error', 'model_error']);
    await model.ask();
    expect(server.paths()).toEqual(['/api/pull', '/api/pull', path]);
  });

  it('pulls again after the server lost the model', async () => {
    server = await startOllama([]);
    const model = make({ pull: 'whenMissing' });
    await model.ask();
    server.models.clear();
    await expect(model.ask()).rejects.toMatchObject({ code: 'model_not_found' });
    await model.ask();
    expect(server.paths().filter((one) => one === '/api/pull')).toHaveLength(2);
  });

  it('is ready when it and the additional models are there', async () => {
    server = await startOllama(['b']);
    const heard: OllamaPullProgress[] = [];
    const onPullProgress = (progress: OllamaPullProgress): void => {
      if (progress.status === 'success') heard.push(progress);
    };
    const model = make({ pull: 'whenMissing', additionalModels: ['b', 'c', 'm'], onPullProgress });
    await model.ready();
    expect(heard.map((one) => one.model)).toEqual(['m', 'c']);
    expect([...server.models].sort()).toEqual(['b:latest', 'c:latest', 'm:latest']);
    const before = server.requests.length;
    await model.ready();
    await model.ask();
    expect(server.paths().slice(before)).toEqual([path]);
  });

  it('of a derived model goes on with the pulls of its original, unless the change concerns them', async () => {
    server = await startOllama([]);
    const model = make({ pull: 'always' });
    await model.ask();
    await model.with({ defaultOptions: { providerOptions: { ollama: { numCtx: 1 } } } }).ask();
    expect(server.paths()).toEqual(['/api/pull', path, path]);
    await model.with({ headers: { 'x-a': 'b' } }).ask();
    expect(server.paths()).toEqual(['/api/pull', path, path, '/api/pull', path]);
    await model.with({ pull: 'never', defaultOptions: { model: 'other' } }).ready();
    await model.with({ defaultOptions: { model: 'other' } }).ask();
    expect(server.requests[5]?.json).toMatchObject({ model: 'other' });
  });

  it('waits no longer than pullTimeoutMs for news', async () => {
    server = await startOllama([], () => pullLines({ status: 'pulling manifest' }, { end: 'hang' }));
    await expect(make({ pull: 'always', pullTimeoutMs: 20 }).ask()).rejects.toMatchObject({
      code: 'timeout',
      subject: 'pullTimeoutMs',
    });
    await server.whenDropped(1);
  });

  it('refuses a strategy that there is not, and limits that cannot be', async () => {
    server = await startOllama([]);
    expect(() => make({ pull: 'sometimes' as 'always' })).toThrow(expect.objectContaining({ subject: 'pull' }));
    expect(() => make({ pullRetries: -1 })).toThrow(expect.objectContaining({ subject: 'pullRetries' }));
  });
});

it('a model named by the call is pulled, not the default one', async () => {
  server = await startOllama([]);
  const model = new OllamaChatModel({ baseURL: server.url, pull: 'whenMissing', defaultOptions: { model: 'm' } });
  await model.call(new Prompt('q', { model: 'n' }));
  expect([...server.models]).toEqual(['n:latest']);
});

it('without a model there is nothing to be ready for', async () => {
  await expect(new OllamaChatModel({ pull: 'always' }).ready()).rejects.toMatchObject({
    code: 'invalid_argument',
    subject: 'model',
  });
});

it('a signal that outlives many calls keeps no listener', async () => {
  server = await startOllama([]);
  const { signal } = new AbortController();
  for (let round = 0; round < 5; round++) {
    const model = new OllamaChatModel({ baseURL: server.url, pull: 'always', defaultOptions: { model: 'm' } });
    await Promise.all([model.ready(signal), model.call(new Prompt('q'), { signal })]);
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
