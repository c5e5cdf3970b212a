import { abortError } from '../context/abort-error.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import { safeLogger } from '../logging/safe-logger.js';
import type { RetryOptions, RetryPolicy } from './retry-policy.js';
import { isRetryableError, retryAfterOf } from './retryable-error.js';
import { sleep } from './sleep.js';

const MAX_ATTEMPTS = 11;
const INITIAL_DELAY_MS = 2_000;
const MULTIPLIER = 5;
const MAX_DELAY_MS = 180_000;
const JITTER = 0.2;

/** What `retry` and `retryStream` do between two tries. */
export class RetryWait {
  readonly #policy: RetryPolicy;
  readonly #options: RetryOptions;
  /** Milliseconds on the monotonic clock; read only when there is a deadline. */
  readonly #end: number | undefined;

  /** Throws `invalid_argument` for a number below 0 or NaN, with which the retrying would never end. */
  constructor(policy: RetryPolicy, options: RetryOptions) {
    for (const [name, value] of Object.entries(policy)) {
      if (typeof value === 'number' && !(value >= 0)) throw invalidArgument(name, 'must be a number of at least 0');
    }
    this.#policy = policy;
    this.#options = options;
    this.#end = policy.deadlineMs === undefined ? undefined : performance.now() + policy.deadlineMs;
  }

  /** Comes back when `attempt`, counted from 1, may be followed by another; else throws: `error` itself, or why waiting was given up. */
  async after(attempt: number, error: unknown): Promise<void> {
    const { signal, logger, onRetry } = this.#options;
    if (signal?.aborted) throw abortError(signal);
    if (attempt >= (this.#policy.maxAttempts ?? MAX_ATTEMPTS)) throw error;
    if (!(this.#policy.retryable ?? isRetryableError)(error, attempt)) throw error;
    const delayMs = retryAfterOf(error) ?? this.#delay(attempt);
    if (this.#end !== undefined && performance.now() + delayMs > this.#end) throw error;
    safeLogger(logger).warn('Trying again after a failure', {
      attempt,
      delayMs,
      ...(VernalError.is(error) ? { code: error.code } : undefined),
    });
    onRetry?.({ attempt, delayMs, error });
    await sleep(delayMs, signal);
  }

  #delay(attempt: number): number {
    const { initialDelayMs = INITIAL_DELAY_MS, multiplier = MULTIPLIER, maxDelayMs = MAX_DELAY_MS } = this.#policy;
    const delay = Math.min(initialDelayMs * multiplier ** (attempt - 1), maxDelayMs);
    const jitter = Math.min(Math.max(this.#policy.jitter ?? JITTER, 0), 1);
    return delay * (1 - jitter * Math.random());
  }
}
