import type { JsonInput } from '../json/json-value.js';
import type { MetadataInput } from '../json/metadata.js';
import type { Media } from '../media/media.js';
import type {
  AssistantMessage,
  Message,
  ReasoningPart,
  SystemMessage,
  ToolCall,
  ToolResponseMessage,
  UserMessage,
} from './message.js';

export interface MessageOptions {
  readonly metadata?: MetadataInput | undefined;
}

export declare function systemMessage(text: string, options?: MessageOptions): SystemMessage;

export declare function userMessage(
  text: string,
  options?: MessageOptions & { readonly media?: readonly Media[] | undefined },
): UserMessage;

export interface AssistantMessageInput extends MessageOptions {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly media?: readonly Media[] | undefined;
  readonly reasoning?: readonly ReasoningPart[] | undefined;
}

export declare function assistantMessage(content?: string | AssistantMessageInput): AssistantMessage;

export interface ToolResponseInput {
  readonly id: string;
  readonly name: string;
  readonly result: string;
  readonly media?: readonly Media[] | undefined;
  readonly structured?: JsonInput;
  readonly isError?: boolean | undefined;
}

export declare function toolResponseMessage(
  responses: readonly ToolResponseInput[],
  options?: MessageOptions,
): ToolResponseMessage;

/** The text of any message; of a tool message its results joined by a newline. */
export declare function messageText(message: Message): string;
