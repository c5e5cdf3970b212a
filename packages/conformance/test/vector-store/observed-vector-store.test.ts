import type { Document, EmbeddingModel } from '@vernal/core';
import { BatchError, document, EmbeddingError, VernalError } from '@vernal/core';
import { hashingEmbeddingModel, RecordingObservationRegistry } from '@vernal/testing';
import type {
  DeleteResult,
  NormalFilter,
  ObservedVectorStoreOptions,
  ResolvedSearchRequest,
  StoreContext,
  VectorStoreCapabilities,
  VectorStoreDescription,
} from '@vernal/vector-store';
import { filter, ObservedVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { numberEmbeddingModel } from './number-embedding-model.js';

type DeleteCall = { readonly ids: readonly string[] } | { readonly filter: NormalFilter };

/** An adapter that writes down what reaches it. */
class Ledger extends ObservedVectorStore {
  readonly name = 'ledger';
  readonly capabilities: VectorStoreCapabilities = {
    filterOperators: ['AND', 'EQ', 'NE', 'IN', 'NIN'],
    deleteByFilter: true,
    deleteCount: true,
    modes: ['vector'],
    mmr: false,
    media: false,
    metric: 'cosine',
    maxBatch: 2,
  };
  readonly added: string[][] = [];
  readonly deleted: DeleteCall[] = [];
  readonly searched: ResolvedSearchRequest[] = [];
  readonly signals: AbortSignal[] = [];
  closed = 0;
  /** Runs inside each operation. */
  during: (context: StoreContext, documents: readonly Document[]) => Promise<void> = async () => {};

  protected describe(): VectorStoreDescription {
    return { system: 'ledger', collection: 'books', namespace: 'shelf', dimensions: 2, fieldName: 'page' };
  }
  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    this.signals.push(context.signal);
    await this.during(context, documents);
    await this.embed(documents, context);
    this.added.push(documents.map(({ id }) => id));
  }
  protected async doDelete(target: DeleteCall, context: StoreContext): Promise<DeleteResult> {
    this.signals.push(context.signal);
    await this.during(context, []);
    this.deleted.push(target);
    return { deleted: 3 };
  }
  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    this.signals.push(context.signal);
    await this.during(context, []);
    await this.queryVector(request, context);
    this.searched.push(request);
    return [document({ id: 'found', text: '1 0', score: 1 })];
  }
  protected override async doClose(): Promise<void> {
    this.closed++;
  }
}

const ledger = (options: Partial<ObservedVectorStoreOptions> = {}): Ledger =>
  new Ledger({ embeddingModel: numberEmbeddingModel(), ...options });
const documents = (...ids: readonly string[]): Document[] => ids.map((id) => document({ id, text: '1 0' }));

async function rejection(promise: Promise<unknown>): Promise<VernalError> {
  try {
    await promise;
  } catch (error) {
    if (VernalError.is(error)) return error;
    throw error;
  }
  throw new Error('did not reject');
}

describe('ObservedVectorStore.add', () => {
  it('cuts by maxBatch, in order', async () => {
    const store = ledger();
    await store.add(documents('a', 'b', 'c', 'd', 'e'));
    expect(store.added).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    await store.add([]);
    expect(store.added).toHaveLength(3);
  });

  it.each<[string, unknown, string]>([
    ['no list', 'x', 'documents'],
    ['no document', [null], 'documents[0]'],
    ['a blank id', [{ id: ' ', text: 'x', metadata: {} }], 'documents[0].id'],
    ['an id twice', documents('a', 'b', 'a'), 'documents[2].id'],
    ['neither text nor media', [{ id: 'a', metadata: {} }], 'documents[0]'],
    ['text that is none', [{ id: 'a', text: 1, metadata: {} }], 'documents[0].text'],
    ['no metadata', [{ id: 'a', text: 'x' }], 'documents[0].metadata'],
  ])('refuses %s before anything is embedded', async (_name, given, subject) => {
    const embeddingModel = numberEmbeddingModel();
    const store = ledger({ embeddingModel });
    await expect(store.add(given as Document[])).rejects.toMatchObject({ code: 'invalid_argument', subject });
    expect(embeddingModel.calls).toEqual([]);
    expect(store.added).toEqual([]);
  });

  it('names what did not land when a later part fails', async () => {
    const store = ledger();
    store.during = async (_context, part) => {
      if (part.some(({ id }) => id === 'c')) throw new VernalError('full', { code: 'store_write', retryable: true });
    };
    const error = await rejection(store.add(documents('a', 'b', 'c', 'd', 'e')));
    expect(BatchError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'store_write', failedIds: ['c', 'd', 'e'], retryable: true });
    expect(store.added).toEqual([['a', 'b']]);
  });

  it('leaves an error as it is when nothing landed', async () => {
    const store = ledger();
    const full = new VernalError('full', { code: 'store_write' });
    store.during = async () => {
      throw full;
    };
    expect(await rejection(store.add(documents('a', 'b', 'c')))).toBe(full);
  });

  it('believes an adapter that names what it did not write', async () => {
    const store = ledger();
    store.during = async () => {
      throw new BatchError('one item', { failedIds: ['b'] });
    };
    expect(await rejection(store.add(documents('a', 'b', 'c')))).toMatchObject({ failedIds: ['b', 'c'] });
  });

  it('names the whole part when one of its documents was not embedded, and keeps the vectors that were made', async () => {
    const model = numberEmbeddingModel();
    const embed: EmbeddingModel['embed'] = async (texts, options, context) => {
      if (texts.includes('0 1')) throw new VernalError('no', { code: 'model_error' });
      return model.embed(texts, options, context);
    };
    const embeddingModel = { ...model, embed, limits: { maxInputs: 1 } };
    const store = ledger({ embeddingModel });
    const given = [...documents('a', 'b', 'c'), document({ id: 'bad', text: '0 1' }), ...documents('e')];
    const error = await rejection(store.add(given));
    expect(EmbeddingError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'embedding', failedIds: ['c', 'bad', 'e'] });
    expect(EmbeddingError.is(error) && [...error.embedded.keys()]).toEqual(['c']);
    expect(store.added).toEqual([['a', 'b']]);
  });

  it('needs a model only where it embeds', async () => {
    const store = new Ledger({});
    await expect(store.add(documents('a'))).rejects.toMatchObject({ code: 'invalid_state', subject: 'embeddingModel' });
    const request = { query: '', vector: Float32Array.of(1, 0) };
    expect(await store.similaritySearch(request)).toHaveLength(1);
  });

  it('refuses what a model must not give', async () => {
    const model = numberEmbeddingModel();
    for (const given of [[], [new Float32Array(0)], [Float32Array.of(1, 0), Float32Array.of(1, 0)]]) {
      const store = ledger({ embeddingModel: { ...model, embed: async () => given } });
      await expect(store.similaritySearch('q')).rejects.toMatchObject({ code: 'embedding' });
    }
  });
});

describe('ObservedVectorStore.write', () => {
  it('takes from a stream only what a batch needs', async () => {
    const store = ledger();
    const log: string[] = [];
    store.during = async (_context, part) => {
      log.push(`write ${part.map(({ id }) => id).join('')}`);
    };
    async function* source(): AsyncGenerator<Document> {
      for (const id of ['a', 'b', 'c', 'd', 'e']) {
        log.push(`read ${id}`);
        yield document({ id, text: '1 0' });
      }
    }
    await store.write(source());
    expect(log).toEqual(['read a', 'read b', 'write ab', 'read c', 'read d', 'write cd', 'read e', 'write e']);
  });

  it('takes lists and sets too', async () => {
    const store = ledger();
    await store.write(documents('a', 'b', 'c'));
    await store.write(new Set(documents('d')));
    expect(store.added).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('closes the source and says what is stored when a batch fails', async () => {
    const store = ledger();
    store.during = async (_context, part) => {
      if (part.some(({ id }) => id === 'c')) throw new VernalError('full', { code: 'store_write' });
    };
    let closed = false;
    async function* source(): AsyncGenerator<Document> {
      try {
        yield* documents('a', 'b', 'c', 'd', 'e');
      } finally {
        closed = true;
      }
    }
    expect(await rejection(store.write(source()))).toMatchObject({ failedIds: ['c', 'd'], details: { stored: 2 } });
    expect(closed).toBe(true);
  });

  it('stops reading when its signal fires', async () => {
    const store = ledger();
    const controller = new AbortController();
    function* source(): Generator<Document> {
      yield* documents('a');
      controller.abort();
      yield* documents('b');
      throw new Error('read too far');
    }
    await expect(store.write(source(), { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(store.added).toEqual([]);
  });
});

describe('ObservedVectorStore.delete', () => {
  it('hands over each id once, or a normal filter', async () => {
    const store = ledger();
    expect(await store.delete(['a', 'b', 'a'])).toEqual({ deleted: 3 });
    expect(await store.delete({ filter: "NOT (a == 1) AND tag IN ['x']" })).toEqual({ deleted: 3 });
    expect(await store.delete([])).toEqual({ deleted: 0 });
    expect(store.deleted).toEqual([
      { ids: ['a', 'b'] },
      { filter: filter.and(filter.ne('a', 1), filter.in('tag', ['x'])) },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a bare text', 'a', 'invalid_argument'],
    ['a bare tree', filter.eq('a', 1), 'invalid_argument'],
    ['nothing', undefined, 'invalid_argument'],
    ['no filter', { filter: undefined }, 'invalid_argument'],
    ['a blank filter', { filter: '  ' }, 'invalid_argument'],
    ['an id that is none', [1], 'invalid_argument'],
    ['a filter that is none', { filter: {} }, 'filter_invalid'],
    ['a broken filter', { filter: 'a =' }, 'filter_parse'],
    ['an operator it lacks', { filter: 'a > 1' }, 'unsupported_capability'],
  ])('refuses %s', async (_name, target, code) => {
    const store = ledger();
    await expect(store.delete(target as readonly string[])).rejects.toMatchObject({ code });
    expect(store.deleted).toEqual([]);
  });

  it('refuses filters where the store cannot delete by them', async () => {
    class ById extends Ledger {
      override readonly capabilities: VectorStoreCapabilities = {
        ...new Ledger({}).capabilities,
        deleteByFilter: false,
      };
    }
    const store = new ById({});
    await expect(store.delete({ filter: 'a == 1' })).rejects.toMatchObject({
      code: 'unsupported_capability',
      capability: 'deleteByFilter',
      owner: 'ledger',
    });
  });
});

describe('signals', () => {
  it('gives every operation a signal that follows the caller’s, and leaves no listener', async () => {
    const store = ledger();
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') listeners++;
        if (key === 'removeEventListener') listeners--;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await store.add(documents('a'), { signal: counted });
    await store.delete(['a'], { signal: counted });
    await store.similaritySearch('1 0', { signal: counted });
    await store.similaritySearch('1 0');
    expect(listeners).toBe(0);
    expect(store.signals).toHaveLength(4);
    expect(store.signals.every((given) => given instanceof AbortSignal && !given.aborted)).toBe(true);
  });

  it('rejects at once when the signal fires, even if the driver does not heed it', async () => {
    const store = ledger();
    const controller = new AbortController();
    let finish = (): void => {};
    store.during = () => {
      queueMicrotask(() => controller.abort(new Error('enough')));
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const error = await rejection(store.similaritySearch('1 0', { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: controller.signal.reason });
    expect(store.signals[0]?.aborted).toBe(true);
    finish();
    await store.close();
  });

  it('says which part had landed when an add is aborted', async () => {
    const store = ledger();
    const controller = new AbortController();
    store.during = async (_context, part) => {
      if (part.some(({ id }) => id === 'c')) {
        controller.abort();
        await new Promise(() => {});
      }
    };
    const error = await rejection(store.add(documents('a', 'b', 'c'), { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', failedIds: ['c'] });
  });

  it('does nothing under a signal that has fired, and tells a time-out apart', async () => {
    const store = ledger();
    await expect(store.add(documents('a'), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    const timeout = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(store.similaritySearch('1 0', { signal: timeout })).rejects.toMatchObject({ code: 'timeout' });
    expect(store.signals).toEqual([]);
  });
});

describe('close', () => {
  it('closes once and refuses everything afterwards', async () => {
    const store = ledger();
    await Promise.all([store.close(), store.close()]);
    await store[Symbol.asyncDispose]();
    expect(store.closed).toBe(1);
    for (const call of [
      () => store.add(documents('a')),
      () => store.add([]),
      () => store.write([]),
      () => store.delete(['a']),
      () => store.similaritySearch('1 0'),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'invalid_state' });
    }
  });

  it('waits for what is running', async () => {
    const store = ledger();
    let finish = (): void => {};
    store.during = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const search = store.similaritySearch('1 0');
    const closed = store.close();
    await Promise.resolve();
    expect(store.closed).toBe(0);
    finish();
    expect(await search).toHaveLength(1);
    await closed;
    expect(store.closed).toBe(1);
  });
});

describe('observations', () => {
  it('tell what was done, and leave contents out', async () => {
    const registry = new RecordingObservationRegistry();
    const store = ledger({ observationRegistry: registry });
    const parent = registry.start({ kind: 'advisor', name: 'p', data: {} });
    await store.add(documents('a', 'b', 'c'), { observation: parent });
    await store.delete({ filter: "secret == 'x'" });
    await store.similaritySearch({ query: '1 0', similarityThreshold: 0.5, filterExpression: "secret == 'x'" });
    parent.stop();
    const shared = {
      system: 'ledger',
      collection: 'books',
      namespace: 'shelf',
      dimensions: 2,
      fieldName: 'page',
      metric: 'cosine',
    };
    const [, add, remove, query] = registry.observations;
    expect(add).toMatchObject({ kind: 'vector_store', name: 'ledger', parent: { name: 'p' }, stopped: true });
    expect(add?.data).toEqual({ ...shared, operation: 'add', count: 3 });
    expect(remove?.data).toEqual({ ...shared, operation: 'delete', count: 3 });
    expect(query?.data).toEqual({ ...shared, operation: 'query', topK: 4, similarityThreshold: 0.5, count: 1 });
    registry.assertAllStopped();
  });

  it('hold query and filter where contents are wanted', async () => {
    const registry = new RecordingObservationRegistry({ content: true });
    const store = ledger({ observationRegistry: registry });
    await store.similaritySearch({ query: '1 0', filterExpression: 'NOT a == 1' });
    await store.delete({ filter: 'b IN [1, 2]' });
    expect(registry.observations.map(({ data }) => [data['query'], data['filter']])).toEqual([
      ['1 0', 'a != 1'],
      [undefined, 'b IN [1, 2]'],
    ]);
  });

  it('hold the error and stop on failure and abort', async () => {
    const registry = new RecordingObservationRegistry();
    const store = ledger({ observationRegistry: registry });
    const full = new VernalError('full', { code: 'store_write' });
    store.during = async () => {
      throw full;
    };
    await rejection(store.add(documents('a')));
    await rejection(store.similaritySearch('1 0', { signal: AbortSignal.abort() }));
    expect(registry.observations.map(({ error }) => VernalError.is(error) && error.code)).toEqual([
      'store_write',
      'aborted',
    ]);
    registry.assertAllStopped();
  });

  it('are the parents of what happens inside', async () => {
    const registry = new RecordingObservationRegistry();
    const store = ledger({ observationRegistry: registry });
    store.during = async (context) => {
      registry.start({ kind: 'driver', name: 'explicit', parent: context.observation, data: {} }).stop();
      await Promise.resolve();
      registry.start({ kind: 'driver', name: 'ambient', data: {} }).stop();
    };
    await store.similaritySearch('1 0');
    const [own, explicit, ambient] = registry.observations;
    expect(explicit?.parent).toBe(own);
    expect(ambient?.parent).toBe(own);
  });
});

describe('batching', () => {
  it('counts tokens when the model limits them', async () => {
    const model = hashingEmbeddingModel();
    const sizes: number[] = [];
    const embed: EmbeddingModel['embed'] = async (texts, options, context) => {
      sizes.push(texts.length);
      return model.embed(texts, options, context);
    };
    class Large extends Ledger {
      override readonly capabilities: VectorStoreCapabilities = { ...new Ledger({}).capabilities, maxBatch: 100 };
    }
    const texts = Array.from({ length: 10 }, (_, i) => document({ id: String(i), text: 'one two three four five' }));
    const limited = new Large({ embeddingModel: { ...model, embed, limits: { maxTokens: 12 } } });
    await limited.add(texts);
    // Twelve tokens less the reserve hold two texts of five.
    expect(sizes).toEqual([2, 2, 2, 2, 2]);
    sizes.length = 0;
    await new Large({ embeddingModel: { ...model, embed, limits: { maxInputs: 4 } } }).add(texts);
    expect(sizes).toEqual([4, 4, 2]);
    sizes.length = 0;
    const batchingStrategy = { batch: (given: readonly Document[]) => given.map((one) => [one]) };
    await new Large({ embeddingModel: { ...model, embed, limits: { maxTokens: 12 } }, batchingStrategy }).add(texts);
    expect(sizes).toEqual(Array.from({ length: 10 }, () => 1));
  });
});
