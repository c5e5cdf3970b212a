import type { JsonSchema } from '../json/json-value.js';
import type { ToolCallback } from '../tools/tool-callback.js';

/** `undefined` keeps what is below, `null` unsets it. */
export type Setting<T> = T | null | undefined;

/** Every field of `T` as a setting. */
export type Settings<T> = { readonly [K in keyof T]?: Setting<T[K]> };

/** Whether the model calls tools: as it likes, never, at least one, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** The portable options without null or undefined: what a model works from once everything is merged. */
export interface ResolvedChatOptions {
  readonly model?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly tools?: readonly ToolCallback[];
  /** Resolved by the tool manager's resolver, which is off unless given. */
  readonly toolNames?: readonly string[];
  /** Never sent to the model. Merged per key. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  readonly toolChoice?: ToolChoice;
  /** Native structured output, where the model declares it. */
  readonly outputSchema?: JsonSchema;
  /** Put into the provider's request body as it is. Merged per key. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Typed options of providers, by provider name; written by their factories, read only by their owner. Merged per provider and key. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Portable options as a caller writes them. Lists replace; `toolContext`, `extra` and `providerOptions` merge per key. Inside
 * `toolContext` and `extra` null is a value like any other; inside `providerOptions` it unsets the field.
 * Source: `ChatOptions`, `ToolCallingChatOptions` and `StructuredOutputChatOptions` of spring-ai-model.
 */
export interface ChatOptions extends Settings<ResolvedChatOptions> {}
