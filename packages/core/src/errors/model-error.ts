import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs the provider; the code may be left out. */
export interface ModelErrorOptions extends CodedErrorOptions {
  readonly provider: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/**
 * A model or its provider said no. Default code `model_error`; `modelErrorCode` and `isRetryableStatus` read an HTTP status.
 * Source: `TransientAiException` and `NonTransientAiException` of spring-ai-retry, as one class with `retryable`.
 */
export class ModelError extends VernalError {
  /** As the model names itself: 'openai', 'anthropic'. */
  declare readonly provider: string;
  /** HTTP status, if there was an answer. */
  declare readonly status?: number;
  /** The provider's own request id. */
  declare readonly requestId?: string;

  constructor(message: string, options: ModelErrorOptions) {
    super(message, { ...options, code: options.code ?? 'model_error' });
    brandError(this, 'ModelError');
    this.provider = options.provider;
    if (options.status !== undefined) this.status = options.status;
    if (options.requestId !== undefined) this.requestId = options.requestId;
  }

  static override is(value: unknown): value is ModelError {
    return hasErrorBrand(value, 'ModelError');
  }
}
