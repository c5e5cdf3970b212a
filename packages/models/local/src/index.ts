export { NO_DOCUMENTS, NOT_IN_DOCUMENTS } from './answer/answer-question.js';
export type { ExtractiveChatModelOptions } from './extractive-chat-model.js';
export { ExtractiveChatModel } from './extractive-chat-model.js';
export type { LocalEmbeddingModelOptions } from './local-embedding-model.js';
export { LocalEmbeddingModel } from './local-embedding-model.js';
export type { LocalRerankModelOptions } from './local-rerank-model.js';
export { LocalRerankModel } from './local-rerank-model.js';
