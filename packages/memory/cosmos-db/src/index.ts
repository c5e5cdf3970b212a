export { containerDefinition } from './container-schema.js';
export { CosmosDbChatMemoryRepository } from './cosmos-db-chat-memory-repository.js';
export type { CosmosDbChatMemoryRepositoryOptions } from './cosmos-db-chat-memory-repository-options.js';
export { COSMOS_DB_LAYOUT_VERSION } from './stored-items.js';
