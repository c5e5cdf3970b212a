import { VernalError } from '@vernal/core';

/** First words of replies that pass: a server that starts, is full, busy, failing over or read only. */
const PASSING = new Set(['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY', 'MISCONF', 'OOM']);
const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH']);

/** Errors of the driver that have no code of their own: it stopped to try, or found no node of a cluster. */
const GIVEN_UP = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError']);
/** By `(?:is )?`: a transaction that was cut in the middle says it otherwise. */
const LOST =
  /connection (?:is )?close|stream isn't writeable|command timed out|socket timeout|connection ended|socket closed|node is disconnected|cluster is(?:n't ready| disconnect)|no master node|startup nodes/i;

const SLOTS = "the keys are in several slots of a cluster: give 'prefix' a hash tag, such as '{docs}:'";

const FIXES: Readonly<Record<string, string>> = {
  NOAUTH: 'the server wants a password: check the options of the client',
  WRONGPASS: 'the password was refused: check the options of the client',
  NOPERM: 'the user may not do this: grant it FT.*, EVAL, HSET, HDEL and UNLINK on the prefix',
  CROSSSLOT: SLOTS,
  OOM: 'the server has no memory left: raise maxmemory, or store less',
  READONLY: 'the server is a replica: point the client at the primary',
  WRONGTYPE: "keys under 'prefix' hold something else than hashes: choose a prefix of its own",
};

const MESSAGES: readonly (readonly [RegExp, fix: string, subject: string])[] = [
  [
    /unknown command/i,
    'it has no query engine: use Redis 8, Redis Stack, or load the module search 2.10 or later',
    'client',
  ],
  [
    /no such index|unknown index name/i,
    "the index does not exist: set initializeSchema to 'create', or create it",
    'index',
  ],
  [/no such scorer/i, "the engine does not know this ranking: set textScorer to 'BM25'", 'textScorer'],
  [/same slot/i, SLOTS, 'prefix'],
  [/vector blob size/i, 'the index has other dimensions: use the model that it was filled with', 'dimensions'],
];

/**
 * What the driver threw, as a `VernalError`: `store_read` or `store_write`, with the first word of the reply in `details.reply`. Its other
 * words stay out: they quote values.
 */
export function redisError(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const first = firstOf(thrown);
  const message = first instanceof Error ? first.message : '';
  const known = MESSAGES.find(([pattern]) => pattern.test(message));
  const reply = /^([A-Z][A-Z_]+)(?: |$)/.exec(message)?.[1];
  const unreachable = isUnreachable(first, message);
  const passing = unreachable || (reply !== undefined && PASSING.has(reply));
  const fix =
    known?.[1] ??
    FIXES[reply ?? ''] ??
    (unreachable ? 'the server cannot be reached: check that it runs, and the options of the client' : undefined) ??
    (passing ? 'the server is busy or restarting: try again later' : 'see details.reply, and the log of the server');
  const details = reply === undefined ? {} : { reply };
  return new VernalError(`Redis refused: ${fix}`, { code, subject: known?.[2], retryable: passing, details });
}

/** A transaction that was refused says why in the errors of its commands. */
function firstOf(thrown: unknown): unknown {
  const previous: unknown =
    typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'previousErrors') : undefined;
  return Array.isArray(previous) && previous.length > 0 ? previous[0] : thrown;
}

/** The driver has no codes for a connection that it gave up. */
function isUnreachable(thrown: unknown, message: string): boolean {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  if (typeof code === 'string' && UNREACHABLE.has(code)) return true;
  if (thrown instanceof Error && GIVEN_UP.has(thrown.name)) return true;
  return LOST.test(message);
}
