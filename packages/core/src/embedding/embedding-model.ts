import type { CallContext } from '../context/call-context.js';
import type { MetadataMode } from '../documents/content-format.js';
import type { Document } from '../documents/document.js';
import type { Metadata } from '../json/metadata.js';
import type { Settings } from '../options/chat-options.js';
import type { Usage } from '../responses/usage.js';

/** The portable options without null or undefined: what a model works from once everything is merged. */
export interface ResolvedEmbeddingOptions {
  readonly model?: string;
  /** Length of the vectors, for models that can shorten them. */
  readonly dimensions?: number;
  /** Typed options of providers, by provider name; read only by their owner. Merged per provider and key. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Options as a caller writes them: undefined keeps the model's default, null unsets it. Source: `EmbeddingOptions` of spring-ai-model. */
export interface EmbeddingOptions extends Settings<ResolvedEmbeddingOptions> {}

/** Texts for one call of a model, with options for it. Source: `EmbeddingRequest` of spring-ai-model. */
export interface EmbeddingRequest {
  readonly inputs: readonly string[];
  readonly options?: EmbeddingOptions | undefined;
}

/** The vector of one input. Source: `Embedding` of spring-ai-model. */
export interface Embedding {
  readonly vector: Float32Array;
  /** Position of its input. */
  readonly index: number;
  readonly metadata?: Metadata;
}

/** What one call of a model gave: a vector for each input. Source: `EmbeddingResponse` of spring-ai-model. */
export interface EmbeddingResponse {
  /** By `index`, complete. */
  readonly embeddings: readonly Embedding[];
  readonly metadata: { readonly model?: string; readonly usage: Usage; readonly [key: string]: unknown };
}

/**
 * Turns texts into vectors. `BaseEmbeddingModel` is the part that providers share; documents are embedded by `embedDocuments`.
 * Source: `EmbeddingModel` of spring-ai-model.
 */
export interface EmbeddingModel {
  /** Lower case, stable: 'openai', 'ollama'. The key of `providerOptions` and of telemetry. */
  readonly provider: string;
  /** What a call without options gets. Its `model` tells stores whose vectors they keep: vectors of two names are never compared. */
  readonly defaultOptions?: ResolvedEmbeddingOptions;
  /** What of a document is embedded. Default 'embed'. */
  readonly metadataMode?: MetadataMode;
  /** Per request. `maxTokens` is the sum over the inputs of one request. */
  readonly limits?: { readonly maxInputs?: number; readonly maxTokens?: number };
  /** One vector a text, in order. */
  embed(texts: readonly string[], options?: EmbeddingOptions, context?: CallContext): Promise<Float32Array[]>;
  /** One request, with usage and metadata. */
  call(request: EmbeddingRequest, context?: CallContext): Promise<EmbeddingResponse>;
  /** From a table or the options where known; else one probe, cached. */
  dimensions(context?: CallContext): Promise<number>;
}

/** Multimodal: takes documents as they are, media included. Source: `DocumentEmbeddingModel` of spring-ai-model. */
export interface DocumentEmbeddingModel {
  readonly provider: string;
  /** As in `EmbeddingModel`. */
  readonly defaultOptions?: ResolvedEmbeddingOptions;
  /** One vector a document, in order. */
  embedDocuments(
    documents: readonly Document[],
    options?: EmbeddingOptions,
    context?: CallContext,
  ): Promise<Float32Array[]>;
  dimensions(context?: CallContext): Promise<number>;
}
