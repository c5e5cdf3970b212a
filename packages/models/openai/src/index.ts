export type { OpenAiChatModelOptions } from './open-ai-chat-model.js';
export { OpenAiChatModel } from './open-ai-chat-model.js';
export type { OpenAiConnection } from './open-ai-connection.js';
export type { OpenAiEmbeddingModelOptions } from './open-ai-embedding-model.js';
export { OpenAiEmbeddingModel } from './open-ai-embedding-model.js';
export type { OpenAiOptions } from './open-ai-options.js';
export { openAiChatOptions } from './open-ai-options.js';
