import type { SqlDatabase, SqlDialect } from '@vernal/sql';
import type { JdbcDialect } from '../jdbc-dialect.js';
import { mysqlDialect } from './mysql.js';
import { oracleDialect } from './oracle.js';
import { postgresDialect } from './postgres.js';
import { sqlServerDialect } from './sql-server.js';
import { sqliteDialect } from './sqlite.js';

const DIALECTS: Readonly<Record<SqlDialect, JdbcDialect>> = {
  postgres: postgresDialect,
  sqlite: sqliteDialect,
  mysql: mysqlDialect,
  sqlserver: sqlServerDialect,
  oracle: oracleDialect,
};

/** The dialect that a database speaks. */
export function dialectOf({ dialect }: Pick<SqlDatabase, 'dialect'>): JdbcDialect {
  return DIALECTS[dialect];
}
