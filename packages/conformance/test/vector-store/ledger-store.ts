import type { Document } from '@vernal/core';
import { document, VernalError } from '@vernal/core';
import type {
  DeleteResult,
  NormalFilter,
  ObservedVectorStoreOptions,
  ResolvedSearchRequest,
  StoreContext,
  VectorStoreCapabilities,
  VectorStoreDescription,
} from '@vernal/vector-store';
import { ObservedVectorStore } from '@vernal/vector-store';
import { numberEmbeddingModel } from './number-embedding-model.js';

type DeleteCall = { readonly ids: readonly string[] } | { readonly filter: NormalFilter };

/** An adapter that writes down what reaches it. */
export class Ledger extends ObservedVectorStore {
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

export const ledger = (options: Partial<ObservedVectorStoreOptions> = {}): Ledger =>
  new Ledger({ embeddingModel: numberEmbeddingModel(), ...options });
export const documents = (...ids: readonly string[]): Document[] => ids.map((id) => document({ id, text: '1 0' }));

export async function rejection(promise: Promise<unknown>): Promise<VernalError> {
  try {
    await promise;
  } catch (error) {
    if (VernalError.is(error)) return error;
    throw error;
  }
  throw new Error('did not reject');
}
