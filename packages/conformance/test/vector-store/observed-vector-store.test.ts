import type { Document, EmbeddingModel } from '@vernal/core';
import { BatchError, document, EmbeddingError, VernalError } from '@vernal/core';
import type { VectorStoreCapabilities } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { documents, Ledger, ledger, rejection } from './ledger-store.js';
import { numberEmbeddingModel } from './number-embedding-model.js';

const endless: Record<string, unknown> = {};
endless['self'] = endless;

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
    ['null for metadata', [{ id: 'a', text: 'x', metadata: null }], 'documents[0].metadata'],
    [
      'NaN in metadata',
      [...documents('a'), { id: 'b', text: 'x', metadata: { n: Number.NaN } }],
      'documents[1].metadata.n',
    ],
    ['a bigint in metadata', [{ id: 'a', text: 'x', metadata: { in: { n: 1n } } }], 'documents[0].metadata.in.n'],
    ['a function in metadata', [{ id: 'a', text: 'x', metadata: { f: () => 1 } }], 'documents[0].metadata.f'],
    ['metadata without end', [{ id: 'a', text: 'x', metadata: endless }], 'documents[0].metadata.self'],
  ])('refuses %s before anything is embedded', async (_name, given, subject) => {
    const embeddingModel = numberEmbeddingModel();
    const store = ledger({ embeddingModel });
    await expect(store.add(given as Document[])).rejects.toMatchObject({ code: 'invalid_argument', subject });
    expect(embeddingModel.calls).toEqual([]);
    expect(store.added).toEqual([]);
  });

  it('hands over metadata that are JSON, whatever made them', async () => {
    const store = ledger();
    const seen: unknown[] = [];
    store.during = async (_context, part) => {
      seen.push(...part.map(({ metadata }) => metadata));
    };
    const given = { at: new Date(0), gone: undefined, list: [1, undefined], own: 'x' };
    await store.add([{ id: 'a', text: '1 0', metadata: given as unknown as Document['metadata'] }]);
    expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z', list: [1, null], own: 'x' }]);
    expect(Object.keys(Object(seen[0]))).not.toContain('gone');
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
