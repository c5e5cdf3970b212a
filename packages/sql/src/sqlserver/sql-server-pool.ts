/** One statement, as `mssql` has it. */
export interface SqlServerRequest {
  input(name: string, value: unknown): unknown;
  query(command: string): Promise<{ readonly recordset?: unknown; readonly rowsAffected: readonly number[] }>;
  cancel(): void;
}

/** A transaction, which takes a connection of the pool from its begin to its end. */
export interface SqlServerTransaction {
  begin(): Promise<unknown>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  request(): SqlServerRequest;
}

/** A `ConnectionPool` of `mssql` that is connected, or anything of its shape. */
export interface SqlServerPool {
  transaction(): SqlServerTransaction;
  request(): unknown;
}
