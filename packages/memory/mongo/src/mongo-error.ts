import { type JsonValue, VernalError } from '@vernal/core';
import { writeOutcome } from '@vernal/core/adapter';

const DUPLICATE_KEY = 11_000;

/** Names of the driver's errors that mean: there is no server to be had. */
const NO_SERVER = new Set(['MongoServerSelectionError', 'MongoTopologyClosedError']);

/** There was no connection to be had: nothing was sent. */
const NO_CONNECTION = new Set([
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoWaitQueueTimeoutError',
]);

/** The connection broke, or answered too late. */
const BROKEN = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedOnNetworkError',
  'MongoStalePrimaryError',
  'MongoOperationTimeoutError',
]);

/** The client was closed by whoever owns it, which no later try changes. */
const CLOSED = new Set(['MongoNotConnectedError', 'MongoClientClosedError', 'MongoExpiredSessionError']);

/** Codes of servers that step down, shut down, are too slow or too busy. */
const PASSING = new Set([
  ...[6, 7, 50, 64, 89, 91, 112, 133, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436, 16_500],
]);

const FIXES: Readonly<Record<number, string>> = {
  13: 'the user may not do this: it needs readWrite on the database, and for initializeSchema createIndex',
  18: 'the user or its password was refused: check the options of the client, or the url',
  64: 'too few members of the replica set have confirmed the write in time',
  85: 'there is an index on the same field with other options: drop it, or see MONGO_MEMORY_INDEXES',
  86: 'there is an index of the same name on other fields: drop it, or see MONGO_MEMORY_INDEXES',
  115: 'the server does not know a command that is needed: ttlMs needs TTL indexes',
  121: 'the collection has a validator that refuses the documents: see the README for what they hold',
  238: 'the server does not know a command that is needed: ttlMs needs TTL indexes',
  8000: 'the user or its password was refused: check the options of the client, or the url',
};

/**
 * What the driver threw, as a `VernalError`: `store_read` or `store_write`, with the name of the driver's error and the code of the server in
 * the details. Its words stay out: they quote values.
 */
export function mongoError(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  if (VernalError.is(thrown)) return thrown;
  return errorOf(underlying(thrown), code);
}

function errorOf(thrown: unknown, code: 'store_read' | 'store_write'): VernalError {
  const name = nameOf(thrown);
  const serverCode = numberIn(thrown, 'code');
  const codeName = Reflect.get(Object(thrown), 'codeName');
  const retryable = isAway(thrown);
  const details: Record<string, JsonValue> = { error: name };
  if (serverCode !== undefined) details['code'] = serverCode;
  if (typeof codeName === 'string') details['codeName'] = codeName;
  const outcome = writeOutcome(code === 'store_write' && isLost(thrown));
  return new VernalError(`MongoDB refused: ${fixOf(name, serverCode, retryable)}${outcome.sentence}`, {
    code,
    retryable,
    details: { ...details, ...outcome.details },
  });
}

/** True when the answer was lost, so that nobody knows whether the server did what it was told. */
export function isLost(thrown: unknown): boolean {
  const error = underlying(thrown);
  return BROKEN.has(nameOf(error)) || PASSING.has(numberIn(error, 'code') ?? 0);
}

/** True when another connection may do better. */
export function isBroken(thrown: unknown): boolean {
  return isLost(thrown) || NO_CONNECTION.has(nameOf(underlying(thrown)));
}

/** True when the server is away, or is busy: the same call may succeed later. */
export function isAway(thrown: unknown): boolean {
  return isBroken(thrown) || NO_SERVER.has(nameOf(underlying(thrown)));
}

/** True when somebody has taken the id already. */
export function isDuplicate(thrown: unknown): boolean {
  return numberIn(thrown, 'code') === DUPLICATE_KEY;
}

/** True when the server says that it does not have what was asked for: it is not MongoDB itself. */
export function isNotImplemented(thrown: unknown): boolean {
  return [115, 238].includes(numberIn(thrown, 'code') ?? 0);
}

/** An insert of many wraps whatever went wrong, and has no `cause`. */
function underlying(thrown: unknown): unknown {
  const wrapped: unknown = Reflect.get(Object(thrown), 'errorResponse');
  return wrapped instanceof Error ? wrapped : thrown;
}

function fixOf(name: string, code: number | undefined, retryable: boolean): string {
  const known = FIXES[code ?? 0];
  if (known !== undefined) return known;
  if ([NO_SERVER, NO_CONNECTION, BROKEN].some((names) => names.has(name)))
    return 'the server cannot be reached: check that it runs, and the options of the client';
  if (CLOSED.has(name)) return 'the client is closed: keep it open as long as the repository is used';
  return retryable
    ? 'the server is busy or changes its primary: try again later'
    : 'see the details, and the log of the server';
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'unknown';
}

/** A client may have numbers come as types of BSON. */
function numberIn(thrown: unknown, name: string): number | undefined {
  const value: unknown = Reflect.get(Object(thrown), name);
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isInteger(number) ? number : undefined;
}
