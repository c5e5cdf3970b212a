import type { SqlDatabase } from '@vernal/sql';

/** A database, and the connections that were opened for it. */
export interface OpenedSqlDatabase extends AsyncDisposable {
  readonly database: SqlDatabase;
  /** Closes all connections, once; what runs is waited for where the driver does so. */
  close(): Promise<void>;
}

/** `end`: what closes the client, at most once. */
export function openedDatabase(database: SqlDatabase, end: () => unknown): OpenedSqlDatabase {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= Promise.resolve(end()).then(() => {});
    return closing;
  };
  return { database, close, [Symbol.asyncDispose]: close };
}
