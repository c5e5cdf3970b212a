import type { Document, EmbeddingModel } from '@vernal/core';
import { document, VernalError } from '@vernal/core';
import { hashingEmbeddingModel, RecordingObservationRegistry } from '@vernal/testing';
import type { VectorStoreCapabilities } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { documents, Ledger, ledger, rejection } from './ledger-store.js';

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
