import type { CassandraConnection } from './cassandra-connection.js';
import type { MemoryNames } from './memory-names.js';
import type { MemoryStatements } from './memory-statements.js';

/** What every call works with. */
export interface MemorySession {
  readonly connection: CassandraConnection;
  readonly cql: MemoryStatements;
  readonly names: MemoryNames;
}
