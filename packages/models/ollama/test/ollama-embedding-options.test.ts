import { OllamaEmbeddingModel, type OllamaEmbeddingOptions, ollamaEmbeddingOptions } from '@vernal/model-ollama';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { ollamaEmbedWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';

let server: MockServer | undefined;
afterEach(() => server?.close());

async function connected(): Promise<OllamaEmbeddingModel> {
  server = await startMockServer((request) => ollamaEmbedWire.call(request.json));
  return new OllamaEmbeddingModel({ baseURL: server.url, defaultOptions: { model: 'm' } });
}

const ROWS: {
  readonly [K in keyof OllamaEmbeddingOptions]: readonly [OllamaEmbeddingOptions[K], 'options' | 'request', string];
} = {
  truncate: [true, 'request', 'truncate'],
  keepAlive: ['10m', 'request', 'keep_alive'],
  numa: [true, 'options', 'numa'],
  numCtx: [2048, 'options', 'num_ctx'],
  numBatch: [256, 'options', 'num_batch'],
  numGpu: [0, 'options', 'num_gpu'],
  mainGpu: [1, 'options', 'main_gpu'],
  lowVram: [true, 'options', 'low_vram'],
  f16Kv: [false, 'options', 'f16_kv'],
  logitsAll: [true, 'options', 'logits_all'],
  vocabOnly: [false, 'options', 'vocab_only'],
  useMmap: [false, 'options', 'use_mmap'],
  useMlock: [true, 'options', 'use_mlock'],
  numThread: [4, 'options', 'num_thread'],
};

describe('embedding options of Ollama', () => {
  it.each(Object.entries(ROWS))('%s arrives under its name, and nothing else does', async (option, row) => {
    const [value, place, name] = row;
    await (await connected()).embed(['a'], ollamaEmbeddingOptions({ [option]: value }));
    const base = { model: 'm', input: ['a'], truncate: false };
    expect(server?.requests[0]?.json).toEqual(
      place === 'request' ? { ...base, [name]: value } : { ...base, options: { [name]: value } },
    );
  });

  it('dimensions are portable and shorten the vectors', async () => {
    const [vector] = await (await connected()).embed(['a'], ollamaEmbeddingOptions({ dimensions: 16 }));
    expect(vector).toHaveLength(16);
    expect(server?.requests[0]?.json).toMatchObject({ dimensions: 16 });
  });

  it('texts are refused rather than cut, unless truncate says so; null goes back to that', async () => {
    const model = (await connected()).with({
      defaultOptions: ollamaEmbeddingOptions({ truncate: true, keepAlive: 5 }),
    });
    await model.embed(['a']);
    await model.embed(['a'], ollamaEmbeddingOptions({ truncate: null }));
    expect(server?.requests.map(({ json }) => json)).toMatchObject([
      { truncate: true, keep_alive: 5 },
      { truncate: false, keep_alive: 5 },
    ]);
  });

  it('own options beside those of other providers stay apart', () => {
    const options = ollamaEmbeddingOptions({
      model: 'm',
      dimensions: 8,
      numCtx: 1,
      providerOptions: { openai: { user: 'u' }, ollama: { numGpu: 2 } },
    });
    expect(options).toEqual({
      model: 'm',
      dimensions: 8,
      providerOptions: { openai: { user: 'u' }, ollama: { numGpu: 2, numCtx: 1 } },
    });
    expect(ollamaEmbeddingOptions({ model: 'm', truncate: undefined })).toEqual({ model: 'm' });
  });

  it('durations are in the metadata, in milliseconds', async () => {
    const { metadata } = await (await connected()).call({ inputs: ['a'] });
    expect(metadata).toMatchObject({ model: 'm', totalDurationMs: 14.143917, loadDurationMs: 1.0195 });
  });

  it('limits that are undefined are the default ones', async () => {
    expect(new OllamaEmbeddingModel({ limits: undefined }).limits).toEqual({ maxInputs: 512 });
  });
});
