import type { CallContext } from '../context/call-context.js';
import type { JsonSchema, JsonValue } from '../json/json-value.js';
import type { Media } from '../media/media.js';
import type { Message } from '../messages/message.js';
import type { Observation } from '../observation/observation.js';

/** What the model is told about a tool. Source: `ToolDefinition` of spring-ai-model. */
export interface ToolDefinition {
  /** Not blank. Portable is `[a-zA-Z0-9_-]{1,64}`: anything else is a warning here, and an error of the model that cannot send it. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** What becomes of the tool's answer. Source: `ToolMetadata` of spring-ai-model. */
export interface ToolMetadata {
  /** The result is the answer; the model is not asked again. True for a round only if true for all tools of the round. */
  readonly returnDirect: boolean;
}

/** An answer of a tool that is more than text. */
export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  readonly media?: readonly Media[];
  readonly structured?: JsonValue;
  readonly isError?: boolean;
}

/** What a tool is to the framework. `tool()` makes one; anyone may write one. */
export interface ToolCallback {
  readonly definition: ToolDefinition;
  readonly metadata: ToolMetadata;
  /** `input` is JSON text, '{}' when the model sent none. Validates it; throws `ToolExecutionError`. */
  call(input: string, context?: ToolContext): Promise<string | ToolResult>;
}

/** Asked for its tools each time a call starts. */
export interface ToolCallbackProvider {
  toolCallbacks(context?: CallContext): readonly ToolCallback[] | Promise<readonly ToolCallback[]>;
}

/**
 * An object with `@Tool` methods. The type refuses functions, classes (`toolsFrom` takes those, for static methods), schemas and records;
 * an object without any such method is `invalid_argument` when it is given.
 */
export type ToolObject = object & { readonly '~standard'?: never; readonly apply?: never };

/** What `tools()` takes; a `ToolObject` goes through `toolsFrom`. */
export type ToolSource = ToolCallback | ToolCallbackProvider | readonly ToolSource[] | ToolObject;

/** What `execute` gets beside its input; also a `CallContext` to pass on. None of it reaches the model. */
export interface ToolContext {
  /** The request's `toolContext`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Aborted with the request and by the tool's time-out. */
  readonly signal: AbortSignal;
  /** The tool's own observation. */
  readonly observation?: Observation | undefined;
  readonly toolCallId: string;
  /** The conversation so far, the assistant message with this call last. */
  readonly messages: readonly Message[];
  progress?(update: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }): void;
}
