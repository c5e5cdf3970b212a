import type { GetPromptResult, Icon } from '@modelcontextprotocol/server';
import type { AnySchemaWithJson, InferOutput, Message, NoInput, Prompt } from '@vernal/core';
import { invalidArgument, toJsonSchema } from '@vernal/core';
import type { McpCompleters } from './mcp-completion.js';
import type { McpCallContext } from './mcp-exchange.js';

/** What `mcpPrompt()` and `@McpPrompt` share. */
export interface McpPromptSettings<S extends AnySchemaWithJson> {
  /** For people. Default: the name. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /**
   * The arguments: an object. Clients send texts: those of numbers, booleans and lists are read as JSON before they are validated.
   * Left out: a prompt without arguments.
   */
  readonly input?: S | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** `_meta` of the listed prompt. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Scopes that the caller's token needs over HTTP; without them the answer is 403 'insufficient_scope'. Default none. */
  readonly scopes?: readonly string[] | undefined;
  /** Suggestions, by the argument's name. */
  readonly complete?: McpCompleters | undefined;
}

/**
 * What a prompt gives: a text (one user message), messages, a `Prompt` of a `PromptTemplate`, or a `GetPromptResult`, which goes out as
 * it is. MCP knows no system messages: they go out as the user's.
 */
export type McpPromptReturn = string | Message | readonly Message[] | Prompt | GetPromptResult;

/** A prompt as `mcpPrompt()` takes it. */
export interface McpPromptOptions<S extends AnySchemaWithJson> extends McpPromptSettings<S> {
  readonly name: string;
  readonly render: (input: InferOutput<S>, context: McpCallContext) => McpPromptReturn | Promise<McpPromptReturn>;
}

/** A prompt for `mcpServer({ prompts })`. */
export interface McpPromptDefinition extends McpPromptSettings<AnySchemaWithJson> {
  readonly kind: 'mcp_prompt';
  readonly name: string;
  /** `input` is what the schema made of the arguments. */
  readonly render: (input: never, context: McpCallContext) => McpPromptReturn | Promise<McpPromptReturn>;
}

/**
 * A prompt that clients offer to their users.
 * Throws `invalid_argument` for a blank name and `schema_without_json_schema` for a schema that cannot say its JSON Schema.
 * Source: `@McpPrompt`.
 *
 * @example
 * mcpPrompt({
 *   name: 'greet',
 *   input: z.object({ name: z.string() }),
 *   render: ({ name }) => `Greet ${name} in one sentence.`,
 * });
 */
export function mcpPrompt<S extends AnySchemaWithJson = NoInput>(options: McpPromptOptions<S>): McpPromptDefinition {
  if (typeof options.name !== 'string' || options.name.trim() === '')
    throw invalidArgument('name', 'must not be blank');
  if (typeof options.render !== 'function') throw invalidArgument('render', 'must be a function');
  if (options.input !== undefined) toJsonSchema(options.input);
  return { ...options, kind: 'mcp_prompt' };
}
