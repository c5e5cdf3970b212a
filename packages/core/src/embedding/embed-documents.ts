import type { Document } from '../documents/document.js';
import type { BatchingStrategy } from './batching-strategy.js';
import type { DocumentEmbeddingModel, EmbeddingModel, EmbeddingOptions } from './embedding-model.js';

export interface EmbedDocumentsOptions {
  /** Default: the model's `limits`, tokens estimated at four characters each. */
  readonly batchingStrategy?: BatchingStrategy | undefined;
  /** Requests at a time. Default 4. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly options?: EmbeddingOptions | undefined;
}

/**
 * The one way adapters embed: formats by the model's `metadataMode`, batches what is really sent, keeps the order.
 * A request that fails for good does not stop the others; at the end one `EmbeddingError` names what failed and holds the rest.
 */
export declare function embedDocuments(
  model: EmbeddingModel | DocumentEmbeddingModel,
  documents: readonly Document[],
  options?: EmbedDocumentsOptions,
): Promise<Float32Array[]>;
