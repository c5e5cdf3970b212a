import { invalidArgument, VernalError } from '@vernal/core';
import type { CassandraMemoryClient, CassandraMemoryQueryOptions } from './cassandra-memory-client.js';
import { type CassandraMemoryNames, type MemoryNames, memoryNames } from './memory-names.js';

/** `replication` of CREATE KEYSPACE: `{ class: 'NetworkTopologyStrategy', dc1: 3 }`. */
export type CassandraReplication = Readonly<Record<string, string | number>>;

/** Where the tables are to be, and how many copies of them. */
export interface CassandraSchemaOptions extends CassandraMemoryNames {
  /** Default `{ class: 'SimpleStrategy', replication_factor: 1 }`, which is for one machine. */
  readonly replication?: CassandraReplication | undefined;
}

/** The layout that this release writes; it stands with each conversation. */
export const CASSANDRA_LAYOUT_VERSION = 1;

/**
 * The statements that `initializeSchema: 'always'` runs: keyspace and tables. To be run by your own tool, or to be changed: the compaction for
 * Cassandra before 5, for example.
 *
 * @throws VernalError `invalid_argument` for names that Cassandra cannot keep
 */
export function cassandraSchema(options: CassandraSchemaOptions = {}): string[] {
  const { replication = { class: 'SimpleStrategy', replication_factor: 1 } } = options;
  checkReplication(replication);
  const names = memoryNames(options);
  return [keyspaceStatement(names, replication), tableStatement(names), partTableStatement(names)];
}

/** Throws `invalid_argument` for what is no map of texts and numbers with a class. */
export function checkReplication(replication: CassandraReplication): void {
  const isMap = typeof replication === 'object' && replication !== null && typeof replication['class'] === 'string';
  const isLiteral = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);
  if (!isMap || !Object.values(replication).every(isLiteral))
    throw invalidArgument('replication', "must be like { class: 'NetworkTopologyStrategy', dc1: 3 }");
}

/**
 * Makes what is missing. Statements of definition run only then: replicas agree on each before the next, and who may not define anything can start.
 *
 * @throws VernalError `store_write`, retryable, when the replicas did not agree in the time of the driver
 */
export async function initialiseSchema(
  client: CassandraMemoryClient,
  names: MemoryNames,
  replication: CassandraReplication,
  options: CassandraMemoryQueryOptions,
): Promise<void> {
  const found = async (query: string, params: unknown[]): Promise<readonly unknown[]> =>
    ((await client.execute(query, params, options)).rows ?? []).map((row) => row['name']);
  const keyspaces = await found('SELECT keyspace_name AS name FROM system_schema.keyspaces WHERE keyspace_name = ?', [
    names.keyspaceName,
  ]);
  const tables = await found('SELECT table_name AS name FROM system_schema.tables WHERE keyspace_name = ?', [
    names.keyspaceName,
  ]);
  const missing = [
    ...(keyspaces.length > 0 ? [] : [keyspaceStatement(names, replication)]),
    ...(tables.includes(names.tableName) ? [] : [tableStatement(names)]),
    ...(tables.includes(names.partTableName) ? [] : [partTableStatement(names)]),
  ];
  for (const statement of missing) {
    const { info } = await client.execute(statement);
    if (Reflect.get(info, 'isSchemaInAgreement') === false)
      throw new VernalError('The replicas have not agreed on the tables yet: see whether all are up, and try again', {
        code: 'store_write',
        subject: 'initializeSchema',
        retryable: true,
      });
  }
}

function keyspaceStatement({ keyspace }: MemoryNames, replication: CassandraReplication): string {
  const entries = Object.entries(replication).map(([key, value]) => `${literal(key)}: ${literal(String(value))}`);
  return `CREATE KEYSPACE IF NOT EXISTS ${keyspace} WITH replication = {${entries.join(', ')}}`;
}

// Both run the newest first, system messages in front of all others: one slice then holds the newest messages and all system messages.
function tableStatement({ table, columns }: MemoryNames): string {
  const { conversationKey, isSystem, sequence } = columns;
  return `CREATE TABLE IF NOT EXISTS ${table} (
  ${conversationKey} text,
  ${isSystem} boolean,
  ${sequence} bigint,
  ${columns.type} text,
  ${columns.text} text,
  ${columns.message} text,
  ${columns.createdAt} timestamp,
  ${columns.writeId} uuid,
  ${columns.item} int,
  ${columns.parts} int,
  ${columns.conversationId} text STATIC,
  ${columns.lastSequence} bigint STATIC,
  ${columns.firstSequence} bigint STATIC,
  ${columns.generation} uuid STATIC,
  ${columns.lastWrite} uuid STATIC,
  ${columns.hasParts} boolean STATIC,
  ${columns.layout} int STATIC,
  PRIMARY KEY (${conversationKey}, ${isSystem}, ${sequence})
) WITH CLUSTERING ORDER BY (${isSystem} DESC, ${sequence} DESC)
  AND compaction = {'class': 'UnifiedCompactionStrategy'}`;
}

function partTableStatement({ partTable, columns }: MemoryNames): string {
  const { conversationKey, writeId, item, part, content } = columns;
  return `CREATE TABLE IF NOT EXISTS ${partTable} (
  ${conversationKey} text,
  ${writeId} uuid,
  ${item} int,
  ${part} int,
  ${content} text,
  PRIMARY KEY (${conversationKey}, ${writeId}, ${item}, ${part})
) WITH compaction = {'class': 'UnifiedCompactionStrategy'}`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
