export type { LocalEmbeddingModelOptions } from './local-embedding-model.js';
export { LocalEmbeddingModel } from './local-embedding-model.js';
