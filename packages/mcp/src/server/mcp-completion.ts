import { invalidArgument } from '@vernal/core';
import type { McpCallContext } from './mcp-exchange.js';

/** What is to be completed: the beginning of one argument, and those that are filled in already. */
export interface McpCompletionInput {
  readonly argument: string;
  /** As far as it was typed; '' at the start. */
  readonly value: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Best first; a client is sent at most 100 of them. */
export type McpCompletionValues =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** All there are; default the length of `values`. */
      readonly total?: number | undefined;
      readonly hasMore?: boolean | undefined;
    };

/** Of a prompt's argument, or of a variable in the URI of a resource template. */
export type McpCompletionTarget =
  | { readonly prompt: string; readonly uri?: undefined }
  | { readonly uri: string; readonly prompt?: undefined };

/** A completion as `mcpCompletion()` takes it. */
export type McpCompletionOptions = McpCompletionTarget & {
  /** The one argument or variable that it is for. Default: all of them. */
  readonly argument?: string | undefined;
  readonly complete: (
    input: McpCompletionInput,
    context: McpCallContext,
  ) => McpCompletionValues | Promise<McpCompletionValues>;
};

/** What completes arguments, for `mcpServer({ completions })`. */
export type McpCompletion = McpCompletionOptions & { readonly kind: 'mcp_completion' };

/** Functions of a prompt's or resource's own, by the name of the argument or variable. */
export type McpCompleters = Readonly<
  Record<
    string,
    (input: McpCompletionInput, context: McpCallContext) => McpCompletionValues | Promise<McpCompletionValues>
  >
>;

/**
 * Suggests values of a prompt's argument or of a resource template's variable.
 * Throws `invalid_argument` unless exactly one of `prompt` and `uri` is given. Source: `@McpComplete`.
 *
 * @example
 * mcpCompletion({
 *   prompt: 'greet',
 *   argument: 'language',
 *   complete: ({ value }) => ['Dutch', 'Danish', 'German'].filter((name) => name.startsWith(value)),
 * });
 */
export function mcpCompletion(options: McpCompletionOptions): McpCompletion {
  if ((options.prompt === undefined) === (options.uri === undefined))
    throw invalidArgument('completion', 'needs the name of a prompt or the uri of a resource template, one of the two');
  if (typeof options.complete !== 'function') throw invalidArgument('complete', 'must be a function');
  return { ...options, kind: 'mcp_completion' };
}
