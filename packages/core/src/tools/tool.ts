import type { AnySchemaWithJson, InferOutput, SchemaWithJson } from '../schema/standard-schema.js';
import { convertToolResult } from './convert-tool-result.js';
import { toToolExecutionError } from './execution-error.js';
import type { ToolCallback, ToolContext, ToolResult } from './tool-callback.js';
import { type CheckedToolCallback, TOOL_CHECK } from './tool-check.js';
import { emptyToolContext } from './tool-context.js';
import { type ToolInput, toolInput } from './tool-input.js';
import { checkToolName, nameInWords } from './tool-name.js';

/** Input of a tool that takes none. */
export type NoInput = SchemaWithJson<Readonly<Record<string, never>>, Readonly<Record<string, never>>>;

/** What `tool()` and `@Tool` share. */
export interface ToolSettings<R> {
  /** Default: the name in words. */
  readonly description?: string | undefined;
  /** Default false. */
  readonly returnDirect?: boolean | undefined;
  /**
   * Default: text as it is, undefined as 'Done', anything else as JSON; bigint as text, Date as ISO text, cycles cut. Give a
   * `ToolResult` to send media or structured content, or to tell the model of a failure (`isError`).
   */
  readonly convertResult?: ((result: R) => string | ToolResult) | undefined;
}

/** A tool as `tool()` takes it: a name, what it does, and for whom it is. */
export interface ToolOptions<S extends AnySchemaWithJson, R> extends ToolSettings<NoInfer<R>> {
  /** Not blank. Portable is `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** Left out: a tool without input. */
  readonly input?: S | undefined;
  /**
   * Gets the validated input. What it throws is told to the model in general words, since messages of foreign errors may hold
   * internals; the message of a `VernalError` is written to be read and passed on. `ToolExecutionError` with `fatal` ends the turn.
   */
  readonly execute: (input: InferOutput<S>, context: ToolContext) => R | Promise<R>;
}

/**
 * A tool from a function and a schema: typed input, validated before `execute` runs. The JSON Schema for the model is made on first
 * use, from the input side of `input`. Called by hand, `call` takes JSON text ('' means {}) and may leave the context out.
 *
 * Throws `invalid_argument` for a blank name and `schema_without_json_schema` for a schema that cannot say its JSON Schema.
 * Source: `FunctionToolCallback` and `MethodToolCallback` of spring-ai-model.
 *
 * @example
 * const weather = tool({
 *   name: 'currentWeather',
 *   description: 'Current weather in a place',
 *   input: z.object({ location: z.string() }),
 *   execute: ({ location }, { signal }) => lookUp(location, signal),
 * });
 * await weather.call('{"location":"Delft"}');
 */
export function tool<S extends AnySchemaWithJson = NoInput, R = unknown>(options: ToolOptions<S, R>): ToolCallback {
  checkToolName(options.name);
  const { name, execute, convertResult } = options;
  return toolCallback(name, options, toolInput(options.input, name), execute, convertResult);
}

/** A tool over an input reader that several tools may share. */
export function toolCallback<In, R>(
  name: string,
  settings: { readonly description?: string | undefined; readonly returnDirect?: boolean | undefined },
  input: ToolInput<In>,
  execute: (input: In, context: ToolContext) => R | Promise<R>,
  convertResult: (result: R) => string | ToolResult = convertToolResult,
): ToolCallback {
  const callback: CheckedToolCallback = {
    definition: {
      name,
      description: settings.description?.trim() ? settings.description : nameInWords(name),
      get inputSchema() {
        return input.jsonSchema;
      },
    },
    metadata: { returnDirect: settings.returnDirect ?? false },
    async call(text, context = emptyToolContext()) {
      const read = input.read(text, context.toolCallId);
      const value = read instanceof Promise ? await read : read;
      try {
        return convertResult(await execute(value, context));
      } catch (error) {
        throw toToolExecutionError(error, name, context.toolCallId);
      }
    },
    async [TOOL_CHECK](text, toolCallId) {
      await input.read(text, toolCallId);
    },
  };
  return callback;
}
