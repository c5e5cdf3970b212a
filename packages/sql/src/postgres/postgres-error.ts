import { VernalError } from '@vernal/core';
import {
  BUSY,
  CANCELLED,
  COLUMN,
  DEADLOCK,
  DUPLICATE,
  ENDED,
  fieldOf,
  LOST,
  outcomeOfLost,
  RIGHTS,
  type SqlErrorOptions,
  type SqlFault,
  TABLE,
  TOO_LONG,
  UNREACHABLE,
} from '../sql-error.js';

/** SQLSTATEs that pass: no connection, too many of them, a deadlock, a server that is starting or stopping, a lock that is held. */
const PASSING = /^(?:08|53|40|57P0[123]|55P03)/;

const FIXES: Readonly<Record<string, string>> = {
  '42P01': TABLE,
  '42703': COLUMN,
  '3F000': 'the schema does not exist: create it',
  '42501': RIGHTS,
  '28P01': 'the password was refused: check the settings of the pool',
  '28000': 'the user was refused: check the settings of the pool',
  '3D000': 'the database does not exist: create it, or check the settings of the pool',
  '22001': TOO_LONG,
  '22021': 'a text holds U+0000, or what the encoding of the database cannot hold: leave it out, or use UTF8',
  '22P05': 'a text holds what the encoding of the database cannot hold: use UTF8',
  '23505': DUPLICATE,
  '40001': DEADLOCK,
  '40P01': DEADLOCK,
  '55P03': DEADLOCK,
  '57014': CANCELLED,
};

/**
 * What a driver of PostgreSQL threw, as a `VernalError` with the SQLSTATE in `details.sqlstate`. Its words stay out: they quote values.
 * `faults` are by SQLSTATE.
 */
export function postgresError(
  thrown: unknown,
  options: SqlErrorOptions<Readonly<Record<string, SqlFault>>> = {},
): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const { code = 'database', faults = {} } = options;
  const state = fieldOf(thrown, 'code');
  if (typeof state !== 'string' || UNREACHABLE.has(state)) {
    // Neither driver has a code for what was ended.
    const isEnded = thrown instanceof Error && /after calling end on the pool|PGlite is clos/.test(thrown.message);
    const fix = isEnded ? ENDED : LOST;
    const details = { ...(typeof state === 'string' ? { reason: state } : {}), ...outcomeOfLost(fix, state) };
    const message = `PostgreSQL cannot be asked: ${fix}`;
    return new VernalError(message, { code, retryable: !isEnded, details });
  }
  const retryable = PASSING.test(state);
  const { fix, subject } = faults[state] ?? {
    fix: FIXES[state] ?? (retryable ? BUSY : 'see details.sqlstate for what it means'),
  };
  return new VernalError(`PostgreSQL refused: ${fix}`, { code, subject, retryable, details: { sqlstate: state } });
}
