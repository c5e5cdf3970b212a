export type { TokenEncodingName } from './encoding/load-encoding.js';
export type { TokenCountBatchingOptions } from './token-count-batching-strategy.js';
export { TokenCountBatchingStrategy } from './token-count-batching-strategy.js';
export { loadTokenCountEstimator } from './token-count-estimator.js';
export type { TokenTextSplitterOptions } from './token-text-splitter.js';
export { TokenTextSplitter } from './token-text-splitter.js';
