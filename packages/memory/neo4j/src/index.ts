export type { Neo4jMemoryLabels } from './memory-labels.js';
export { neo4jMemorySchema } from './memory-schema.js';
export { Neo4jChatMemoryRepository } from './neo4j-chat-memory-repository.js';
export type { Neo4jChatMemoryRepositoryOptions } from './neo4j-chat-memory-repository-options.js';
export type {
  Neo4jMemoryDriver,
  Neo4jMemoryRecord,
  Neo4jMemoryResult,
  Neo4jMemorySession,
  Neo4jMemorySessionConfig,
} from './neo4j-memory-driver.js';
export type { SpringAiNeo4jConversation, SpringAiNeo4jOptions } from './spring-ai-conversations.js';
export { springAiNeo4jConversations } from './spring-ai-conversations.js';
