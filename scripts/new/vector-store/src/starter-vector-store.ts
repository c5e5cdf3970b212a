import type { Document, DocumentEmbeddingModel, EmbeddingModel } from '@vernal/core';
import { abortError, invalidArgument } from '@vernal/core';
import type {
  DeleteResult,
  NormalFilter,
  ResolvedSearchRequest,
  StoreContext,
  VectorStoreCapabilities,
  VectorStoreDescription,
} from '@vernal/vector-store';
import { EVERY_OPERATOR, ObservedVectorStore, requireDimensions, vectorFault } from '@vernal/vector-store';
import type { StarterClient } from './starter-client.js';
import { foundDocument, type StarterRow } from './starter-document.js';
import { starterError } from './starter-error.js';
import { StarterFilter } from './starter-filter.js';
import { type StarterSettings, starterSettings } from './starter-settings.js';
import type { StarterVectorStoreOptions } from './starter-vector-store-options.js';
import { unwritten } from './unwritten.js';

/**
 * Documents in a collection of Starter.
 *
 * @example
 * const store = new StarterVectorStore({ client, embeddingModel, initializeSchema: 'create' });
 * await store.add([document('Roses are red.', { lang: 'en' })]);
 */
export class StarterVectorStore extends ObservedVectorStore {
  readonly name: string = 'StarterVectorStore';
  readonly capabilities: VectorStoreCapabilities;
  /** What was handed in. */
  readonly client: StarterClient;
  readonly #settings: StarterSettings;
  readonly #model: EmbeddingModel | DocumentEmbeddingModel | undefined;
  readonly #filter = new StarterFilter();

  /** @throws VernalError `invalid_argument` without a client, and for settings out of range */
  constructor(options: StarterVectorStoreOptions) {
    super(options);
    this.#settings = starterSettings(options);
    this.client = options.client;
    this.#model = options.embeddingModel;
    this.capabilities = {
      filterOperators: EVERY_OPERATOR,
      deleteByFilter: true,
      deleteCount: true,
      modes: ['vector'],
      mmr: false,
      media: false,
      metric: this.#settings.metric,
      maxBatch: this.#settings.maxBatch,
      consistency: 'strong',
    };
  }

  protected describe(): VectorStoreDescription {
    const { collection, dimensions } = this.#settings;
    return { system: 'starter', collection, ...(dimensions === undefined ? undefined : { dimensions }) };
  }

  protected override async doInitialize(context: StoreContext): Promise<void> {
    if (this.#settings.initializeSchema === 'none') return;
    const dimensions = this.#settings.dimensions ?? (await this.#model?.dimensions(context));
    if (dimensions === undefined)
      throw invalidArgument('dimensions', 'is needed to make the collection of a store without an embedding model');
    await this.#run('store_write', context, () => this.#create(dimensions));
  }

  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    const vectors = await this.embed(documents, context);
    await this.#run('store_write', context, async () => {
      requireDimensions('store_write', vectors[0]?.length ?? 0, await this.#held());
      await this.#write(documents, vectors);
    });
  }

  protected async doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult> {
    const deleted = await this.#run('store_write', context, () =>
      'ids' in target ? this.#deleteIds(target.ids) : this.#deleteMatching(target.filter),
    );
    return { deleted };
  }

  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    const { metric } = this.#settings;
    const { similarityThreshold, topK, filter } = request;
    const vector = await this.queryVector(request, context);
    if (vectorFault(metric, vector) === 'zero') return [];
    const rows = await this.#run('store_read', context, async () => {
      requireDimensions('store_read', vector.length, await this.#held());
      return this.#nearest(vector, topK, filter);
    });
    return rows
      .map((row) => foundDocument(row, metric))
      .filter(({ score = 0 }) => similarityThreshold === 0 || score >= similarityThreshold);
  }

  /** Makes the collection unless it is there. */
  async #create(_dimensions: number): Promise<void> {
    unwritten('create');
  }

  /** Dimensions of the vectors that the collection holds. Delete it where the engine refuses others by itself. */
  async #held(): Promise<number | undefined> {
    return unwritten('held');
  }

  /** Upserts by id, all or nothing. */
  async #write(_documents: readonly Document[], _vectors: readonly Float32Array[]): Promise<void> {
    unwritten('write');
  }

  /** How many there were. */
  async #deleteIds(_ids: readonly string[]): Promise<number> {
    return unwritten('deleteIds');
  }

  /** How many there were. */
  async #deleteMatching(filter: NormalFilter): Promise<number> {
    this.#filter.convert(filter);
    return unwritten('deleteMatching');
  }

  /** The nearest of what the filter lets through, best first. */
  async #nearest(_vector: Float32Array, _topK: number, filter: NormalFilter | undefined): Promise<StarterRow[]> {
    if (filter !== undefined) this.#filter.convert(filter);
    return unwritten('nearest');
  }

  async #run<T>(
    code: 'store_read' | 'store_write',
    { signal }: Pick<StoreContext, 'signal'>,
    work: () => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw abortError(signal);
    try {
      return await work();
    } catch (error) {
      throw signal.aborted ? abortError(signal) : starterError(error, code);
    }
  }
}
