import type { Document, EmbeddingModel } from '@vernal/core';
import { document } from '@vernal/core';
import type { SearchRequest, VectorStore } from '@vernal/vector-store';
import { hashingEmbeddingModel } from '../../doubles/hashing-embedding-model.js';
import { present } from '../kernel/assertions.js';
import { caseName } from '../kernel/case-name.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import { vectorTextModel } from './vector-text-model.js';

export const DIMENSIONS = 64;

/** Makes the store under test, empty: in a table, index or collection of this name. */
export type CreateVectorStore = (setup: {
  readonly embeddingModel: EmbeddingModel;
  readonly dimensions: number;
  /** Unique a case. Letters, digits and '_', starts with a letter, at most 40 characters. */
  readonly collection: string;
}) => Awaitable<Subject<VectorStore>>;

/** Another store over the data of the one that `create` made for the case; what it needs is there already. */
export type ReopenVectorStore = CreateVectorStore;

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
  /** Over once the model was asked to embed `HANGS`. */
  readonly hanging: Promise<void>;
  /** A store over other data, empty. */
  other(): Promise<VectorStore>;
  /** A store over the same data. */
  readonly reopen: (() => Promise<VectorStore>) | undefined;
}

export async function storeStage(
  create: CreateVectorStore,
  collection: string,
  { settle, reopen }: { readonly settle?: Settle | undefined; readonly reopen?: ReopenVectorStore | undefined },
): Promise<Subject<StoreStage>> {
  const { embeddingModel, hanging } = vectorTextModel(hashingEmbeddingModel({ dimensions: DIMENSIONS }), DIMENSIONS);
  const opened: Subject<VectorStore>[] = [];
  const open = async (by: CreateVectorStore, name: string): Promise<VectorStore> => {
    const made = await by({ embeddingModel, dimensions: DIMENSIONS, collection: name });
    opened.push(made);
    return made.subject;
  };
  const store = await open(create, collection);
  const search = (request: Partial<SearchRequest> = {}): Promise<Document[]> =>
    store.similaritySearch({ query: 'anything', topK: 1000, ...request });
  const settled = async (): Promise<void> => settle?.(store);
  return {
    subject: {
      store,
      embeddingModel,
      hanging,
      settle: settled,
      search,
      async add(...documents) {
        await store.add(documents);
        await settled();
      },
      ids: async (request) => (await search(request)).map((one) => one.id),
      other: () => open(create, caseName('other')),
      reopen: reopen && (() => open(reopen, collection)),
      vector: async (text) => present((await embeddingModel.embed([text]))[0], 'the vector'),
    },
    async close() {
      for (const made of opened.toReversed()) await made.close?.();
    },
  };
}

/** A document with an id of its own and some metadata. */
export function doc(id: string, metadata: Document['metadata'] = {}, text: string = `text of ${id}`): Document {
  return document({ id, text, metadata });
}
