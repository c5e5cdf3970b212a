import type { Document, EmbeddingModel } from '@vernal/core';
import { document } from '@vernal/core';
import type { SearchRequest, VectorStore } from '@vernal/vector-store';
import { hashingEmbeddingModel } from '../../doubles/hashing-embedding-model.js';
import { present } from '../kernel/assertions.js';
import type { Awaitable, Subject } from '../kernel/subject.js';

export const DIMENSIONS = 64;

/** Makes the store under test, empty: in a table, index or collection of this name. */
export type CreateVectorStore = (setup: {
  readonly embeddingModel: EmbeddingModel;
  readonly dimensions: number;
  /** Unique a case. Letters, digits and '_', starts with a letter, at most 40 characters. */
  readonly collection: string;
}) => Awaitable<Subject<VectorStore>>;

export type Settle = (store: VectorStore) => Promise<void>;

/** An empty store, and what the cases do with it. */
export interface StoreStage {
  readonly store: VectorStore;
  readonly embeddingModel: EmbeddingModel;
  /** Writes, and waits until it can be found. */
  add(...documents: readonly Document[]): Promise<void>;
  settle(): Promise<void>;
  /** Ids in the order they were found. Default `topK` 1,000. */
  ids(request?: Partial<SearchRequest>): Promise<string[]>;
  search(request?: Partial<SearchRequest>): Promise<Document[]>;
  vector(text: string): Promise<Float32Array>;
}

export async function storeStage(
  create: CreateVectorStore,
  collection: string,
  settle: Settle | undefined,
): Promise<Subject<StoreStage>> {
  const embeddingModel = hashingEmbeddingModel({ dimensions: DIMENSIONS });
  const made = await create({ embeddingModel, dimensions: DIMENSIONS, collection });
  const store = made.subject;
  const search = (request: Partial<SearchRequest> = {}): Promise<Document[]> =>
    store.similaritySearch({ query: 'anything', topK: 1000, ...request });
  const settled = async (): Promise<void> => settle?.(store);
  return {
    subject: {
      store,
      embeddingModel,
      settle: settled,
      search,
      async add(...documents) {
        await store.add(documents);
        await settled();
      },
      ids: async (request) => (await search(request)).map((one) => one.id),
      vector: async (text) => present((await embeddingModel.embed([text]))[0], 'the vector'),
    },
    close: async () => made.close?.(),
  };
}

/** A document with an id of its own and some metadata. */
export function doc(id: string, metadata: Document['metadata'] = {}, text: string = `text of ${id}`): Document {
  return document({ id, text, metadata });
}
