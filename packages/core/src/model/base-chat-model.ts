import type { CallContext } from '../context/call-context.js';
import type { Logger } from '../logging/logger.js';
import type { Message } from '../messages/message.js';
import type { ObservationRegistry } from '../observation/observation.js';
import type { ChatOptions, ResolvedChatOptions } from '../options/chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { ChatResponse } from '../responses/chat-response.js';
import type { RetryPolicy } from '../retry/retry-policy.js';
import type { ChatModel, ChatModelCapabilities } from './chat-model.js';

export interface BaseChatModelOptions {
  readonly defaultOptions?: ChatOptions | undefined;
  readonly retry?: RetryPolicy | undefined;
  readonly observationRegistry?: ObservationRegistry | undefined;
  readonly logger?: Logger | undefined;
  /** What to do with an option or content that the capabilities do not list. Default 'error'. */
  readonly onUnsupported?: 'error' | 'warn' | undefined;
}

/** What `BaseChatModel` hands to a provider: merged, checked, without nulls. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly options: ResolvedChatOptions;
  readonly signal: AbortSignal;
}

/**
 * The part that providers share: merges options over the defaults, checks capabilities, retries the connection, observes,
 * and links the signal. A provider writes `doStream`, and `doCall` when its API has a cheaper whole answer.
 */
export declare abstract class BaseChatModel implements ChatModel {
  constructor(options?: BaseChatModelOptions);
  abstract readonly provider: string;
  abstract readonly capabilities: ChatModelCapabilities;
  readonly defaultOptions: ResolvedChatOptions;
  call(prompt: Prompt, context?: CallContext): Promise<ChatResponse>;
  stream(prompt: Prompt, context?: CallContext): AsyncIterable<ChatResponse>;
  protected abstract doStream(request: ModelRequest): AsyncIterable<ChatResponse>;
  /** Default: `fold(this.doStream(request))`. */
  protected doCall(request: ModelRequest): Promise<ChatResponse>;
}
