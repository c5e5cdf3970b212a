export type { FoundMessage } from './found-message.js';
export { RedisChatMemoryRepository } from './redis-chat-memory-repository.js';
export type { RedisChatMemoryRepositoryOptions } from './redis-chat-memory-repository-options.js';
export type { RedisMemoryArgument, RedisMemoryClient } from './redis-memory-client.js';
export type { RedisMemoryFieldType } from './search/metadata-fields.js';
export type { RedisMemoryQueryOptions, RedisMemorySearchOptions } from './search/search-options.js';
