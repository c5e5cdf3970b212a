import { VernalError } from './vernal-error.js';

/** Part of a batch did not land. What is not named here did. */
export declare class BatchError extends VernalError {
  /** Ids of the documents that are not stored or not embedded. */
  readonly failedIds: readonly string[];
  static override is(value: unknown): value is BatchError;
}
