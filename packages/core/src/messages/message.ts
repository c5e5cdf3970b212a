import type { JsonValue } from '../json/json-value.js';
import type { Metadata } from '../json/metadata.js';
import type { Media } from '../media/media.js';

/** How the model is to behave. Source: `SystemMessage` of spring-ai-model. */
export interface SystemMessage {
  readonly type: 'system';
  readonly text: string;
  readonly metadata: Metadata;
}

/** What the user says and shows. Source: `UserMessage` of spring-ai-model. */
export interface UserMessage {
  readonly type: 'user';
  readonly text: string;
  readonly media: readonly Media[];
  readonly metadata: Metadata;
}

/**
 * What the model answers: text, calls of tools, media, its reasoning. Source: `AssistantMessage` of spring-ai-model.
 */
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

/** 'system', 'user', 'assistant' or 'tool'. */
export type MessageType = Message['type'];

/** A tool that the model wants run. Source: `AssistantMessage.ToolCall` of spring-ai-model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model sent it; '' when it sent none. */
  readonly arguments: string;
}

/** The answer to the call with the same `id`. Source: `ToolResponseMessage.ToolResponse` of spring-ai-model. */
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
