import { invalidArgument } from '@vernal/core';
import { createsSchema, LONGEST_TIMEOUT_MS, requireCount, requireOptionNames } from '@vernal/core/adapter';
import { memoryLabels, type Neo4jMemoryLabels } from './memory-labels.js';
import type { Neo4jChatMemoryRepositoryOptions } from './neo4j-chat-memory-repository-options.js';

/** Options, checked, with defaults. */
export interface MemorySettings {
  readonly database: string | undefined;
  readonly labels: Neo4jMemoryLabels;
  /** Whether the constraint and the index may be made. */
  readonly creates: boolean;
  readonly pageSize: number;
  readonly timeoutMs: number;
}

/** Throws `invalid_argument` for what cannot be right, and for names that are no option. */
export function memorySettings(options: Neo4jChatMemoryRepositoryOptions): MemorySettings {
  requireOptionNames(options, ['driver', 'url', 'database', 'labels', 'initializeSchema', 'pageSize', 'timeoutMs']);
  const { database, labels, initializeSchema, pageSize = 1000, timeoutMs = 30_000 } = options;
  return {
    database: databaseName(database),
    labels: memoryLabels(labels),
    creates: createsSchema(initializeSchema, false),
    pageSize: requireCount(pageSize, 'pageSize', 1_000_000),
    timeoutMs: requireCount(timeoutMs, 'timeoutMs', LONGEST_TIMEOUT_MS),
  };
}

/** Throws `invalid_argument` for what is no name. */
export function databaseName(database: string | undefined): string | undefined {
  if (database === undefined || (typeof database === 'string' && database !== '')) return database;
  throw invalidArgument('database', "must be the name of a database, such as 'neo4j'");
}
