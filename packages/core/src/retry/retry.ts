import type { RetryOptions, RetryPolicy } from './retry-policy.js';

/** A Retry-After (`retryAfterMs`) is waited out in place of the computed delay. After the last try the original error is thrown. */
export declare function retry<T>(
  operation: (attempt: number) => Promise<T>,
  policy?: RetryPolicy,
  options?: RetryOptions,
): Promise<T>;

/**
 * The same for streams: repeats until the first item has been handed out, never after it.
 * A failure later is thrown as it is.
 */
export declare function retryStream<T>(
  open: (attempt: number) => AsyncIterable<T>,
  policy?: RetryPolicy,
  options?: RetryOptions,
): AsyncIterable<T>;
