import { invalidArgument } from '@vernal/core';
import { createsSchema, requireCount, requireOptionNames } from '@vernal/core/adapter';
import type { CassandraChatMemoryRepositoryOptions } from './cassandra-chat-memory-repository-options.js';
import { type CassandraReplication, checkReplication } from './cassandra-schema.js';
import { type CassandraSource, cassandraSource } from './cassandra-source.js';
import { consistencyCode, serialConsistencyCode } from './consistency.js';
import { type MemoryNames, memoryNames } from './memory-names.js';

/** Options, checked, with defaults. */
export interface MemorySettings {
  readonly source: CassandraSource;
  readonly names: MemoryNames;
  /** Undefined: none. */
  readonly ttlSeconds: number | undefined;
  readonly consistency: number;
  readonly serialConsistency: number;
  /** Whether keyspace and tables may be made. */
  readonly creates: boolean;
  readonly replication: CassandraReplication;
  readonly pageSize: number;
}

const OPTIONS: readonly (keyof CassandraChatMemoryRepositoryOptions)[] = [
  'client',
  'url',
  'contactPoints',
  'localDataCenter',
  'credentials',
  'keyspace',
  'table',
  'columns',
  'ttlMs',
  'consistency',
  'serialConsistency',
  'initializeSchema',
  'replication',
  'pageSize',
];

/** The most that Cassandra takes: 20 years. */
const LONGEST_TTL_SECONDS = 630_720_000;
/** Parts of large messages live this much longer than what refers to them. */
export const PARTS_SLACK_SECONDS = 3600;

/** Throws `invalid_argument` for what cannot be right, and for names that are no option. */
export function memorySettings(options: CassandraChatMemoryRepositoryOptions): MemorySettings {
  requireOptionNames(options, OPTIONS);
  const { ttlMs, pageSize = 1000, consistency = 'localQuorum', serialConsistency = 'localSerial' } = options;
  const source = cassandraSource(options);
  const { replication = { class: 'SimpleStrategy', replication_factor: 1 } } = options;
  checkReplication(replication);
  const ofUrl = 'client' in source ? undefined : source.keyspace;
  const { table, columns, keyspace = ofUrl } = options;
  if (ofUrl !== undefined && keyspace !== ofUrl)
    throw invalidArgument('keyspace', 'is another one than that of the url; leave one of both out');
  return {
    source,
    names: memoryNames({ keyspace, table, columns }),
    ttlSeconds: ttlMs === undefined ? undefined : ttlSeconds(ttlMs),
    consistency: consistencyCode(consistency),
    serialConsistency: serialConsistencyCode(serialConsistency),
    creates: createsSchema(options.initializeSchema, false),
    replication,
    pageSize: requireCount(pageSize, 'pageSize', 1_000_000),
  };
}

function ttlSeconds(ttlMs: number): number {
  return Math.ceil(requireCount(ttlMs, 'ttlMs', (LONGEST_TTL_SECONDS - PARTS_SLACK_SECONDS) * 1000) / 1000);
}
