import type { WireErrorKind, WireReply } from './chat-model-wire.js';

/** How a provider speaks about embeddings. */
export interface EmbeddingModelWire {
  /** Answers a request with the vectors of `hashingEmbeddingModel`, so that equal texts get equal vectors. */
  call(body: unknown): WireReply;
  error(kind: Exclude<WireErrorKind, 'mid-stream'>): WireReply;
  /** The texts of a request. */
  inputs(body: unknown): readonly string[];
}
