import { throwIfAborted } from '../context/abort-error.js';
import { singleUseStream } from '../streams/single-use-stream.js';
import type { RetryOptions, RetryPolicy } from './retry-policy.js';
import { RetryWait } from './retry-wait.js';

/**
 * Tries until it succeeds or the policy has enough. A Retry-After (`retryAfterMs`) is waited out in place of the computed delay. After the
 * last try the original error is thrown; also when the next wait would pass the deadline. A number of the policy that is below 0 or NaN is
 * `invalid_argument`. The signal ends a wait at once (`aborted` or
 * `timeout`) and is looked at before each try; a try that runs is the operation's own to abort.
 *
 * @example
 * await retry((attempt) => store.write(batch, attempt), { maxAttempts: 3, initialDelayMs: 100 }, { signal });
 */
export async function retry<T>(
  operation: (attempt: number) => Promise<T>,
  policy: RetryPolicy = {},
  options: RetryOptions = {},
): Promise<T> {
  const wait = new RetryWait(policy, options);
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(options.signal);
    try {
      return await operation(attempt);
    } catch (error) {
      await wait.after(attempt, error);
    }
  }
}

/**
 * The same for streams: repeats until the first item has been handed out, never after it.
 * A failure later is thrown as it is. Nothing is opened before the first `next()`; leaving the loop closes the source.
 */
export function retryStream<T>(
  open: (attempt: number) => AsyncIterable<T>,
  policy: RetryPolicy = {},
  options: RetryOptions = {},
): AsyncIterable<T> {
  return singleUseStream(() =>
    retry(
      async (attempt) => {
        const source = open(attempt)[Symbol.asyncIterator]();
        return startingWith(await source.next(), source);
      },
      policy,
      options,
    ),
  );
}

function startingWith<T>(first: IteratorResult<T>, source: AsyncIterator<T>): AsyncIterator<T> {
  let next: (() => Promise<IteratorResult<T>>) | undefined = () => Promise.resolve(first);
  return {
    next() {
      const handOut = next;
      next = undefined;
      return handOut === undefined ? source.next() : handOut();
    },
    return: (value) => source.return?.(value) ?? Promise.resolve({ done: true, value: undefined }),
  };
}
