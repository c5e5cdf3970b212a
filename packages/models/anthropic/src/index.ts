export type { AnthropicChatModelOptions } from './anthropic-chat-model.js';
export { AnthropicChatModel } from './anthropic-chat-model.js';
export type { AnthropicConnection } from './anthropic-connection.js';
export type { AnthropicOptions } from './anthropic-options.js';
export { anthropicChatOptions } from './anthropic-options.js';
