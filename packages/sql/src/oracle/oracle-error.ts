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
  PASSWORD,
  RIGHTS,
  type SqlErrorOptions,
  type SqlFault,
  TABLE,
  TOO_LONG,
} from '../sql-error.js';

/** Sources: https://docs.oracle.com/error-help/db/, and the messages of the driver for those that begin with NJS. */
const PASSING: Readonly<Record<string, string>> = {
  'ORA-00018': BUSY,
  'ORA-00020': BUSY,
  'ORA-00028': LOST,
  'ORA-00054': DEADLOCK,
  'ORA-00060': DEADLOCK,
  'ORA-01012': LOST,
  'ORA-01033': BUSY,
  'ORA-01034': BUSY,
  'ORA-01089': BUSY,
  'ORA-01090': BUSY,
  'ORA-03113': LOST,
  'ORA-03114': LOST,
  'ORA-03135': LOST,
  'ORA-08177': DEADLOCK,
  'ORA-12514': BUSY,
  'ORA-12516': BUSY,
  'ORA-12519': BUSY,
  'ORA-12520': BUSY,
  'ORA-12537': LOST,
  'ORA-12541': LOST,
  'ORA-30006': DEADLOCK,
  'NJS-040': BUSY,
  'NJS-076': BUSY,
  'NJS-500': LOST,
  'NJS-501': LOST,
  'NJS-503': LOST,
  'NJS-510': LOST,
  'NJS-511': LOST,
  'NJS-513': LOST,
  'NJS-521': LOST,
  'NJS-530': LOST,
};

const FIXES: Readonly<Record<string, string>> = {
  'ORA-00001': DUPLICATE,
  'ORA-00904': COLUMN,
  'ORA-00942': TABLE,
  'ORA-01013': CANCELLED,
  'ORA-01017': PASSWORD,
  'ORA-01031': RIGHTS,
  'ORA-01400': 'a column takes no NULL, which an empty text is to Oracle: give a text, or let the column take NULL',
  'ORA-01438': 'a number is beyond the range of its column: make that larger',
  'ORA-12899': TOO_LONG,
  'NJS-064': ENDED,
  'NJS-065': ENDED,
  'NJS-123': CANCELLED,
};

/**
 * What `oracledb` threw, as a `VernalError` with the code of the error in `details.oracle`. Its words stay out: they quote values. `faults`
 * are by code, such as `'ORA-00942'`.
 */
export function oracleError(
  thrown: unknown,
  options: SqlErrorOptions<Readonly<Record<string, SqlFault>>> = {},
): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const { code = 'database', faults = {} } = options;
  const name = fieldOf(thrown, 'code');
  if (typeof name !== 'string')
    return new VernalError(`Oracle cannot be asked: ${LOST}`, {
      code,
      retryable: true,
      details: outcomeOfLost(LOST, name),
    });
  const passing = PASSING[name];
  const { fix, subject } = faults[name] ?? {
    fix: passing ?? FIXES[name] ?? 'see details.oracle for what it means',
  };
  return new VernalError(`Oracle refused: ${fix}`, {
    code,
    subject,
    retryable: passing !== undefined,
    details: { oracle: name, ...outcomeOfLost(fix, name) },
  });
}
