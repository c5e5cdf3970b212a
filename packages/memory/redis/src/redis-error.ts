import { VernalError } from '@vernal/core';
import { writeOutcome } from '@vernal/core/adapter';

/** First words of replies that pass: a server that starts, is full, busy, failing over, read only, or lacks replicas. */
const PASSING = new Set([
  ...['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY', 'MISCONF', 'OOM', 'NOREPLICAS'],
  ...['UNKILLABLE', 'ASK', 'MOVED'],
]);
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
]);

/** Errors of the driver that have no code of their own: it stopped to try, or found no node of a cluster. */
const GIVEN_UP = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);
const LOST =
  /connection is closed|stream isn't writeable|command timed out|socket timeout|connection ended|socket closed|node is disconnected|cluster is(?:n't ready| disconnect)|no master node|startup nodes/i;

const FIXES: Readonly<Record<string, string>> = {
  NOAUTH: 'the server wants a password: check the options of the client, or the url',
  WRONGPASS: 'the password was refused: check the options of the client, or the url',
  NOPERM:
    'the user may not do this: grant it the commands that the README names, on keys that begin with keyPrefix and on indexName',
  OOM: 'the server has no memory left: raise maxmemory, or store less',
  READONLY: 'the server is a replica: point the client at the primary',
  NOREPLICAS: 'too few replicas are connected for the server to take writes',
  MISCONF: 'the server cannot save its data and takes no writes: see its log',
  WRONGTYPE: 'keys under keyPrefix hold something else: choose a prefix of its own',
};

/**
 * What the driver threw, as a `VernalError`: `store_read` or `store_write`, with the first word of the reply in `details.reply`, or the code of
 * the connection in `details.code`. Its other words stay out: they quote values.
 */
export function redisError(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : '';
  const reply = /^([A-Z][A-Z_]+)(?: |$)/.exec(message)?.[1];
  const lost = connectionCode(thrown, message);
  const passing = lost !== undefined || (reply !== undefined && PASSING.has(reply));
  const fix =
    FIXES[reply ?? ''] ??
    (lost === undefined
      ? undefined
      : 'the server cannot be reached: check that it runs, and the options of the client') ??
    (passing ? 'the server is busy or restarting: try again later' : 'see details.reply, and the log of the server');
  const found = reply !== undefined && lost === undefined ? { reply } : lost === undefined ? {} : { code: lost };
  const outcome = writeOutcome(code === 'store_write' && lost !== undefined);
  return new VernalError(`Redis refused: ${fix}${outcome.sentence}`, {
    code,
    retryable: passing,
    details: { ...found, ...outcome.details },
  });
}

export function timeoutError(code: 'store_read' | 'store_write', timeoutMs: number): VernalError {
  const outcome = writeOutcome(code === 'store_write');
  return new VernalError(
    `Redis did not answer within ${timeoutMs} ms: check the server and the connection, or raise timeoutMs${outcome.sentence}`,
    { code: 'timeout', subject: 'timeoutMs', retryable: true, details: { timeoutMs, ...outcome.details } },
  );
}

/** The driver has no codes for a connection that it gave up. */
function connectionCode(thrown: unknown, message: string): string | undefined {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  if (typeof code === 'string' && UNREACHABLE.has(code)) return code;
  if (thrown instanceof Error && GIVEN_UP.has(thrown.name)) return thrown.name;
  return LOST.test(message) ? 'CONNECTION_LOST' : undefined;
}
