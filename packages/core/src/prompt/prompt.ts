import type { Message, SystemMessage, ToolResponseMessage, UserMessage } from '../messages/message.js';
import type { ChatOptions } from '../options/chat-options.js';

/** Messages and options. Immutable; has no private state, so two copies of the package agree on its type. */
export declare class Prompt {
  /** A string is one user message. An empty list is allowed; holes are `invalid_argument`. */
  constructor(messages: string | Message | readonly Message[], options?: ChatOptions);
  readonly messages: readonly Message[];
  readonly options: ChatOptions;
  /** The last user message, or an empty one. */
  readonly userMessage: UserMessage;
  readonly userMessages: readonly UserMessage[];
  /** The first system message, or an empty one. */
  readonly systemMessage: SystemMessage;
  readonly systemMessages: readonly SystemMessage[];
  /** The last user or tool message, or an empty user message. */
  readonly lastUserOrToolResponseMessage: UserMessage | ToolResponseMessage;
  /** All texts, joined by nothing. */
  readonly contents: string;
  /** Replaces the last user message; without one, appends. */
  augmentUserMessage(change: string | ((message: UserMessage) => UserMessage)): Prompt;
  /** Replaces the first system message in place; without one, inserts at 0. */
  augmentSystemMessage(change: string | ((message: SystemMessage) => SystemMessage)): Prompt;
  /** Merged over the present options. */
  withOptions(options: ChatOptions): Prompt;
  withMessages(messages: readonly Message[]): Prompt;
}
