import type { AnySchemaWithJson, InferOutput, SchemaWithJson } from '../schema/standard-schema.js';
import type { ToolCallback, ToolContext, ToolResult } from './tool-callback.js';

/** Input of a tool that takes none. */
export type NoInput = SchemaWithJson<Readonly<Record<string, never>>, Readonly<Record<string, never>>>;

export interface ToolSettings<R> {
  /** Default: the name in words. */
  readonly description?: string | undefined;
  /** Default false. */
  readonly returnDirect?: boolean | undefined;
  /** Default: text as it is, undefined as 'Done', anything else as JSON; bigint as text, Date as ISO text, cycles cut. */
  readonly convertResult?: ((result: R) => string | ToolResult) | undefined;
}

export interface ToolOptions<S extends AnySchemaWithJson, R> extends ToolSettings<NoInfer<R>> {
  readonly name: string;
  /** Left out: a tool without input. */
  readonly input?: S | undefined;
  readonly execute: (input: InferOutput<S>, context: ToolContext) => R | Promise<R>;
}

export declare function tool<S extends AnySchemaWithJson = NoInput, R = unknown>(
  options: ToolOptions<S, R>,
): ToolCallback;
