import type { CallContext } from '../context/call-context.js';
import type { MetadataMode } from '../documents/content-format.js';
import type { Document } from '../documents/document.js';
import type { Metadata } from '../json/metadata.js';
import type { Settings } from '../options/chat-options.js';
import type { Usage } from '../responses/usage.js';

export interface ResolvedEmbeddingOptions {
  readonly model?: string;
  readonly dimensions?: number;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface EmbeddingOptions extends Settings<ResolvedEmbeddingOptions> {}

export interface EmbeddingRequest {
  readonly inputs: readonly string[];
  readonly options?: EmbeddingOptions | undefined;
}

export interface Embedding {
  readonly vector: Float32Array;
  /** Position of its input. */
  readonly index: number;
  readonly metadata?: Metadata;
}

export interface EmbeddingResponse {
  /** By `index`, complete. */
  readonly embeddings: readonly Embedding[];
  readonly metadata: { readonly model?: string; readonly usage: Usage; readonly [key: string]: unknown };
}

export interface EmbeddingModel {
  readonly provider: string;
  /** What of a document is embedded. Default 'embed'. */
  readonly metadataMode?: MetadataMode;
  /** Per request. `maxTokens` is the sum over the inputs of one request. */
  readonly limits?: { readonly maxInputs?: number; readonly maxTokens?: number };
  /** One vector a text, in order. */
  embed(texts: readonly string[], options?: EmbeddingOptions, context?: CallContext): Promise<Float32Array[]>;
  call(request: EmbeddingRequest, context?: CallContext): Promise<EmbeddingResponse>;
  /** From a table or the options where known; else one probe, cached. */
  dimensions(context?: CallContext): Promise<number>;
}

/** Multimodal: takes documents as they are, media included. */
export interface DocumentEmbeddingModel {
  readonly provider: string;
  embedDocuments(
    documents: readonly Document[],
    options?: EmbeddingOptions,
    context?: CallContext,
  ): Promise<Float32Array[]>;
  dimensions(context?: CallContext): Promise<number>;
}
