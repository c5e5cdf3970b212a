import {
  type BatchingStrategy,
  type CallContext,
  type Document,
  type DocumentEmbeddingModel,
  document,
  EmbeddingError,
  type EmbeddingModel,
  embedDocuments,
  formatDocument,
  ModelError,
  media,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface FakeModel extends EmbeddingModel {
  readonly requests: (readonly string[])[];
  readonly most: number;
}

/** A vector is the length of the text and its first character, so that results can be told apart. */
const vectorOf = (text: string): Float32Array => Float32Array.of(text.length, text.charCodeAt(0));

function fakeModel(
  settings: Pick<EmbeddingModel, 'limits' | 'metadataMode'> = {},
  answer?: (texts: readonly string[], context?: CallContext) => Promise<Float32Array[]> | Float32Array[],
): FakeModel {
  const requests: (readonly string[])[] = [];
  let running = 0;
  let most = 0;
  return {
    provider: 'fake',
    ...settings,
    requests,
    get most() {
      return most;
    },
    async embed(texts, _options, context) {
      requests.push(texts);
      most = Math.max(most, ++running);
      try {
        await Promise.resolve();
        return (await answer?.(texts, context)) ?? texts.map(vectorOf);
      } finally {
        running--;
      }
    },
    call: () => Promise.reject(new Error('not asked for')),
    dimensions: async () => 2,
  };
}

const documents = (count: number): Document[] =>
  Array.from({ length: count }, (_, i) => document({ id: `d${i}`, text: `${i} text` }));

async function failure(run: Promise<unknown>): Promise<EmbeddingError> {
  try {
    await run;
  } catch (error) {
    if (EmbeddingError.is(error)) return error;
    throw error;
  }
  throw new Error('did not fail');
}

describe('what is sent', () => {
  const made = document({ text: 'Body', metadata: { a: 1, b: 2 }, format: { excludedEmbedMetadataKeys: ['b'] } });

  it.each([
    [undefined, 'a: 1\n\nBody'],
    ['embed', 'a: 1\n\nBody'],
    ['none', 'Body'],
    ['all', 'a: 1\nb: 2\n\nBody'],
  ] as const)('is formatted for mode %s', async (metadataMode, text) => {
    const model = fakeModel(metadataMode === undefined ? {} : { metadataMode });
    expect(await embedDocuments(model, [made])).toEqual([vectorOf(text)]);
    expect(model.requests).toEqual([[text]]);
  });

  it('is what a batching strategy is shown, whatever the mode it counts in', async () => {
    const seen: string[] = [];
    const batchingStrategy: BatchingStrategy = {
      batch: (given) => {
        for (const one of given)
          seen.push(one.text ?? '', formatDocument(one, 'embed'), formatDocument(one, 'none'), formatDocument(one));
        return given.map((one) => [one]);
      },
    };
    const model = fakeModel();
    await embedDocuments(model, [made, made], { batchingStrategy });
    expect(new Set(seen)).toEqual(new Set(['a: 1\n\nBody']));
    expect(model.requests).toEqual([['a: 1\n\nBody'], ['a: 1\n\nBody']]);
  });

  it('is nothing for no documents', async () => {
    const model = fakeModel();
    expect(await embedDocuments(model, [])).toEqual([]);
    expect(model.requests).toEqual([]);
  });

  it('goes with the options and the signal', async () => {
    const { signal } = new AbortController();
    const calls: unknown[] = [];
    const model: EmbeddingModel = {
      ...fakeModel(),
      embed: async (texts, options, context) => {
        calls.push(options, context?.signal);
        return texts.map(vectorOf);
      },
    };
    await embedDocuments(model, documents(1), { options: { dimensions: 2 }, signal });
    expect(calls).toEqual([{ dimensions: 2 }, signal]);
  });
});

describe('batches', () => {
  it('keep to the limits of the model, and results keep their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 40 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 5, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (texts, maxInputs, maxTokens, concurrency) => {
          const model = fakeModel({ limits: { maxInputs, maxTokens } });
          const vectors = await embedDocuments(
            model,
            texts.map((text) => document(text)),
            { concurrency },
          );
          expect(vectors).toEqual(texts.map(vectorOf));
          expect(model.requests.flat().toSorted()).toEqual(texts.toSorted());
          expect(model.most).toBeLessThanOrEqual(concurrency);
          for (const request of model.requests) {
            expect(request.length).toBeLessThanOrEqual(maxInputs);
            const characters = request.reduce((sum, text) => sum + text.length, 0);
            if (request.length > 1) expect(Math.ceil(characters / 4)).toBeLessThanOrEqual(maxTokens);
          }
        },
      ),
    );
  });

  it('count a token for every character of scripts without spaces', async () => {
    const model = fakeModel({ limits: { maxTokens: 8 } });
    await embedDocuments(
      model,
      ['今天天气', '很好吗你', 'abcd', 'привет'].map((text) => document(text)),
      { concurrency: 1 },
    );
    expect(model.requests).toEqual([
      ['今天天气', '很好吗你'],
      ['abcd', 'привет'],
    ]);
  });

  it('run four at a time unless told otherwise', async () => {
    const model = fakeModel({ limits: { maxInputs: 1 } });
    await embedDocuments(model, documents(20));
    expect(model.most).toBe(4);
    await expect(embedDocuments(model, documents(1), { concurrency: 0 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it.each([
    ['lost', (given: readonly Document[]) => [given.slice(1)]],
    ['repeated', (given: readonly Document[]) => [[...given], [...given]]],
    ['reordered', (given: readonly Document[]) => [given.toReversed()]],
  ])('that %s documents are refused before anything is sent', async (_, batch) => {
    const model = fakeModel();
    await expect(embedDocuments(model, documents(3), { batchingStrategy: { batch } })).rejects.toMatchObject({
      code: 'invalid_state',
      subject: 'batchingStrategy',
    });
    expect(model.requests).toEqual([]);
  });
});

describe('failures', () => {
  it('of one request do not stop the others, and nothing is paid for twice', async () => {
    const busy = new ModelError('busy', {
      provider: 'fake',
      code: 'model_rate_limit',
      retryable: true,
      retryAfterMs: 70,
    });
    const model = fakeModel({ limits: { maxInputs: 2 } }, (texts) => {
      if (texts[0]?.startsWith('2')) throw busy;
      return texts.map(vectorOf);
    });
    const error = await failure(embedDocuments(model, documents(7)));
    expect(error).toMatchObject({
      code: 'embedding',
      failedIds: ['d2', 'd3'],
      retryable: true,
      retryAfterMs: 70,
      cause: busy,
    });
    expect([...error.embedded.keys()]).toEqual(['d0', 'd1', 'd4', 'd5', 'd6']);
    expect(error.embedded.get('d4')).toEqual(vectorOf('4 text'));
    expect(error.details).toEqual({ failedRequests: 1, codes: ['model_rate_limit'] });
  });

  it('of several are all there', async () => {
    const model = fakeModel({ limits: { maxInputs: 1 } }, (texts) => Promise.reject(new Error(`no ${texts[0]}`)));
    const error = await failure(embedDocuments(model, documents(2)));
    expect(error).toMatchObject({ failedIds: ['d0', 'd1'], retryable: false });
    expect(error.cause).toMatchObject({ errors: [{ message: 'no 0 text' }, { message: 'no 1 text' }] });
    expect(error.message).not.toContain('text');
  });

  it.each([1, 3])('include an answer of %i vectors for two texts', async (count) => {
    const model = fakeModel({}, () => Array.from({ length: count }, () => vectorOf('x')));
    const error = await failure(embedDocuments(model, documents(2)));
    expect(error.failedIds).toEqual(['d0', 'd1']);
    expect(error.cause).toMatchObject({ code: 'model_error', provider: 'fake' });
  });
});

describe('an abort', () => {
  it('before anything was embedded is an abort', async () => {
    const model = fakeModel({}, (_, context) => Promise.reject(context?.signal?.reason));
    const controller = new AbortController();
    const run = embedDocuments(model, documents(3), { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(run).rejects.toMatchObject({ code: 'aborted', cause: { message: 'enough' } });
    await expect(embedDocuments(model, documents(3), { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(model.requests).toHaveLength(1);
  });

  it('later keeps what there is and starts nothing more', async () => {
    const controller = new AbortController();
    const model = fakeModel({ limits: { maxInputs: 1 } }, (texts) => {
      if (texts[0]?.startsWith('1')) controller.abort();
      return texts.map(vectorOf);
    });
    const error = await failure(embedDocuments(model, documents(4), { concurrency: 1, signal: controller.signal }));
    expect([...error.embedded.keys()]).toEqual(['d0', 'd1']);
    expect(error.failedIds).toEqual(['d2', 'd3']);
    expect(error.details).toMatchObject({ codes: ['aborted'] });
    expect(model.requests).toHaveLength(2);
  });
});

describe('media', () => {
  const picture = document({ id: 'pic', media: media('image/png', new Uint8Array(1)) });

  it('are refused by a model of texts, before anything is sent', async () => {
    const model = fakeModel();
    await expect(embedDocuments(model, [document('x'), picture])).rejects.toMatchObject({
      code: 'unsupported_capability',
      owner: 'fake',
      details: { ids: ['pic'] },
    });
    expect(model.requests).toEqual([]);
  });

  it('go as they are to a model that takes documents', async () => {
    const requests: (readonly Document[])[] = [];
    const model: DocumentEmbeddingModel = {
      provider: 'multimodal',
      embedDocuments: async (given) => {
        requests.push(given);
        return given.map(() => Float32Array.of(1));
      },
      dimensions: async () => 1,
    };
    const given = [picture, document({ text: 'x', metadata: { a: 1 } })];
    expect(await embedDocuments(model, given)).toEqual([Float32Array.of(1), Float32Array.of(1)]);
    expect(requests).toEqual([given]);
    await embedDocuments(model, given, { batchingStrategy: { batch: (all) => all.map((one) => [one]) } });
    expect(requests.slice(1)).toEqual(given.map((one) => [one]));
  });
});

it('turns lists of numbers into Float32Arrays', async () => {
  const model = fakeModel({}, (texts) => JSON.parse(JSON.stringify(texts.map(() => [1, 2]))));
  expect(await embedDocuments(model, documents(1))).toEqual([Float32Array.of(1, 2)]);
});
