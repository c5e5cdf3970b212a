import type { CallContext } from '../context/call-context.js';
import type { Message } from '../messages/message.js';
import type { ResolvedChatOptions } from '../options/chat-options.js';
import { Prompt } from '../prompt/prompt.js';
import { type ChatResponse, responseText } from '../responses/chat-response.js';

/** Plain data. What is not declared is refused or warned about, by the caller's setting; never ignored. */
export interface ChatModelCapabilities {
  /** True tokens as they come. A model without it still streams: one chunk. */
  readonly streaming: boolean;
  readonly tools: boolean;
  /** Tool choice other than 'auto'. */
  readonly toolChoice: boolean;
  /** 'schema': obeys a JSON Schema; 'json': only promises JSON; 'none'. */
  readonly outputSchema: 'schema' | 'json' | 'none';
  /** MIME patterns of media accepted in user messages: 'image/*', 'application/pdf'. */
  readonly mediaInput: readonly string[];
  /** MIME patterns that answers may hold. */
  readonly mediaOutput: readonly string[];
  /** Gives reasoning parts and takes them back. */
  readonly reasoning: boolean;
  /** Portable options that the provider does not have ('topK', …). */
  readonly unsupportedOptions: readonly (keyof ResolvedChatOptions)[];
}

/** Text in, text out, streaming; everything else off. Spread it and switch on. */
export const TEXT_ONLY: ChatModelCapabilities = Object.freeze({
  streaming: true,
  tools: false,
  toolChoice: false,
  outputSchema: 'none',
  mediaInput: [],
  mediaOutput: [],
  reasoning: false,
  unsupportedOptions: [],
});

/** A model never runs tools; `ToolCallingAdvisor` and `withTools` do. */
export interface ChatModel {
  /** Lower case, stable: 'openai', 'anthropic'. The key of `providerOptions` and of telemetry. */
  readonly provider: string;
  readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  /** Equals `fold(stream(prompt))` for every prompt. */
  call(prompt: Prompt, context?: CallContext): Promise<ChatResponse>;
  /** Lazy, single use. Leaving the loop closes the provider's connection. */
  stream(prompt: Prompt, context?: CallContext): AsyncIterable<ChatResponse>;
}

/**
 * Text or messages in, text out: one call, the text of its first generation, '' when there is none.
 *
 * @example
 * await callText(model, 'Tell me a joke');
 */
export async function callText(
  model: ChatModel,
  prompt: string | Message | readonly Message[] | Prompt,
  context?: CallContext,
): Promise<string> {
  const isPrompt = typeof prompt === 'object' && 'messages' in prompt;
  return responseText(await model.call(isPrompt ? prompt : new Prompt(prompt), context));
}
