/** A statement's rows. */
export interface PgResult {
  readonly rows: readonly unknown[];
}

/** What runs statements. */
export interface PgQueryable {
  query(text: string, values?: unknown[]): Promise<PgResult>;
}

/** A connection that was taken out of a pool, as `pg` has it. */
export interface PgPoolClient extends PgQueryable {
  release(destroy?: boolean): void;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
}

/** A `Pool` of the package `pg`, or anything of its shape. */
export interface PgPool {
  connect(): Promise<PgPoolClient>;
}

/** A `PGlite` of `@electric-sql/pglite`, or anything of its shape: one connection, with transactions. */
export interface PgLite extends PgQueryable {
  transaction<T>(work: (transaction: PgQueryable) => Promise<T>): Promise<T>;
}
