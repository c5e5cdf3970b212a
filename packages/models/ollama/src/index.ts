export type { OllamaChatModelOptions } from './ollama-chat-model.js';
export { OllamaChatModel } from './ollama-chat-model.js';
export type { OllamaConnection } from './ollama-connection.js';
export type { OllamaEmbeddingModelOptions } from './ollama-embedding-model.js';
export { OllamaEmbeddingModel } from './ollama-embedding-model.js';
export type { OllamaOptions } from './ollama-options.js';
export { ollamaChatOptions } from './ollama-options.js';
