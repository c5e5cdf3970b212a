import { invalidArgument, VernalError } from '@vernal/core';
import type { SqlDatabase, SqlStatement } from '@vernal/sql';
import type { JdbcDialect } from './jdbc-dialect.js';
import type { JdbcTables } from './jdbc-tables.js';

/** The version of the layout that this release writes. */
export const JDBC_LAYOUT_VERSION = 1;

/** The layout of the tables: what makes it, what is there. */
export interface JdbcSchema {
  readonly database: SqlDatabase;
  readonly dialect: JdbcDialect;
  readonly tables: JdbcTables;
  /** Statements of one's own in the place of the dialect's. */
  readonly script: readonly string[] | undefined;
}

/** What makes the tables of the newest layout, and says so in the table of the version. Nothing happens where they are. */
export function schemaStatements(dialect: JdbcDialect, tables: JdbcTables): SqlStatement[] {
  const { version } = tables;
  return [
    ...dialect.createTables(tables),
    {
      text: `INSERT INTO ${version} (version) SELECT ${JDBC_LAYOUT_VERSION}${dialect.fromNothing ?? ''} WHERE NOT EXISTS (SELECT 1 FROM ${version})`,
    },
  ];
}

/** Makes the tables if it may, and refuses a layout that this release does not know. */
export async function initialiseSchema(schema: JdbcSchema, creates: boolean): Promise<void> {
  const { database, dialect, tables, script } = schema;
  if (creates) {
    const statements = script?.map((text) => ({ text })) ?? schemaStatements(dialect, tables);
    await database.run(statements, { errorCode: 'store_write' });
  }
  checkVersion(await storedVersion(schema));
}

async function storedVersion({ database, tables }: JdbcSchema): Promise<number> {
  const [result] = await database.run([{ text: `SELECT MAX(version) AS version FROM ${tables.version}` }], {
    errorCode: 'store_read',
  });
  return Number(result?.rows[0]?.['version'] ?? 0);
}

function checkVersion(version: number): void {
  if (version === JDBC_LAYOUT_VERSION) return;
  const fix =
    version > JDBC_LAYOUT_VERSION
      ? 'a newer release made them; update @vernal/memory-jdbc'
      : "nobody has finished them; run jdbcSchema(), or set initializeSchema to 'always'";
  throw new VernalError(`The tables have layout ${version}, this release knows ${JDBC_LAYOUT_VERSION}: ${fix}`, {
    code: 'invalid_state',
    subject: 'initializeSchema',
    details: { version, supported: JDBC_LAYOUT_VERSION },
  });
}

/** Throws `invalid_argument` for what is no list of statements. */
export function checkScript(script: unknown): void {
  if (script === undefined) return;
  if (!Array.isArray(script) || script.length === 0 || script.some((one) => typeof one !== 'string' || one === ''))
    throw invalidArgument('schemaScript', 'must be a list of statements');
}
