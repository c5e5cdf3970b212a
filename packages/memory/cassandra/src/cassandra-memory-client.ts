import type { CassandraMemoryRetryPolicy } from './never-again.js';

/** How a statement is run. */
export interface CassandraMemoryQueryOptions {
  readonly prepare: true;
  readonly consistency: number;
  readonly serialConsistency?: number;
  readonly isIdempotent: boolean;
  readonly retry?: CassandraMemoryRetryPolicy;
  readonly logged?: boolean;
  readonly fetchSize?: number;
  readonly pageState?: string;
}

/** A row, by the names of its columns. */
export type CassandraMemoryRow = Readonly<Record<string, unknown>>;

/** What the driver gives for a statement. */
export interface CassandraMemoryResult {
  /** Absent for what gives no rows. */
  readonly rows?: readonly CassandraMemoryRow[] | undefined;
  /** Where the next page begins; absent or null on the last one. */
  readonly pageState?: string | null | undefined;
  /** Says after a statement of definition whether the replicas agree on it: `isSchemaInAgreement`. */
  readonly info: object;
}

/** A statement with its values. */
export interface CassandraMemoryStatement {
  readonly query: string;
  readonly params: unknown[];
}

/** A `Client` of the package `cassandra-driver`, 4.7 or newer, or anything of its shape. */
export interface CassandraMemoryClient {
  execute(query: string, params?: unknown[], options?: CassandraMemoryQueryOptions): Promise<CassandraMemoryResult>;
  batch(queries: CassandraMemoryStatement[], options?: CassandraMemoryQueryOptions): Promise<CassandraMemoryResult>;
}
