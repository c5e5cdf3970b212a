import type { CallContext, Document, Documents } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import type {
  DeleteResult,
  DeleteTarget,
  SearchRequest,
  VectorStore,
  VectorStoreCapabilities,
} from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';

type Hook = (context: CallContext | undefined) => Promise<void>;

/** A real store that may be made to fail or to hang, and that remembers what was asked of it. */
export class WatchedStore implements VectorStore {
  readonly inner: SimpleVectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
  readonly name: string = 'watched';
  capabilities: VectorStoreCapabilities = this.inner.capabilities;
  readonly searches: SearchRequest[] = [];
  /** The documents of each add. */
  readonly adds: (readonly Document[])[] = [];
  readonly deletes: DeleteTarget[] = [];
  beforeSearch: Hook = async () => {};
  beforeAdd: Hook = async () => {};

  async similaritySearch(request: string | SearchRequest, context?: CallContext): Promise<Document[]> {
    this.searches.push(typeof request === 'string' ? { query: request } : request);
    await this.beforeSearch(context);
    return this.inner.similaritySearch(request, context);
  }

  async add(documents: readonly Document[], context?: CallContext): Promise<void> {
    this.adds.push(documents);
    await this.beforeAdd(context);
    await this.inner.add(documents, context);
  }

  write(documents: Documents, context?: CallContext): Promise<void> {
    return this.inner.write(documents, context);
  }

  delete(target: DeleteTarget, context?: CallContext): Promise<DeleteResult> {
    this.deletes.push(target);
    return this.inner.delete(target, context);
  }

  /** Everything that is in it, in the order in which it was added. */
  async all(): Promise<Document[]> {
    const found = await this.inner.similaritySearch({ query: 'x', topK: 100_000 });
    const order = this.adds.flat().map(({ id }) => id);
    return found.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  }
}

/** Does not end by itself, whatever becomes of the signal. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
