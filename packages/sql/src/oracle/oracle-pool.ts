/** How a statement is run, whatever the driver was told for all of them. */
export interface OracleExecuteOptions {
  autoCommit: false;
  outFormat: number;
  resultSet: false;
  maxRows: 0;
}

/** A connection that was taken out of a pool, as `oracledb` has it. */
export interface OraclePoolConnection {
  execute(
    text: string,
    values: (string | number | Uint8Array)[],
    options: OracleExecuteOptions,
  ): Promise<{ rows?: unknown[] | undefined; rowsAffected?: number | undefined }>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  break(): Promise<void>;
  close(options?: { drop?: boolean }): Promise<void>;
}

/** A `Pool` of `oracledb`, or anything of its shape. */
export interface OraclePool {
  getConnection(): Promise<OraclePoolConnection>;
  readonly connectionsInUse: number;
}
