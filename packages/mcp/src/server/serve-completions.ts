import type { CompleteResult } from '@modelcontextprotocol/server';
import type { ServerParts } from './build-server.js';
import { featureError, invalidParams } from './feature-error.js';
import type { McpCompletionInput, McpCompletionOptions, McpCompletionValues } from './mcp-completion.js';
import type { McpCallContext } from './mcp-exchange.js';
import type { ServingServer } from './serving-server.js';

/** The protocol's own limit. */
const MAX_VALUES = 100;

/** `completion/complete`. */
export function serveCompletions(server: ServingServer, parts: ServerParts): void {
  const { runner } = parts;
  server.server.setRequestHandler('completion/complete', ({ params }, context) =>
    runner.list(server, context, 'completion/complete', async (call) => {
      const { ref, argument } = params;
      const complete = await completer(parts, ref, argument.name, call);
      if (complete === undefined) return { completion: { values: [] } };
      const input: McpCompletionInput = {
        argument: argument.name,
        value: argument.value,
        arguments: params.context?.arguments ?? {},
      };
      try {
        return completion(await complete(input, call));
      } catch (error) {
        throw featureError(error, `Completion of ${argument.name}`);
      }
    }),
  );
}

type Reference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** A completion of its own before those of the prompt or resource; undefined: there are no suggestions. */
async function completer(
  { features, access }: ServerParts,
  ref: Reference,
  argument: string,
  call: McpCallContext,
): Promise<McpCompletionOptions['complete'] | undefined> {
  const isPrompt = ref.type === 'ref/prompt';
  const name = isPrompt ? ref.name : ref.uri;
  const owner = isPrompt ? (await features.prompts()).get(name) : (await features.resources()).get(name);
  if (owner === undefined || !(await access.mayUse(isPrompt ? 'prompt' : 'resource', name, owner.scopes, call)))
    throw invalidParams(`${isPrompt ? 'Prompt' : 'Resource'} ${name} not found`);
  const own = features.completions.find(
    (item) => (isPrompt ? item.prompt : item.uri) === name && (item.argument ?? argument) === argument,
  );
  if (own !== undefined) return own.complete;
  const { complete } = owner;
  return complete !== undefined && Object.hasOwn(complete, argument) ? complete[argument] : undefined;
}

function completion(given: McpCompletionValues): CompleteResult {
  const { values, total, hasMore } = isList(given) ? { values: given, total: undefined, hasMore: undefined } : given;
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: total ?? values.length,
      hasMore: hasMore ?? (total ?? values.length) > Math.min(values.length, MAX_VALUES),
    },
  };
}

function isList(given: McpCompletionValues): given is readonly string[] {
  return Array.isArray(given);
}
