import { VernalError } from '@vernal/core';
import { writeOutcome } from '@vernal/core/adapter';

interface Refusal {
  /** As the driver calls it. */
  readonly name: string;
  readonly fix: string;
  readonly passes?: boolean | undefined;
  /** True when the write may have landed for all that. */
  readonly isUncertain?: boolean | undefined;
}

const BUSY = 'the cluster is busy or restarting: try again later';
const SLOW = 'too few replicas answered in time: see whether all are up, or lower the consistency';

/** Section 9 of the native protocol, version 5. What is not here is a failure of the server. */
const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [0x0100, { name: 'badCredentials', fix: 'it wants another user or password: check those of the client, or the url' }],
  [
    0x1000,
    // A conditional write can run short of replicas after it was decided.
    {
      name: 'unavailableException',
      fix: 'too few replicas are up: start them, or lower the consistency',
      passes: true,
      isUncertain: true,
    },
  ],
  [0x1001, { name: 'overloaded', fix: BUSY, passes: true }],
  [0x1002, { name: 'isBootstrapping', fix: BUSY, passes: true }],
  [0x1100, { name: 'writeTimeout', fix: SLOW, passes: true, isUncertain: true }],
  [0x1200, { name: 'readTimeout', fix: SLOW, passes: true, isUncertain: true }],
  [
    0x1300,
    {
      name: 'readFailure',
      fix: 'replicas failed to read: see their logs, for example for too many tombstones',
      isUncertain: true,
    },
  ],
  [0x1500, { name: 'writeFailure', fix: 'replicas failed to write: see their logs', isUncertain: true }],
  [0x1700, { name: 'casWriteUnknown', fix: SLOW, passes: true, isUncertain: true }],
  [0x2000, { name: 'syntaxError', fix: 'it does not know the statement: is it Apache Cassandra 5 or newer?' }],
  [0x2100, { name: 'unauthorized', fix: 'the user may not do this: grant it what the README names, on the keyspace' }],
  [
    0x2200,
    {
      name: 'invalid',
      fix: "keyspace or table does not exist, or has other columns: set initializeSchema to 'always', run cassandraSchema(), or choose a table of its own",
    },
  ],
  [0x2300, { name: 'configError', fix: 'keyspace or table cannot be made so: check replication' }],
]);

/**
 * What the driver threw, as a `VernalError`: `store_read` or `store_write`, with the driver's name of the error in `details.code`, and
 * `details.outcome: 'unknown'` for a conditional write that may have landed. The words of server and driver stay out: they quote values.
 */
export function cassandraError(
  thrown: unknown,
  code: 'store_read' | 'store_write',
  isConditional: boolean = false,
): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const { name, fix, passes = false, isUncertain = false } = refusalOf(thrown);
  const outcome = writeOutcome(isUncertain && isConditional);
  return new VernalError(`Cassandra refused: ${fix}${outcome.sentence}`, {
    code,
    retryable: passes,
    details: { code: name, ...outcome.details },
  });
}

/** True for a write that may have landed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return VernalError.is(error) && error.details['outcome'] === 'unknown';
}

/** True when no host took the statement, and one may do so in a moment. */
export function isUnreachable(thrown: unknown): boolean {
  return nameOf(thrown) === 'NoHostAvailableError' && answerOf(thrown) === undefined;
}

function refusalOf(thrown: unknown): Refusal {
  const answer = answerOf(thrown);
  if (answer !== undefined) return refusalOf(answer);
  const name = nameOf(thrown);
  const code = property(thrown, 'code');
  if (name === 'ResponseError') {
    const other = { name: `0x${Number(code).toString(16)}`, fix: 'it failed: see its log', isUncertain: true };
    return REFUSALS.get(Number(code)) ?? other;
  }
  if (name === 'AuthenticationError')
    return { name: 'badCredentials', fix: 'it wants another user or password: check those of the client, or the url' };
  if (name === 'NoHostAvailableError' || name === 'BusyConnectionError') {
    const fix = 'no host can be reached: check that they run, their addresses and localDataCenter';
    return { name: name.replace(/Error$/, ''), fix, passes: true };
  }
  if (name === 'OperationTimedOutError')
    return {
      name: 'OperationTimedOut',
      fix: 'no host answered in the time of the driver',
      passes: true,
      isUncertain: true,
    };
  if (property(thrown, 'isSocketError') === true || typeof property(thrown, 'syscall') === 'string') {
    const cut = property(thrown, 'requestNotWritten') !== true;
    return {
      name: typeof code === 'string' ? code : 'connectionLost',
      fix: 'the connection was lost',
      passes: true,
      isUncertain: cut,
    };
  }
  if (name === 'ArgumentError' || name === 'TypeError')
    return {
      name,
      fix: 'the driver did not take it: see its options, or whether localDataCenter is the one of the cluster',
    };
  return { name: name || 'unknown', fix: 'the driver failed: see its options and its log', isUncertain: true };
}

/** When the driver has tried all hosts, it says so; what one of them has said is the reason. */
function answerOf(thrown: unknown): unknown {
  const inner = property(thrown, 'innerErrors');
  const errors = typeof inner === 'object' && inner !== null ? Object.values(inner) : [];
  return errors.find((one) => nameOf(one) === 'ResponseError' || nameOf(one) === 'AuthenticationError');
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}

function property(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined;
}
