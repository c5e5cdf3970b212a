export type { TokenCountBatchingOptions } from './token-count-batching-strategy.js';
export { TokenCountBatchingStrategy } from './token-count-batching-strategy.js';
export type { TokenTextSplitterOptions } from './token-text-splitter.js';
export { TokenTextSplitter } from './token-text-splitter.js';
