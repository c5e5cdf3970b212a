export type { StarterClient } from './starter-client.js';
export { StarterVectorStore } from './starter-vector-store.js';
export type { StarterVectorStoreOptions } from './starter-vector-store-options.js';
