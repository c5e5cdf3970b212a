import { VernalError } from '@vernal/core';
import { COLUMN, DUPLICATE, type SqlErrorOptions, type SqlFault, TABLE } from '../sql-error.js';

/** Source: https://sqlite.org/rescode.html */
const NAMES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};
const PASSING: readonly string[] = ['SQLITE_BUSY', 'SQLITE_LOCKED'];

/** SQLite gives most faults one code, and only its words tell them apart. */
export interface SqliteFault extends SqlFault {
  /** Of the words of SQLite or its driver. */
  readonly pattern: RegExp;
}

const CANNOT_OPEN = 'the file cannot be opened: check the path and the rights on it';

const FAULTS: readonly SqliteFault[] = [
  // libsql gives no code for it.
  { pattern: /Unable to open connection to local database/i, fix: CANNOT_OPEN },
  { pattern: /no such table/i, fix: TABLE },
  { pattern: /no such column|has no column/i, fix: COLUMN },
  { pattern: /UNIQUE constraint failed/, fix: DUPLICATE },
  { pattern: /unknown database/i, fix: 'no database is attached under the name of the schema' },
  { pattern: /(?:database|connection).*(?:not open|closed)/i, fix: 'the database is closed: close it later' },
];

const CODE_FIXES: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another connection is writing: try again later, or give the connection a busy timeout',
  SQLITE_LOCKED: 'another statement of this connection is at the table: try again later',
  SQLITE_READONLY: 'the database was opened for reading only',
  SQLITE_FULL: 'the disk or the database is full',
  SQLITE_CANTOPEN: CANNOT_OPEN,
  SQLITE_CORRUPT: 'the file is damaged: take the last backup',
  SQLITE_NOTADB: 'the file is no database, or an encrypted one',
  SQLITE_TOOBIG: 'a text is longer than SQLite takes',
};

/**
 * What a driver of SQLite threw, as a `VernalError` with the primary result code in `details.sqlite`. Its words stay out: they may quote
 * values. Of `faults` the first whose pattern is found in them is told.
 */
export function sqliteError(thrown: unknown, options: SqlErrorOptions<readonly SqliteFault[]> = {}): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const { code = 'database', faults = [] } = options;
  const name = resultCode(thrown);
  const known = [...faults, ...FAULTS].find(({ pattern }) => thrown instanceof Error && pattern.test(thrown.message));
  const fix =
    known?.fix ??
    CODE_FIXES[name ?? ''] ??
    (name === undefined ? 'the driver gave no result code' : 'see details.sqlite for what it means');
  return new VernalError(`SQLite refused: ${fix}`, {
    code,
    subject: known?.subject,
    retryable: name !== undefined && PASSING.includes(name),
    details: name === undefined ? {} : { sqlite: name },
  });
}

/** better-sqlite3 and libsql give a name in `code`, extended or not; node:sqlite the number in `errcode`. */
function resultCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const [code, number]: unknown[] = [Reflect.get(thrown, 'code'), Reflect.get(thrown, 'errcode')];
  if (typeof number === 'number') return NAMES[number & 0xff] ?? `SQLITE_${number}`;
  if (typeof code !== 'string') return undefined;
  return /^SQLITE_[A-Z]+/.exec(code)?.[0];
}
