import { getEventListeners } from 'node:events';
import {
  BaseEmbeddingModel,
  type BaseEmbeddingModelOptions,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  ModelError,
  type Observation,
  type ObservationRegistry,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';

type Answer = (request: EmbeddingModelRequest) => EmbeddingResponse | Promise<EmbeddingResponse>;

const vectors = (inputs: readonly string[]): EmbeddingResponse => ({
  embeddings: inputs.map((text, index) => ({ index, vector: Float32Array.of(text.length, 1) })),
  metadata: { model: 'm-1', usage: { promptTokens: 3 } },
});

class FakeModel extends BaseEmbeddingModel {
  readonly provider = 'fake';
  readonly requests: EmbeddingModelRequest[] = [];
  readonly #answer: Answer;
  readonly #table: Readonly<Record<string, number>>;

  constructor(options?: BaseEmbeddingModelOptions, answer: Answer = ({ inputs }) => vectors(inputs), table = {}) {
    super(options);
    this.#answer = answer;
    this.#table = table;
  }

  protected async doCall(request: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    this.requests.push(request);
    return this.#answer(request);
  }

  protected override knownDimensions(model: string | undefined): number | undefined {
    return this.#table[model ?? ''];
  }
}

function recorder(content = false): { registry: ObservationRegistry; seen: Record<string, unknown>[] } {
  const seen: Record<string, unknown>[] = [];
  const registry: ObservationRegistry = {
    enabled: true,
    content,
    start({ kind, name, parent, data }) {
      const entry: Record<string, unknown> = { kind, name, parent, ...data, stops: 0 };
      seen.push(entry);
      const observation: Observation = {
        kind,
        add: (more) => void Object.assign(entry, more),
        event() {},
        error: (error) => void Object.assign(entry, { error }),
        stop: () => void Object.assign(entry, { stops: Number(entry['stops']) + 1 }),
        run: (fn) => fn(),
      };
      return observation;
    },
  };
  return { registry, seen };
}

describe('BaseEmbeddingModel', () => {
  it('merges options: undefined keeps, null unsets', async () => {
    const model = new FakeModel({
      defaultOptions: { model: 'm', dimensions: 2, providerOptions: { fake: { a: 1, b: 1 } } },
    });
    await model.embed(['x'], { model: undefined, dimensions: null, providerOptions: { fake: { b: 2 } } });
    expect(model.requests[0]?.options).toEqual({ model: 'm', providerOptions: { fake: { a: 1, b: 2 } } });
    expect(model.defaultOptions).toEqual({ model: 'm', dimensions: 2, providerOptions: { fake: { a: 1, b: 1 } } });
    expect(model.metadataMode).toBe('embed');
  });

  it('cuts by its limits in embed, and leaves call as it is', async () => {
    const model = new FakeModel({ limits: { maxInputs: 2 } });
    expect(await model.embed(['a', 'bb', 'ccc'])).toEqual([1, 2, 3].map((length) => Float32Array.of(length, 1)));
    expect(model.requests.map(({ inputs }) => inputs)).toEqual([['a', 'bb'], ['ccc']]);
    await model.call({ inputs: ['a', 'b', 'c'] });
    expect(model.requests[2]?.inputs).toEqual(['a', 'b', 'c']);
  });

  it('asks nothing for nothing', async () => {
    const model = new FakeModel();
    expect(await model.embed([])).toEqual([]);
    expect(await model.call({ inputs: [] })).toEqual({ embeddings: [], metadata: { usage: {} } });
    expect(model.requests).toEqual([]);
  });

  it('puts embeddings in the order of the inputs', async () => {
    const model = new FakeModel({}, ({ inputs }) => ({
      ...vectors(inputs),
      embeddings: vectors(inputs).embeddings.toReversed(),
    }));
    const response = await model.call({ inputs: ['a', 'bb'] });
    expect(response.embeddings.map(({ index, vector }) => [index, vector[0]])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(response.metadata).toEqual({ model: 'm-1', usage: { promptTokens: 3 } });
  });

  it.each<[string, readonly { index: number; vector: Float32Array }[]]>([
    ['too few', [{ index: 0, vector: Float32Array.of(1) }]],
    [
      'one twice',
      [
        { index: 1, vector: Float32Array.of(1) },
        { index: 1, vector: Float32Array.of(1) },
      ],
    ],
    [
      'an index that is none',
      [
        { index: 1, vector: Float32Array.of(1) },
        { index: 2, vector: Float32Array.of(1) },
      ],
    ],
    [
      'NaN',
      [
        { index: 0, vector: Float32Array.of(1) },
        { index: 1, vector: Float32Array.of(Number.NaN) },
      ],
    ],
    [
      'different lengths',
      [
        { index: 0, vector: Float32Array.of(1) },
        { index: 1, vector: Float32Array.of(1, 2) },
      ],
    ],
    [
      'nothing in them',
      [
        { index: 0, vector: new Float32Array() },
        { index: 1, vector: new Float32Array() },
      ],
    ],
  ])('refuses %s', async (_, embeddings) => {
    const model = new FakeModel({}, () => ({ embeddings, metadata: { usage: {} } }));
    await expect(model.embed(['a', 'b'])).rejects.toMatchObject({ code: 'model_error', provider: 'fake' });
  });

  it('refuses another length than was asked for', async () => {
    await expect(new FakeModel().embed(['a'], { dimensions: 3 })).rejects.toThrow(/2 dimensions.*3/);
  });

  it('retries by its policy', async () => {
    let left = 2;
    const busy = new ModelError('busy', { provider: 'fake', retryable: true });
    const flaky: Answer = ({ inputs }) => {
      if (left-- > 0) throw busy;
      return vectors(inputs);
    };
    expect(await new FakeModel({ retry: { maxAttempts: 3, initialDelayMs: 0 } }, flaky).embed(['a'])).toHaveLength(1);
    left = 1;
    await expect(new FakeModel({}, flaky).embed(['a'])).rejects.toBe(busy);
  });

  it('rejects at once when aborted, and leaves no listener behind', async () => {
    const controller = new AbortController();
    const model = new FakeModel({}, () => new Promise<never>(() => {}));
    const run = model.embed(['a'], undefined, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(run).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    expect(model.requests[0]?.signal.aborted).toBe(true);
    await expect(model.embed(['a'], undefined, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(model.requests).toHaveLength(1);
    const { signal } = new AbortController();
    await new FakeModel().embed(['a'], undefined, { signal });
    await expect(
      new FakeModel({}, () => Promise.reject(new Error('down'))).embed(['a'], undefined, { signal }),
    ).rejects.toThrow('down');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('dimensions', () => {
  it('come from the options, the table, or an answer, without a probe', async () => {
    const asked = new FakeModel({ defaultOptions: { model: 'm', dimensions: 7 } }, undefined, { m: 9 });
    expect(await asked.dimensions()).toBe(7);
    const known = new FakeModel({ defaultOptions: { model: 'm' } }, undefined, { m: 9 });
    expect(await known.dimensions()).toBe(9);
    expect([...asked.requests, ...known.requests]).toEqual([]);
    const used = new FakeModel();
    await used.embed(['text']);
    expect(await used.dimensions()).toBe(2);
    expect(used.requests).toHaveLength(1);
  });

  it('come from one probe, shared and kept', async () => {
    const model = new FakeModel();
    expect(await Promise.all([model.dimensions(), model.dimensions()])).toEqual([2, 2]);
    expect(await model.dimensions()).toBe(2);
    expect(model.requests).toHaveLength(1);
  });

  it('are asked for again after a failed probe', async () => {
    let fails = true;
    const model = new FakeModel({}, ({ inputs }) => {
      if (fails) throw new Error('down');
      return vectors(inputs);
    });
    await expect(model.dimensions()).rejects.toThrow('down');
    fails = false;
    expect(await model.dimensions({ signal: new AbortController().signal })).toBe(2);
  });

  it('of another model do not count', async () => {
    const model = new FakeModel({ defaultOptions: { model: 'm' } }, ({ inputs, options }) =>
      options.model === 'big'
        ? { embeddings: inputs.map((_, index) => ({ index, vector: new Float32Array(9) })), metadata: { usage: {} } }
        : vectors(inputs),
    );
    await model.embed(['a'], { model: 'big' });
    expect(await model.dimensions()).toBe(2);
  });
});

describe('observation', () => {
  it('is of kind embedding_model, without contents, and stops once', async () => {
    const { registry, seen } = recorder();
    const parent = registry.start({ kind: 'x', name: 'parent', data: {} });
    const model = new FakeModel({ defaultOptions: { model: 'm' }, observationRegistry: registry });
    await model.embed(['secret', 'b'], undefined, { observation: parent });
    expect(seen[1]).toEqual({
      kind: 'embedding_model',
      name: 'm',
      parent,
      provider: 'fake',
      count: 2,
      requestModel: 'm',
      responseModel: 'm-1',
      dimensions: 2,
      usage: { promptTokens: 3 },
      stops: 1,
    });
  });

  it('tells of errors, and of inputs when contents are on', async () => {
    const { registry, seen } = recorder(true);
    const error = new Error('down');
    const model = new FakeModel({ observationRegistry: registry }, () => Promise.reject(error));
    await expect(model.embed(['a'])).rejects.toBe(error);
    expect(seen).toMatchObject([{ name: 'fake', inputs: ['a'], error, stops: 1 }]);
  });
});
