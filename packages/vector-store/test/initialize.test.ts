import type { Document, EmbeddingModel } from '@vernal/core';
import { document, VernalError } from '@vernal/core';
import type { ResolvedSearchRequest, StoreContext, VectorStoreCapabilities } from '@vernal/vector-store';
import { ObservedVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

/** Answers when it is told. */
class Gate {
  open = (): void => {};
  fail = (_error: Error): void => {};
  readonly passed = new Promise<void>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });
}

class Started extends ObservedVectorStore {
  readonly name = 'started';
  readonly capabilities: VectorStoreCapabilities = {
    filterOperators: [],
    deleteByFilter: false,
    deleteCount: false,
    modes: ['vector'],
    mmr: false,
    media: false,
    metric: 'cosine',
  };
  readonly gates: Gate[] = [];
  readonly signals: AbortSignal[] = [];
  readonly log: string[] = [];

  protected describe(): { system: string } {
    return { system: 'started' };
  }
  protected override doInitialize({ signal }: StoreContext): Promise<void> {
    const gate = new Gate();
    this.gates.push(gate);
    this.signals.push(signal);
    return gate.passed;
  }
  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    this.log.push('add');
    await this.embed(documents, context);
  }
  protected async doDelete(): Promise<{ deleted: number }> {
    this.log.push('delete');
    return { deleted: 1 };
  }
  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    this.log.push('search');
    await this.queryVector(request, context);
    return [];
  }
}

const embeddingModel = (vector: readonly number[]): EmbeddingModel => ({
  provider: 'fixed',
  dimensions: async () => vector.length,
  embed: async (texts) => texts.map(() => Float32Array.from(vector)),
  call: async () => ({ embeddings: [], metadata: { model: 'fixed', usage: {} } }),
});
const started = (): Started => new Started({ embeddingModel: embeddingModel([1, 0]) });
const query = { query: '', vector: Float32Array.of(1, 0) };

describe('ObservedVectorStore.initialize', () => {
  it('runs once before the first operation, whoever comes, and never again', async () => {
    const store = started();
    const all = [store.similaritySearch(query), store.delete(['a']), store.initialize(), store.initialize()];
    await Promise.resolve();
    expect([store.gates.length, store.log]).toEqual([1, []]);
    store.gates[0]?.open();
    await Promise.all(all);
    await store.add([document('x')]);
    await store.initialize();
    expect([store.gates.length, store.log.toSorted()]).toEqual([1, ['add', 'delete', 'search']]);
  });

  it('fails for all that wait, and is tried again by the next', async () => {
    const store = started();
    const all = [store.similaritySearch(query), store.initialize()];
    store.gates[0]?.fail(new VernalError('no table', { code: 'store_read' }));
    for (const one of all) await expect(one).rejects.toMatchObject({ code: 'store_read' });
    const again = store.similaritySearch(query);
    store.gates[1]?.open();
    expect(await again).toEqual([]);
    expect(store.log).toEqual(['search']);
  });

  it('goes on while somebody waits; the last one that gives up aborts it, and the next begins anew', async () => {
    const store = started();
    const [first, second] = [new AbortController(), new AbortController()];
    const a = store.initialize({ signal: first.signal });
    const b = store.similaritySearch(query, { signal: second.signal });
    first.abort();
    await expect(a).rejects.toMatchObject({ code: 'aborted' });
    expect(store.signals[0]?.aborted).toBe(false);
    second.abort();
    await expect(b).rejects.toMatchObject({ code: 'aborted' });
    expect(store.signals[0]?.aborted).toBe(true);
    // Whether the one that nobody wants any more ends well or not.
    store.gates[0]?.open();
    const c = store.initialize();
    expect(store.gates).toHaveLength(2);
    store.gates[1]?.open();
    await c;
    expect(store.log).toEqual([]);
  });

  it('is waited for by close, and refused afterwards', async () => {
    const store = started();
    const controller = new AbortController();
    const search = store.similaritySearch(query, { signal: controller.signal });
    controller.abort();
    await expect(search).rejects.toMatchObject({ code: 'aborted' });
    let closed = false;
    const closing = store.close().then(() => {
      closed = true;
    });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(closed).toBe(false);
    store.gates[0]?.fail(new Error('aborted'));
    await closing;
    await expect(store.initialize()).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('ObservedVectorStore.embed', () => {
  it('refuses what the metric cannot compare, before an adapter writes', async () => {
    const store = new Started({ embeddingModel: embeddingModel([0, 0]) });
    const adding = store.add([document({ id: 'a', text: 'x' })]);
    store.gates[0]?.open();
    await expect(adding).rejects.toMatchObject({ code: 'embedding', failedIds: ['a'], details: { faulty: ['a'] } });
    expect(await store.similaritySearch('x')).toEqual([]);
  });
});
