export { CassandraChatMemoryRepository } from './cassandra-chat-memory-repository.js';
export type { CassandraChatMemoryRepositoryOptions } from './cassandra-chat-memory-repository-options.js';
export type {
  CassandraMemoryClient,
  CassandraMemoryQueryOptions,
  CassandraMemoryResult,
  CassandraMemoryRow,
  CassandraMemoryStatement,
} from './cassandra-memory-client.js';
export type { CassandraReplication, CassandraSchemaOptions } from './cassandra-schema.js';
export { CASSANDRA_LAYOUT_VERSION, cassandraSchema } from './cassandra-schema.js';
export type { CassandraMemoryConsistency, CassandraMemorySerialConsistency } from './consistency.js';
export type { CassandraMemoryColumn, CassandraMemoryColumns, CassandraMemoryNames } from './memory-names.js';
export type { CassandraMemoryRetryDecision, CassandraMemoryRetryPolicy } from './never-again.js';
export type { SpringAiCassandraConversation, SpringAiCassandraOptions } from './spring-ai-conversations.js';
export { springAiCassandraConversations } from './spring-ai-conversations.js';
