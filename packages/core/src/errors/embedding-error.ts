import { BatchError, type BatchErrorOptions } from './batch-error.js';
import { brandError, hasErrorBrand, hideField } from './error-brand.js';

/** Needs the ids that failed and the vectors that were made; the code may be left out. */
export interface EmbeddingErrorOptions extends BatchErrorOptions {
  readonly embedded: ReadonlyMap<string, Float32Array>;
}

/** Some requests of an `embedDocuments` failed for good. Default code `embedding`. */
export class EmbeddingError extends BatchError {
  /** Vectors that were made, by document id: nothing is paid for twice. */
  declare readonly embedded: ReadonlyMap<string, Float32Array>;

  constructor(message: string, options: EmbeddingErrorOptions) {
    super(message, { ...options, code: options.code ?? 'embedding' });
    brandError(this, 'EmbeddingError');
    hideField(this, 'embedded', options.embedded);
  }

  static override is(value: unknown): value is EmbeddingError {
    return hasErrorBrand(value, 'EmbeddingError');
  }
}
