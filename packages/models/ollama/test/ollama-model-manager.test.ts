import { getEventListeners } from 'node:events';
import { OllamaModelManager, type OllamaPullProgress } from '@vernal/model-ollama';
import { gate, type MockReply, startMockServer } from '@vernal/testing/mock-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type OllamaServer, PULLED, type PullScript, pullLines, startOllama } from './ollama-server.js';

let server: OllamaServer;
afterEach(() => server?.close());

async function manage(installed: readonly string[], pull?: PullScript): Promise<OllamaModelManager> {
  server = await startOllama(installed, pull);
  return new OllamaModelManager({ baseURL: `${server.url}/`, headers: { authorization: 'Bearer t' } });
}

describe('the models of a server', () => {
  it('are listed', async () => {
    const manager = await manage(['llama3.2']);
    expect(await manager.listModels()).toEqual([
      {
        name: 'llama3.2:latest',
        sizeBytes: 2019393189,
        digest: 'a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72',
        modifiedAt: '2025-05-04T17:37:44.706015396-07:00',
        details: {
          format: 'gguf',
          family: 'llama',
          families: ['llama'],
          parameterSize: '3.2B',
          quantizationLevel: 'Q4_K_M',
        },
      },
    ]);
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/api/tags', text: '' });
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer t');
  });

  it('are listed while they run', async () => {
    expect(await (await manage(['gemma3'])).listRunningModels()).toMatchObject([
      {
        name: 'gemma3:latest',
        vramBytes: 5137025024,
        contextLength: 4096,
        expiresAt: '2025-06-04T14:38:31.83753-07:00',
      },
    ]);
  });

  it('are described', async () => {
    expect(await (await manage(['llama3.2'])).showModel('llama3.2')).toMatchObject({
      capabilities: ['completion', 'tools'],
      details: { family: 'llama' },
      modelInfo: { 'llama.context_length': 131072 },
      parameters: 'temperature 0.7\nnum_ctx 2048',
      template: '{{ .Prompt }}',
      license: 'Llama 3.2 Community License',
    });
    expect(server.requests[0]?.json).toEqual({ model: 'llama3.2' });
  });

  it('one that is not there cannot be described', async () => {
    await expect((await manage([])).showModel('llama9')).rejects.toMatchObject({
      code: 'model_not_found',
      subject: 'model',
      status: 404,
      details: { model: 'llama9' },
    });
  });

  it.each([
    ['llama3.2', true],
    [' llama3.2 ', true],
    ['Llama3.2:Latest', true],
    ['llama3.2:latest', true],
    ['library/llama3.2', true],
    ['registry.ollama.ai/library/llama3.2', true],
    ['llama3.2:1b', false],
    ['llama3', false],
    ['qwen3:8b', true],
    ['qwen3', false],
    ['localhost:5000/me/own', true],
    ['localhost:5000/me/own:latest', true],
    ['me/own', false],
  ])('%j is there: %s', async (name, there) => {
    const manager = await manage(['llama3.2', 'qwen3:8b', 'localhost:5000/me/own:latest']);
    expect(await manager.isModelAvailable(name)).toBe(there);
  });

  it('are deleted, and one that is not there is no fault', async () => {
    const manager = await manage(['llama3.2', 'other']);
    expect(await manager.deleteModel('llama3.2')).toBe(true);
    expect(await manager.deleteModel('llama3.2')).toBe(false);
    expect([...server.models]).toEqual(['other:latest']);
    expect(server.requests[0]).toMatchObject({ method: 'DELETE', path: '/api/delete', json: { model: 'llama3.2' } });
  });

  it('an address that does not exist is not taken for a model that is gone', async () => {
    await using odd = await startMockServer([{ status: 404, parts: ['<html>'], headers: {} }]);
    const manager = new OllamaModelManager({ baseURL: odd.url });
    await expect(manager.deleteModel('m')).rejects.toMatchObject({ code: 'model_not_found', status: 404 });
  });

  it.each(['', '  '])('the name %j is none', async (name) => {
    const manager = await manage([]);
    const fault = { code: 'invalid_argument', subject: 'model' };
    await expect(manager.showModel(name)).rejects.toMatchObject(fault);
    await expect(manager.isModelAvailable(name)).rejects.toMatchObject(fault);
    await expect(manager.pullModel(name)).rejects.toMatchObject(fault);
    await expect(manager.deleteModel(name)).rejects.toMatchObject(fault);
    expect(() => manager.streamPull(name)).toThrow();
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['a page', { parts: ['<html>'], headers: { 'content-type': 'text/html' } }],
    ['a list', { json: [] }],
    ['no models', { json: {} }],
    ['a model without a name', { json: { models: [{}] } }],
    ['null among the models', { json: { models: [null] } }],
  ] satisfies [string, MockReply][])('%s is not the API, and not to be repeated', async (_, reply) => {
    await using odd = await startMockServer([reply]);
    const manager = new OllamaModelManager({ baseURL: odd.url });
    await expect(manager.listModels()).rejects.toMatchObject({ code: 'model_error', retryable: false });
  });

  it('none at all may be null', async () => {
    await using fresh = await startMockServer([{ json: { models: null } }]);
    expect(await new OllamaModelManager({ baseURL: fresh.url }).listModels()).toEqual([]);
  });

  it('what waits ends with its signal', async () => {
    const hold = gate();
    await using slow = await startMockServer(() => ({ json: { models: [] }, hold }));
    const manager = new OllamaModelManager({ baseURL: slow.url });
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = [manager.listModels({ signal }), manager.deleteModel('m', { signal })];
    await slow.whenRequested(2);
    controller.abort(new Error('enough'));
    for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'aborted' });
    await expect(manager.showModel('m', { signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(slow.requests).toHaveLength(2);
    await slow.whenDropped(2);
  });

  it('a server that is not there cannot be reached', async () => {
    const manager = await manage([]);
    await server.close();
    await expect(manager.listModels()).rejects.toMatchObject({ code: 'model_connection', retryable: true });
    await expect(manager.pullModel('m')).rejects.toMatchObject({ code: 'model_connection', retryable: true });
  });
});

describe('a pull', () => {
  it('tells how far it is', async () => {
    const manager = await manage([]);
    const heard: OllamaPullProgress[] = [];
    expect(await manager.pullModel('llama3.2', { onProgress: (progress) => heard.push(progress) })).toBe(true);
    expect(heard.map(({ status }) => status)).toEqual(PULLED.map((line) => Reflect.get(line, 'status')));
    expect(heard[2]).toEqual({
      model: 'llama3.2',
      status: 'pulling 8934d96d3f08',
      digest: 'sha256:8934d96d3f08',
      totalBytes: 2019377376,
      completedBytes: 1000000000,
    });
    expect(server.requests[0]).toMatchObject({ path: '/api/pull', json: { model: 'llama3.2', stream: true } });
  });

  it('comes as a stream, which asks for nothing before it is read', async () => {
    const manager = await manage([]);
    const stream = manager.streamPull('llama3.2');
    expect(server.requests).toHaveLength(0);
    const statuses: string[] = [];
    for await (const { status } of stream) statuses.push(status);
    expect(statuses.at(-1)).toBe('success');
  });

  it('ends when its stream is left', async () => {
    const hold = gate();
    const manager = await manage([], () => pullLines({ status: 'pulling manifest' }, { hold }, { status: 'success' }));
    for await (const { status } of manager.streamPull('m')) {
      expect(status).toBe('pulling manifest');
      break;
    }
    await server.whenDropped(1);
  });

  it('ends with its signal', async () => {
    const manager = await manage([], () => pullLines({ status: 'pulling manifest' }, { end: 'hang' }));
    const controller = new AbortController();
    const pulling = manager.pullModel('m', {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(pulling).rejects.toMatchObject({ code: 'aborted' });
    await server.whenDropped(1);
  });

  it.each([
    ['always', ['llama3.2'], ['/api/pull'], true],
    ['always', [], ['/api/pull'], true],
    ['whenMissing', ['llama3.2'], ['/api/tags'], false],
    ['whenMissing', [], ['/api/tags', '/api/pull'], true],
    ['never', [], [], false],
  ] as const)('%s, with %j on the server, asks for %j', async (strategy, installed, paths, pulled) => {
    const manager = await manage(installed);
    expect(await manager.pullModel('llama3.2', { strategy })).toBe(pulled);
    expect(server.paths()).toEqual(paths);
  });

  it('of a model that the registry does not have is model_not_found, and not repeated', async () => {
    server = await startOllama([], () =>
      pullLines({ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }),
    );
    const manager = new OllamaModelManager({ baseURL: server.url, pullRetries: 3 });
    await expect(manager.pullModel('llama9')).rejects.toMatchObject({
      code: 'model_not_found',
      subject: 'model',
      retryable: false,
      details: { model: 'llama9' },
      message: expect.not.stringContaining('manifest'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['an error of the server', pullLines({ error: 'write: no space left on device' }), 'model_error', true],
    ['an early end', pullLines({ status: 'pulling manifest' }), 'model_stream_interrupted', true],
    ['a lost connection', pullLines({ status: 'writing' }, { end: 'cut' }), 'model_stream_interrupted', true],
    ['a line that breaks off', pullLines('{"status":"succ'), 'model_stream_interrupted', true],
    ['a line that is no JSON', pullLines('oops\n'), 'model_stream_interrupted', false],
    ['a line without a status', pullLines({ done: true }), 'model_stream_interrupted', false],
    ['status 500', { status: 500, json: { error: 'out of order' } }, 'model_error', true],
  ] satisfies [string, MockReply, string, boolean][])('%s is an error', async (_, reply, code, retryable) => {
    const manager = await manage([], () => reply);
    await expect(manager.pullModel('m')).rejects.toMatchObject({ code, retryable, provider: 'ollama' });
    expect(server.requests).toHaveLength(1);
  });

  it('is tried again as often as pullRetries says, with the waits that the server asks for', async () => {
    const busy: MockReply = { status: 503, json: { error: 'busy' }, headers: { 'retry-after': '0' } };
    server = await startOllama([], (_, attempt) => (attempt < 2 ? busy : pullLines(...PULLED)));
    expect(await new OllamaModelManager({ baseURL: server.url, pullRetries: 2 }).pullModel('m')).toBe(true);
    expect(server.requests).toHaveLength(3);
    await server.close();
    server = await startOllama([], () => busy);
    const manager = new OllamaModelManager({ baseURL: server.url, pullRetries: 1 });
    await expect(manager.pullModel('m')).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(2);
  });

  it('that nothing is heard of is a time-out, and lets the connection go', async () => {
    server = await startOllama([], () => pullLines({ status: 'pulling manifest' }, { end: 'hang' }));
    const manager = new OllamaModelManager({ baseURL: server.url, pullTimeoutMs: 20 });
    await expect(manager.pullModel('m')).rejects.toMatchObject({
      code: 'timeout',
      subject: 'pullTimeoutMs',
      retryable: true,
    });
    await server.whenDropped(1);
  });

  it('is not cut by the time-out of answers', async () => {
    const hold = gate();
    server = await startOllama([], () => ({ ...pullLines(...PULLED), hold }));
    const manager = new OllamaModelManager({ baseURL: server.url, timeoutMs: 1 });
    const pulling = manager.pullModel('m');
    await hold.reached;
    await expect(manager.listModels({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    hold.open();
    expect(await pulling).toBe(true);
  });

  it('tells a logger the name, and words of the server only when they are wanted', async () => {
    const told: unknown[] = [];
    const logger = { debug() {}, warn() {}, info: (message: string, data?: object) => told.push([message, data]) };
    server = await startOllama([], () => pullLines({ error: 'no room' }));
    const manager = new OllamaModelManager({ baseURL: server.url, logger, providerMessages: true });
    await expect(manager.pullModel('m')).rejects.toThrow(/\(no room\)/);
    expect(told).toEqual([['Ollama begins to pull a model', { model: 'm' }]]);
  });

  it('an error of who listens is thrown as it is, and ends the pull', async () => {
    const manager = await manage([], () => pullLines({ status: 'pulling manifest' }, { end: 'hang' }));
    const fault = new Error('cannot draw');
    const onProgress = (): void => {
      throw fault;
    };
    await expect(manager.pullModel('m', { onProgress })).rejects.toBe(fault);
    await server.whenDropped(1);
  });

  it.each([
    ['pullTimeoutMs', { pullTimeoutMs: 0 }],
    ['pullTimeoutMs', { pullTimeoutMs: Number.NaN }],
    ['pullRetries', { pullRetries: -1 }],
    ['pullRetries', { pullRetries: 1.5 }],
  ])('%s cannot be %j', (subject, options) => {
    expect(() => new OllamaModelManager(options)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('a strategy that there is not is refused', async () => {
    const strategy = 'sometimes' as 'always';
    await expect((await manage([])).pullModel('m', { strategy })).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'strategy',
    });
  });
});

it('a signal that outlives many requests keeps no listener', async () => {
  const manager = await manage(['llama3.2']);
  const { signal } = new AbortController();
  for (let round = 0; round < 5; round++) {
    await manager.listModels({ signal });
    await manager.showModel('llama3.2', { signal });
    await manager.showModel('no-such-model', { signal }).catch(() => undefined);
    await manager.pullModel('llama3.2', { signal });
    for await (const _ of manager.streamPull('llama3.2', { signal })) break;
    await manager.deleteModel('other', { signal });
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
