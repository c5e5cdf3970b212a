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
import { MysqlCharacterSetError } from './mysql-session.js';

/** Sources: https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-codes/ */
const PASSING: Readonly<Record<number, string>> = {
  1020: DEADLOCK,
  1040: BUSY,
  1047: BUSY,
  1053: BUSY,
  1158: LOST,
  1159: LOST,
  1160: LOST,
  1161: LOST,
  1203: BUSY,
  1205: DEADLOCK,
  1213: DEADLOCK,
  1226: BUSY,
  1637: BUSY,
  1927: LOST,
  3572: DEADLOCK,
};

const FIXES: Readonly<Record<number, string>> = {
  1044: RIGHTS,
  1045: PASSWORD,
  1049: 'the database does not exist: create it, or check the settings of the pool',
  1054: COLUMN,
  1062: DUPLICATE,
  1142: RIGHTS,
  1143: RIGHTS,
  1146: TABLE,
  1153: 'a value is larger than max_allowed_packet of the server: make that larger',
  1264: 'a number is beyond the range of its column: make that larger',
  1290: 'the server takes no writes: check which server the pool goes to',
  1317: CANCELLED,
  1406: TOO_LONG,
  1461: 'the server keeps too many prepared statements: raise max_prepared_stmt_count, or give the pool a smaller maxPreparedStatements',
  1698: PASSWORD,
  1792: 'the server takes no writes: check which server the pool goes to',
  1836: 'the server takes no writes: check which server the pool goes to',
  1969: CANCELLED,
  3024: CANCELLED,
  3988: 'a text holds what the character set of its column cannot hold: make it utf8mb4',
};

/**
 * What `mysql2` threw, as a `VernalError` with the number of the error in `details.errno` and its name in `details.mysql`. Its words stay
 * out: they quote values. `faults` are by number.
 */
export function mysqlError(
  thrown: unknown,
  options: SqlErrorOptions<Readonly<Record<number, SqlFault>>> = {},
): VernalError {
  const { code = 'database', faults = {} } = options;
  if (VernalError.is(thrown)) return thrown;
  if (thrown instanceof MysqlCharacterSetError)
    return new VernalError(
      "MySQL refused: the connection cannot carry every text: make the pool with charset 'utf8mb4'",
      {
        code,
        subject: 'charset',
        details: { characterSet: thrown.characterSet },
      },
    );
  const [errno, name] = [fieldOf(thrown, 'errno'), fieldOf(thrown, 'code')];
  // Those of Node.js are below zero.
  if (typeof errno !== 'number' || errno <= 0) {
    const isEnded = thrown instanceof Error && /pool is closed|connection is in closed state/i.test(thrown.message);
    const fix = isEnded ? ENDED : LOST;
    return new VernalError(`MySQL cannot be asked: ${fix}`, {
      code,
      retryable: !isEnded,
      details: { ...(typeof name === 'string' ? { reason: name } : {}), ...outcomeOfLost(fix, name) },
    });
  }
  const passing = PASSING[errno];
  const { fix, subject } = faults[errno] ?? {
    fix: passing ?? FIXES[errno] ?? fixOfText(errno, thrown) ?? 'see details for what it means',
  };
  return new VernalError(`MySQL refused: ${fix}`, {
    code,
    subject,
    retryable: passing !== undefined,
    details: { ...(typeof name === 'string' ? { mysql: name, errno } : { errno }), ...outcomeOfLost(fix, name) },
  });
}

/** One number stands for values of every kind that do not fit. */
function fixOfText(errno: number, thrown: unknown): string | undefined {
  if (errno !== 1366) return undefined;
  return String(fieldOf(thrown, 'message')).startsWith('Incorrect string value') ? FIXES[3988] : undefined;
}
