import type { CallContext, VernalErrorCode } from '@vernal/core';

/**
 * What is bound to a statement, and comes back. A text holds no U+0000 and no half of a surrogate pair, for engines refuse or cut these.
 * PostgreSQL gives integers of 64 bits as text, the others only those that no number holds.
 */
export type SqlValue = string | number | Uint8Array | null;

/** A statement with its values. */
export interface SqlStatement {
  /** With a `?` for each value, in the dialect of the database. Holds no other question mark. */
  readonly text: string;
  readonly values?: readonly SqlValue[] | undefined;
}

/** What a statement gave. */
export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were inserted, updated or deleted; of a query it says nothing. */
  readonly changes: number;
}

/** What is written differently. MariaDB counts as `'mysql'`; `SELECT VERSION()` tells them apart. */
export type SqlDialect = 'postgres' | 'sqlite' | 'mysql' | 'sqlserver' | 'oracle';

/** How a list of statements is run. All may be left out. */
export interface SqlRunContext extends CallContext {
  /** The code of what fails, for stores that tell `'store_read'` from `'store_write'`. Default `'database'`. */
  readonly errorCode?: VernalErrorCode | undefined;
}

/**
 * A database as packages of Vernal use it: statements go in lists, each of which is one transaction, so that nothing of others comes in
 * between, even on the one connection that a SQLite application has. Whoever made the connection closes it.
 */
export interface SqlDatabase {
  readonly dialect: SqlDialect;
  /** True for an engine inside of the application: SQLite, PGlite. */
  readonly isEmbedded: boolean;
  /**
   * All of them or none, one after the other. What a deadlock undid is run again, a few times. An abort ends the running statement and rolls back, where the driver lets it. MySQL and
   * Oracle commit at statements that create or drop, so that a list with one of these is not undone.
   *
   * @throws VernalError `database`, or the code of the context, with the engine's code in `details`, never with values; `aborted` or
   * `timeout` by the signal; `invalid_argument` for values that are none, which runs nothing
   */
  run(statements: readonly SqlStatement[], context?: SqlRunContext): Promise<readonly SqlResult[]>;
}
