/** The entry point `@vernal/testing/wires`: what providers say over HTTP, built from scripts or as written in their documentation. */
export { cutText } from './doubles/cut-text.js';
export { argumentsText, finishReasonOf } from './doubles/script-step.js';
export type { AnthropicFixtureName } from './fixtures/anthropic.js';
export { anthropicFixtures } from './fixtures/anthropic.js';
export type { OllamaFixtureName } from './fixtures/ollama.js';
export { ollamaFixtures } from './fixtures/ollama.js';
export type { OpenAiFixtureName } from './fixtures/openai.js';
export { openAiFixtures } from './fixtures/openai.js';
export { anthropicMessagesWire } from './wires/anthropic-messages-wire.js';
export type { ChatModelWire, WireErrorKind, WireReply, WireRequest } from './wires/chat-model-wire.js';
export { WIRE_SECRET } from './wires/chat-model-wire.js';
export type { EmbeddingModelWire } from './wires/embedding-wire.js';
export { ollamaChatWire } from './wires/ollama-chat-wire.js';
export { ollamaEmbedWire } from './wires/ollama-embed-wire.js';
export { openAiChatWire } from './wires/openai-chat-wire.js';
export { openAiEmbeddingsWire } from './wires/openai-embeddings-wire.js';
export { jsonReply, ndjsonReply, sseReply } from './wires/wire-replies.js';
export { onlyStep } from './wires/wire-step.js';
