import { VernalError } from '@vernal/core';
import { writeOutcome } from '@vernal/core/adapter';

/** What passes by itself, or was undone by the server and may be tried at once. Others say so in the second part of their code. */
const PASSING = new Set([
  'ServiceUnavailable',
  'SessionExpired',
  'Neo.ClientError.Security.AuthorizationExpired',
  'Neo.ClientError.Cluster.NotALeader',
  // Somebody has deleted the conversation while the statement waited for it.
  'Neo.ClientError.Statement.EntityNotFound',
]);

const LOST = new Set(['ServiceUnavailable', 'SessionExpired']);
const TIMED_OUT = /^Neo\.ClientError\.Transaction\.TransactionTimedOut/;

const FIXES: Readonly<Record<string, string>> = {
  'Neo.ClientError.Security.Unauthorized':
    'user or password were refused: check the url, or what the driver logs in with',
  'Neo.ClientError.Security.Forbidden': 'the user may not do this: see the rights that the README names',
  'Neo.ClientError.Database.DatabaseNotFound': 'there is no such database: check `database`',
  'Neo.ClientError.Statement.SyntaxError': 'it does not know the Cypher of Neo4j 5.6: update the server',
  'Neo.ClientError.Schema.IndexAlreadyExists':
    'there is another index on the key of the session label: drop it, or choose another label',
  'Neo.ClientError.Schema.ConstraintValidationFailed': 'nodes of the session label are there twice by their key',
  'Neo.DatabaseError.Schema.ConstraintCreationFailed': 'nodes of the session label are there twice by their key',
};

const MEMORY = /OutOfMemory|MemoryLimit/;

/** Whether the same statement may be sent again: a write that had landed all the same is known by its token. */
export function passes(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return PASSING.has(code) || (code.startsWith('Neo.TransientError.') && !MEMORY.test(code));
}

/**
 * What the driver threw, as a `VernalError`: `store_read`, `store_write`, or `timeout`, with the code of Neo4j in `details.code`. Its words stay
 * out: they quote values.
 */
export function neo4jError(thrown: unknown, code: 'store_read' | 'store_write', timeoutMs: number): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const native = codeOf(thrown);
  if (TIMED_OUT.test(native)) return timeoutError(code, timeoutMs);
  const outcome = writeOutcome(code === 'store_write' && LOST.has(native));
  const details = { ...(native === '' ? {} : { code: native }), ...outcome.details };
  return new VernalError(`Neo4j refused: ${fixOf(native)}${outcome.sentence}`, {
    code,
    retryable: passes(thrown),
    details,
  });
}

export function timeoutError(code: 'store_read' | 'store_write', timeoutMs: number): VernalError {
  const outcome = writeOutcome(code === 'store_write');
  return new VernalError(
    `Neo4j did not answer within ${timeoutMs} ms: check the server and the connection, or raise timeoutMs${outcome.sentence}`,
    { code: 'timeout', subject: 'timeoutMs', retryable: true, details: { timeoutMs, ...outcome.details } },
  );
}

function fixOf(code: string): string {
  const known = FIXES[code];
  if (known !== undefined) return known;
  if (LOST.has(code)) return 'the server cannot be reached: check that it runs, and its address';
  if (MEMORY.test(code))
    return 'the transaction needs more memory than the server allows: store less at once, or raise its limit';
  if (code.startsWith('Neo.TransientError.')) return 'the server is busy or restarting: try again later';
  return 'see details.code, and the log of the server';
}

function codeOf(thrown: unknown): string {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  return typeof code === 'string' ? code : '';
}
