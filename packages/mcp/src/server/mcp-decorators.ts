import type { AnySchemaWithJson, InferOutput, NoInput } from '@vernal/core';
import type { McpCompletionInput, McpCompletionTarget, McpCompletionValues } from './mcp-completion.js';
import { mcpCompletion } from './mcp-completion.js';
import type { McpCallContext } from './mcp-exchange.js';
import { type McpMethodDecorator, mcpMethodDecorator } from './mcp-method.js';
import type { McpPromptReturn, McpPromptSettings } from './mcp-prompt.js';
import { mcpPrompt } from './mcp-prompt.js';
import type { McpResourceContext, McpResourceReturn, McpResourceSettings, UriVariables } from './mcp-resource.js';
import { mcpResource } from './mcp-resource.js';
import type { McpToolContext, McpToolReturn, McpToolSettings } from './mcp-tool.js';
import { mcpTool } from './mcp-tool.js';

/** As for `mcpTool()`, but the name may be left out. */
export interface McpToolDecoratorOptions<S extends AnySchemaWithJson, O extends AnySchemaWithJson>
  extends McpToolSettings<O> {
  /** Default: the method's name. */
  readonly name?: string | undefined;
  /** Default: the name in words. */
  readonly description?: string | undefined;
  /** Left out: a tool without input. */
  readonly input?: S | undefined;
}

/** As for `mcpResource()`, the method reads. */
export interface McpResourceDecoratorOptions<S extends AnySchemaWithJson> extends McpResourceSettings<S> {
  /** Default: the method's name. */
  readonly name?: string | undefined;
}

/** As for `mcpPrompt()`, the method renders. */
export interface McpPromptDecoratorOptions<S extends AnySchemaWithJson> extends McpPromptSettings<S> {
  /** Default: the method's name. */
  readonly name?: string | undefined;
}

/** Which argument, of which prompt or resource template. */
export type McpCompleteDecoratorOptions = McpCompletionTarget & {
  /** Default: every argument. */
  readonly argument?: string | undefined;
};

/**
 * Makes a method a tool of an MCP server: `mcpServer({ components: [object] })`. The schema describes the first argument; the second is
 * the `McpToolContext` with the exchange, progress, meta and transport context. With `output` the method gives what that schema takes.
 * Throws `invalid_argument` on anything but a method. Source: `@McpTool`.
 *
 * @example
 * `@McpTool({ input: z.object({ city: z.string() }), annotations: { readOnlyHint: true } })` goes above the method
 * `async weather({ city }: { city: string }, { progress }: McpToolContext)` of a class.
 */
export function McpTool<S extends AnySchemaWithJson = NoInput, O extends AnySchemaWithJson = AnySchemaWithJson>(
  options: McpToolDecoratorOptions<S, O>,
): McpMethodDecorator<InferOutput<S>, McpToolContext, McpToolReturn<O> | Promise<McpToolReturn<O>>> {
  return mcpMethodDecorator('@McpTool', (methodName, call) => ({
    kind: 'tool',
    tool: mcpTool<S, AnySchemaWithJson>({
      ...options,
      name: options.name ?? methodName,
      execute: (input, context) => call(input, context),
    }),
  }));
}

/**
 * Makes a method a resource, or, with variables in `uri`, a template of many. The first argument holds the variables by name.
 * Throws `invalid_argument` on anything but a method, and for a `uri` that is none. Source: `@McpResource`.
 *
 * @example
 * `@McpResource({ uri: 'notes://{id}', input: z.object({ id: z.string() }) })` goes above the method
 * `async note({ id }: { id: string })` of a class.
 */
export function McpResource<S extends AnySchemaWithJson = UriVariables>(
  options: McpResourceDecoratorOptions<S>,
): McpMethodDecorator<InferOutput<S>, McpResourceContext, McpResourceReturn | Promise<McpResourceReturn>> {
  return mcpMethodDecorator('@McpResource', (methodName, call) => ({
    kind: 'resource',
    resource: mcpResource<S>({
      ...options,
      name: options.name ?? methodName,
      read: async (variables, context) => (await call(variables, context)) as McpResourceReturn,
    }),
  }));
}

/**
 * Makes a method a prompt. The first argument holds the prompt's arguments.
 * Throws `invalid_argument` on anything but a method. Source: `@McpPrompt`.
 *
 * @example
 * `@McpPrompt({ description: 'Greets somebody', input: z.object({ name: z.string() }) })` goes above the method
 * `greet({ name }: { name: string })` of a class.
 */
export function McpPrompt<S extends AnySchemaWithJson = NoInput>(
  options: McpPromptDecoratorOptions<S>,
): McpMethodDecorator<InferOutput<S>, McpCallContext, McpPromptReturn | Promise<McpPromptReturn>> {
  return mcpMethodDecorator('@McpPrompt', (methodName, call) => ({
    kind: 'prompt',
    prompt: mcpPrompt<S>({
      ...options,
      name: options.name ?? methodName,
      render: async (input, context) => (await call(input, context)) as McpPromptReturn,
    }),
  }));
}

/**
 * Makes a method suggest values of a prompt's argument or of a resource template's variable.
 * Throws `invalid_argument` on anything but a method, and unless one of `prompt` and `uri` is given. Source: `@McpComplete`.
 *
 * @example
 * `@McpComplete({ prompt: 'greet', argument: 'name' })` goes above the method
 * `names({ value }: McpCompletionInput)` of a class, which gives a list of texts.
 */
export function McpComplete(
  options: McpCompleteDecoratorOptions,
): McpMethodDecorator<McpCompletionInput, McpCallContext, McpCompletionValues | Promise<McpCompletionValues>> {
  return mcpMethodDecorator('@McpComplete', (_, call) => ({
    kind: 'completion',
    completion: mcpCompletion({
      ...options,
      complete: async (input, context) => (await call(input, context)) as McpCompletionValues,
    }),
  }));
}
