export { MONGO_MEMORY_INDEXES } from './memory-indexes.js';
export type { MigrateSpringAiMongoMemoryOptions } from './migrate-spring-ai-mongo-memory.js';
export { migrateSpringAiMongoMemory } from './migrate-spring-ai-mongo-memory.js';
export { MongoChatMemoryRepository } from './mongo-chat-memory-repository.js';
export type { MongoChatMemoryRepositoryOptions } from './mongo-chat-memory-repository-options.js';
export type { SpringAiMongoConversation, SpringAiMongoOptions } from './spring-ai-mongo-conversations.js';
export { springAiMongoConversations } from './spring-ai-mongo-conversations.js';
