import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs the ids that failed; the code may be left out. */
export interface BatchErrorOptions extends CodedErrorOptions {
  readonly failedIds: readonly string[];
}

/** Part of a batch did not land. What is not named here did. Default code `store_write`. */
export class BatchError extends VernalError {
  /** Ids of the documents that are not stored or not embedded. */
  declare readonly failedIds: readonly string[];

  constructor(message: string, options: BatchErrorOptions) {
    super(message, { ...options, code: options.code ?? 'store_write' });
    brandError(this, 'BatchError');
    this.failedIds = [...options.failedIds];
  }

  static override is(value: unknown): value is BatchError {
    return hasErrorBrand(value, 'BatchError');
  }
}
