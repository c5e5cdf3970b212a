import type { SignalOptions } from '@vernal/core';

/** What every search takes. */
export interface RedisMemorySearchOptions extends SignalOptions {
  /** At most so many messages, the oldest of those that match; 1 to 10,000. Default 100. */
  readonly limit?: number | undefined;
}

/** What a query of one's own takes besides. */
export interface RedisMemoryQueryOptions extends RedisMemorySearchOptions {
  /** Values that the query names as `$name`, which keeps them out of its language. Default none. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}
