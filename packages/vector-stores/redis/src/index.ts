export type { RedisArgument, RedisClient, RedisTransaction } from './redis-client.js';
export type { RedisMetadataField, RedisTextScorer } from './redis-settings.js';
export { RedisVectorStore } from './redis-vector-store.js';
export type { RedisVectorStoreOptions } from './redis-vector-store-options.js';
