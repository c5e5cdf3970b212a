/** What a `RetryPolicy` of the driver answers. */
export interface CassandraMemoryRetryDecision {
  readonly decision: number;
  readonly consistency: number;
}

/** The shape of a `RetryPolicy` of the driver. */
export interface CassandraMemoryRetryPolicy {
  onReadTimeout(): CassandraMemoryRetryDecision;
  onRequestError(): CassandraMemoryRetryDecision;
  onUnavailable(): CassandraMemoryRetryDecision;
  onWriteTimeout(): CassandraMemoryRetryDecision;
  rethrowResult(): CassandraMemoryRetryDecision;
  retryResult(): CassandraMemoryRetryDecision;
}

/** `RetryPolicy.retryDecision.rethrow`, which needs no consistency. */
const rethrow = (): CassandraMemoryRetryDecision => ({ decision: 0, consistency: 0 });

/**
 * For conditional writes, whatever the client's own policy is: one that lands and is sent again hears the second time that it has lost.
 */
export const NEVER_AGAIN: CassandraMemoryRetryPolicy = {
  onReadTimeout: rethrow,
  onRequestError: rethrow,
  onUnavailable: rethrow,
  onWriteTimeout: rethrow,
  rethrowResult: rethrow,
  retryResult: rethrow,
};
