import type { JsonValue } from '../json/json-value.js';
import type { Metadata } from '../json/metadata.js';
import type { Media } from '../media/media.js';

export interface SystemMessage {
  readonly type: 'system';
  readonly text: string;
  readonly metadata: Metadata;
}

export interface UserMessage {
  readonly type: 'user';
  readonly text: string;
  readonly media: readonly Media[];
  readonly metadata: Metadata;
}

export interface AssistantMessage {
  readonly type: 'assistant';
  /** '' when the model said nothing. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly media: readonly Media[];
  readonly reasoning: readonly ReasoningPart[];
  readonly metadata: Metadata;
}

/** All answers of one tool round. */
export interface ToolResponseMessage {
  readonly type: 'tool';
  readonly responses: readonly ToolResponse[];
  readonly metadata: Metadata;
}

/** Plain data, told apart by `type`. Equal by value; safe in JSON (bytes apart, see the codec) and structuredClone. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResponseMessage;

export type MessageType = Message['type'];

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model sent it; '' when it sent none. */
  readonly arguments: string;
}

export interface ToolResponse {
  readonly id: string;
  readonly name: string;
  /** What the model reads. */
  readonly result: string;
  readonly media?: readonly Media[];
  readonly structured?: JsonValue;
  readonly isError?: boolean;
}

/** Reasoning that must go back to the provider unchanged. */
export interface ReasoningPart {
  readonly text?: string;
  readonly signature?: string;
  readonly redactedData?: string;
  /** The provider that can read `signature` and `redactedData`; others are not sent them. */
  readonly provider?: string;
  /** In chunks only: which part this delta belongs to. Default: its position in the list. `fold` removes it. */
  readonly index?: number;
}
