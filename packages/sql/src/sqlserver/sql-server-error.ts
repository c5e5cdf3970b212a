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

/**
 * Sources: https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors,
 * https://learn.microsoft.com/azure/azure-sql/database/troubleshoot-common-errors-issues
 */
const PASSING: Readonly<Record<number, string>> = {
  1204: BUSY,
  1205: DEADLOCK,
  1222: DEADLOCK,
  3960: DEADLOCK,
  4221: BUSY,
  10928: BUSY,
  10929: BUSY,
  40143: BUSY,
  40197: BUSY,
  40501: BUSY,
  40540: BUSY,
  40613: BUSY,
  49918: BUSY,
  49919: BUSY,
  49920: BUSY,
};

const FIXES: Readonly<Record<number, string>> = {
  207: COLUMN,
  208: TABLE,
  229: RIGHTS,
  230: RIGHTS,
  262: RIGHTS,
  2601: DUPLICATE,
  2627: DUPLICATE,
  2628: TOO_LONG,
  2760: 'the schema does not exist: create it',
  3906: 'the database takes no writes: check which server the pool goes to',
  4060: 'the database does not exist, or the user may not open it: check the settings of the pool',
  8115: 'a number is beyond the range of its column: make that larger',
  8152: TOO_LONG,
  18456: PASSWORD,
};

/** Codes of the driver, for what has no number of the server. */
const DRIVER: Readonly<Record<string, { readonly fix: string; readonly retryable: boolean }>> = {
  ELOGIN: { fix: PASSWORD, retryable: false },
  ECONNCLOSED: { fix: `${ENDED}, and connected`, retryable: false },
  ENOTOPEN: { fix: `${ENDED}, and connected`, retryable: false },
};

/**
 * What `mssql` threw, as a `VernalError` with the number of the error in `details.sqlserver`. Its words stay out: they quote values.
 * `faults` are by number.
 */
export function sqlServerError(
  thrown: unknown,
  options: SqlErrorOptions<Readonly<Record<number, SqlFault>>> = {},
): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const { code = 'database', faults = {} } = options;
  const [number, name] = [fieldOf(thrown, 'number'), fieldOf(thrown, 'code')];
  if (typeof number !== 'number' || number <= 0) {
    const isSlow = name === 'ETIMEOUT' && fieldOf(thrown, 'name') === 'RequestError';
    const { fix, retryable } = DRIVER[String(name)] ?? { fix: isSlow ? CANCELLED : LOST, retryable: !isSlow };
    const details = { ...(typeof name === 'string' ? { reason: name } : {}), ...outcomeOfLost(fix, name) };
    return new VernalError(`SQL Server cannot be asked: ${fix}`, { code, retryable, details });
  }
  const passing = PASSING[number];
  const { fix, subject } = faults[number] ?? {
    fix: passing ?? FIXES[number] ?? 'see details.sqlserver for what it means',
  };
  return new VernalError(`SQL Server refused: ${fix}`, {
    code,
    subject,
    retryable: passing !== undefined,
    details: { sqlserver: number },
  });
}
