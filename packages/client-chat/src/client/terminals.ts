import type {
  AnySchemaWithJson,
  ChatResponse,
  DeepPartial,
  InferOutput,
  StructuredOutputConverter,
} from '@vernal/core';
import type { ChatClientResponse } from '../advisors/advisor-request.js';

/** How an entity is asked for. */
export interface EntityOptions {
  /**
   * Validate and let the model correct itself. true: 3 repeats. Default: the client's, else false: one try, then
   * `StructuredOutputError`. In a stream the text is held back until it is valid.
   */
  readonly validate?: boolean | { readonly maxRepeats: number } | undefined;
  /**
   * The provider's own structured output in place of instructions in the prompt. Default: the client's, else false. Not declared by the
   * model: `onUnsupported` decides; 'warn' asks in words. For a converter without `jsonSchema`: `invalid_argument`.
   */
  readonly native?: boolean | undefined;
}

/** An entity, and the answer that it was read out of. */
export interface ResponseEntity<T> {
  readonly response: ChatResponse;
  readonly entity: T;
}

/** Nothing runs before one of these is called; each call is a run of its own. */
export interface CallSpec {
  /** The text of the first generation, '' when there is none. A turn that waits for approval rejects with `approval_required`. */
  content(): Promise<string>;
  /** Rejects like `content()` for a turn that waits for approval. */
  chatResponse(): Promise<ChatResponse>;
  /** Never rejects for a pending approval: it is on the response. */
  chatClientResponse(): Promise<ChatClientResponse>;
  /** Read out of the model's last message: what it said before it called tools is no part of the value. */
  entity<T>(converter: StructuredOutputConverter<T>, options?: EntityOptions): Promise<T>;
  /** The schema's output type. No valid value in the end: `StructuredOutputError` with the raw text and the issues. */
  entity<S extends AnySchemaWithJson>(schema: S, options?: EntityOptions): Promise<InferOutput<S>>;
  responseEntity<T>(converter: StructuredOutputConverter<T>, options?: EntityOptions): Promise<ResponseEntity<T>>;
  responseEntity<S extends AnySchemaWithJson>(
    schema: S,
    options?: EntityOptions,
  ): Promise<ResponseEntity<InferOutput<S>>>;
}

/**
 * Snapshots that only grow: what the model has written so far, and at the end the validated value, where that goes on from what was shown
 * (with defaults, say; what a transform makes of it is in `result()` alone). Single use: a second loop throws `invalid_state`.
 */
export interface EntityStream<T> extends AsyncIterable<DeepPartial<T>> {
  /** The validated whole. Without a loop it drives the stream; after a loop that was left it rejects with `aborted`. */
  result(): Promise<T>;
}

/** Nothing runs before the first item is asked for. Leaving the loop closes the provider's connection. */
export interface StreamSpec {
  /** Text deltas of the first generation, never ''. A turn that waits for approval ends with `approval_required`. */
  content(): AsyncIterable<string>;
  chatResponse(): AsyncIterable<ChatResponse>;
  /** The last chunk holds the turn, or the approval that it waits for. */
  chatClientResponse(): AsyncIterable<ChatClientResponse>;
  entity<S extends AnySchemaWithJson>(schema: S, options?: EntityOptions): EntityStream<InferOutput<S>>;
}
