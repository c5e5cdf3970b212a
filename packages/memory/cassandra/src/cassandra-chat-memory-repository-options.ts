import type { InitializeMemorySchema } from '@vernal/core/adapter';
import type { CassandraMemoryClient } from './cassandra-memory-client.js';
import type { CassandraReplication } from './cassandra-schema.js';
import type { CassandraMemoryConsistency, CassandraMemorySerialConsistency } from './consistency.js';
import type { CassandraMemoryNames } from './memory-names.js';

/** One of `client`, `url` and `contactPoints` is needed. */
export interface CassandraChatMemoryRepositoryOptions extends CassandraMemoryNames {
  /** A `Client` of `cassandra-driver`. It stays yours: `close()` leaves it open. */
  readonly client?: CassandraMemoryClient | undefined;
  /**
   * Where the cluster is: `cassandra://USER:PASSWORD@HOST:9042,HOST2/KEYSPACE?localDataCenter=datacenter1&ssl=true`; all but the first host may be
   * left out. `cassandra-driver` is imported at the first use, and what was opened is closed by `close()`.
   */
  readonly url?: string | undefined;
  /** The same as a list of `HOST` or `HOST:PORT`. */
  readonly contactPoints?: readonly string[] | undefined;
  /** With `contactPoints`. Default `'datacenter1'`, as Cassandra calls its only one. */
  readonly localDataCenter?: string | undefined;
  /** With `contactPoints`. Default none. */
  readonly credentials?: { readonly username: string; readonly password: string } | undefined;
  /** Milliseconds until a message is gone after it was written, rounded up to seconds; at most 20 years. Default: it stays. */
  readonly ttlMs?: number | undefined;
  /** Of reads, and of writes once they are decided. Default `'localQuorum'`. */
  readonly consistency?: CassandraMemoryConsistency | undefined;
  /**
   * Among whom writers are put in order. Default `'localSerial'`: all writers of a conversation are in one data centre. With writers in several:
   * `'serial'`, and `consistency: 'quorum'`.
   */
  readonly serialConsistency?: CassandraMemorySerialConsistency | undefined;
  /** Whether keyspace and tables are made when they are missing: `'always'`. Default `'embedded'`, which is never. */
  readonly initializeSchema?: InitializeMemorySchema | undefined;
  /** Of the keyspace, if it is made. Default `{ class: 'SimpleStrategy', replication_factor: 1 }`, which is for one machine. */
  readonly replication?: CassandraReplication | undefined;
  /** How many ids `findConversationIds` reads at once. Default 1,000. */
  readonly pageSize?: number | undefined;
}
