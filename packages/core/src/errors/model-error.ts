import { VernalError } from './vernal-error.js';

/** A model or its provider said no. */
export declare class ModelError extends VernalError {
  readonly provider: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** The provider's own request id. */
  readonly requestId?: string;
  static override is(value: unknown): value is ModelError;
}
