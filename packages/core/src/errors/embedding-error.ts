import { BatchError } from './batch-error.js';

/** Some requests of an `embedDocuments` failed for good. */
export declare class EmbeddingError extends BatchError {
  /** Vectors that were made, by document id: nothing is paid for twice. */
  readonly embedded: ReadonlyMap<string, Float32Array>;
  static override is(value: unknown): value is EmbeddingError;
}
