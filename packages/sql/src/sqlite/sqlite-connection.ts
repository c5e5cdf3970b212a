/** What is bound to a statement. */
export type SqliteValue = string | number | Uint8Array | null;

/** A prepared statement, as the drivers have it. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  all(...values: SqliteValue[]): unknown[];
}

/** A synchronous connection: a `Database` of `better-sqlite3` or `libsql`, a `DatabaseSync` of `node:sqlite`, or anything of their shape. */
export interface SqliteConnection {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}
