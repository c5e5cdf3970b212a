import type { CallToolResult, Icon, ToolAnnotations } from '@modelcontextprotocol/server';
import type {
  AnySchemaWithJson,
  InferInput,
  InferOutput,
  JsonSchema,
  NoInput,
  ToolCallback,
  ToolContext,
  ToolResult,
} from '@vernal/core';
import { contextValue, invalidArgument, toJsonSchema, tool } from '@vernal/core';
import { DETACHED_EXCHANGE } from './detached-exchange.js';
import { MCP_CALL, type McpCallContext } from './mcp-exchange.js';
import { toolResultOf, validatedOutput } from './mcp-tool-result.js';

/** What a tool of MCP may say beside its name, description and input. */
export interface McpToolSettings<O extends AnySchemaWithJson = AnySchemaWithJson> {
  /** For people. Default: the annotations' title, then the name. */
  readonly title?: string | undefined;
  /** Describes the result: it then goes out as structured content, checked, and as JSON text for clients that know no other. */
  readonly output?: O | undefined;
  /** Hints for the client. MCP's defaults: not read-only, destructive, not idempotent, open world. */
  readonly annotations?: ToolAnnotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the listed tool. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** A text result is the base64 of this type, such as 'image/png', and goes out as an image or audio for the model. */
  readonly mimeType?: string | undefined;
  /** Scopes that the caller's token needs over HTTP; without them the answer is 403 'insufficient_scope' with what is missing. Default none. */
  readonly scopes?: readonly string[] | undefined;
}

/** The second argument of an MCP tool: that of any tool and that of any MCP call. */
export interface McpToolContext extends Omit<ToolContext, 'progress' | 'observation' | 'signal'>, McpCallContext {}

/** What a tool gives: anything that `tool()` takes, what `output` describes, or a `CallToolResult`, which goes out as it is. */
export type McpToolReturn<O extends AnySchemaWithJson> = InferInput<O> | CallToolResult;

/** A tool as `mcpTool()` takes it. */
export interface McpToolOptions<S extends AnySchemaWithJson, O extends AnySchemaWithJson> extends McpToolSettings<O> {
  /** Portable is `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** Default: the name in words. */
  readonly description?: string | undefined;
  /** Left out: a tool without input. */
  readonly input?: S | undefined;
  readonly execute: (input: InferOutput<S>, context: McpToolContext) => McpToolReturn<O> | Promise<McpToolReturn<O>>;
}

/** The facts of `McpToolSettings` on a tool, ready to be listed. */
export interface McpToolFacts extends McpToolSettings {
  readonly outputSchema?: JsonSchema | undefined;
}

/** Where a tool carries its facts; registered, so that two copies of the package agree. */
const MCP_TOOL: unique symbol = Symbol.for('vernal.mcp.tool');

interface DescribedTool extends ToolCallback {
  readonly [MCP_TOOL]?: McpToolFacts;
}

/**
 * A tool with all that MCP knows beyond `tool()`: annotations, output schema, icons, scopes, and the exchange with the client. It is an
 * ordinary tool too: given to a `ChatClient` it works without a server.
 * Throws as `tool()` does. Source: `@McpTool`.
 *
 * @example
 * const remove = mcpTool({
 *   name: 'removeFile',
 *   input: z.object({ path: z.string() }),
 *   annotations: { destructiveHint: true },
 *   execute: async ({ path }, { exchange }) => {
 *     const answer = await exchange.elicit(z.object({ sure: z.boolean() }), { message: `Remove ${path}?` });
 *     return answer.content?.sure ? remove(path) : 'Kept';
 *   },
 * });
 */
export function mcpTool<S extends AnySchemaWithJson = NoInput, O extends AnySchemaWithJson = AnySchemaWithJson>(
  options: McpToolOptions<S, O>,
): ToolCallback {
  const { name, description, input, execute, output } = options;
  const run = (value: InferOutput<S>, context: ToolContext): unknown => execute(value, mcpToolContext(context));
  const callback =
    output === undefined
      ? tool<S, unknown>({ name, description, input, execute: run, convertResult: toolResultOf })
      : tool<S, ToolResult>({
          name,
          description,
          input,
          execute: async (value, context) => validatedOutput(output, await run(value, context), name),
          convertResult: (result) => result,
        });
  return withFacts(callback, options);
}

/**
 * Adds to a tool from anywhere what MCP clients are told of it. The tool itself stays as it is.
 * Throws `invalid_argument` for what is not a tool.
 *
 * @example
 * describeMcpTool(weather, { title: 'Weather', annotations: { readOnlyHint: true, openWorldHint: true } });
 */
export function describeMcpTool(callback: ToolCallback, settings: McpToolSettings): ToolCallback {
  if (typeof callback?.call !== 'function') throw invalidArgument('tool', 'must be a tool, as tool() makes it');
  return withFacts(
    {
      definition: callback.definition,
      metadata: callback.metadata,
      call: (input, context) => callback.call(input, context),
    },
    settings,
  );
}

export function mcpToolFacts(callback: ToolCallback): McpToolFacts {
  return (callback as DescribedTool)[MCP_TOOL] ?? {};
}

function withFacts(callback: ToolCallback, settings: McpToolSettings): ToolCallback {
  const { title, output, annotations, icons, meta, mimeType, scopes } = settings;
  let outputSchema: JsonSchema | undefined;
  const facts: McpToolFacts = {
    title,
    output,
    annotations,
    icons,
    meta,
    mimeType,
    scopes,
    get outputSchema() {
      if (output !== undefined) outputSchema ??= toJsonSchema(output, { direction: 'output' });
      return outputSchema;
    },
  };
  return Object.defineProperty(callback, MCP_TOOL, { value: facts });
}

function mcpToolContext(context: ToolContext): McpToolContext {
  const call = contextValue(context.values, MCP_CALL);
  const { progress, ...rest } = context;
  if (call !== undefined) return { ...call, ...rest, signal: context.signal };
  return {
    ...rest,
    exchange: DETACHED_EXCHANGE,
    meta: {},
    transport: {},
    progress: (update) => progress?.(typeof update === 'number' ? { progress: update, total: 100 } : update),
  };
}
