/** A statement, and how its rows are wanted whatever the pool was told. */
export interface MysqlQuery {
  sql: string;
  values?: (string | number | Uint8Array | null)[];
  rowsAsArray: false;
  nestTables: false;
  namedPlaceholders: false;
  supportBigNumbers: true;
  bigNumberStrings: false;
}

/** A connection that was taken out of a pool, as `mysql2/promise` has it. */
export interface MysqlPoolConnection {
  readonly threadId: number | null;
  query(query: MysqlQuery): Promise<[unknown, unknown]>;
  execute(query: MysqlQuery): Promise<[unknown, unknown]>;
  release(): void;
  destroy(): void;
}

/** A `Pool` of `mysql2/promise`, or anything of its shape. */
export interface MysqlPool {
  getConnection(): Promise<MysqlPoolConnection>;
}
