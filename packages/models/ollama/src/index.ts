export type { OllamaChatModelOptions } from './ollama-chat-model.js';
export { OllamaChatModel } from './ollama-chat-model.js';
export type { OllamaConnection } from './ollama-connection.js';
export type { OllamaEmbeddingModelOptions } from './ollama-embedding-model.js';
export { OllamaEmbeddingModel } from './ollama-embedding-model.js';
export type { OllamaEmbeddingOptions } from './ollama-embedding-options.js';
export { ollamaEmbeddingOptions } from './ollama-embedding-options.js';
export type { OllamaLoadOptions } from './ollama-load-options.js';
export type { OllamaModelManagerOptions, OllamaPullModelOptions } from './ollama-model-manager.js';
export { OllamaModelManager } from './ollama-model-manager.js';
export type {
  OllamaInstalledModel,
  OllamaModelDescription,
  OllamaModelDetails,
  OllamaRunningModel,
} from './ollama-models.js';
export type { OllamaOptions } from './ollama-options.js';
export { ollamaChatOptions } from './ollama-options.js';
export type { OllamaPullLimits, OllamaPullOptions, OllamaPullStrategy } from './pull-options.js';
export type { OllamaPullProgress } from './pull-progress.js';
