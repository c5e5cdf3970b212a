import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import {
  type CallContext,
  invalidArgument,
  isPortableToolName,
  type Logger,
  safeCause,
  safeLogger,
  type ToolCallback,
  type ToolCallbackProvider,
  type ToolContext,
  VernalError,
} from '@vernal/core';
import { requireCount, requireOptionNames } from '@vernal/core/adapter';
import type { McpToolDescription } from './listed-tools.js';
import type { McpConnection } from './mcp-connection.js';
import { mcpToolCallback } from './mcp-tool-callback.js';
import { mcpToolName, withHash } from './tool-name.js';

/** Whose tool it is. */
export interface McpToolOrigin {
  /** Name of the connection. */
  readonly connection: string;
  readonly serverInfo?: Implementation | undefined;
  readonly serverCapabilities?: ServerCapabilities | undefined;
}

/** Which tools the model gets, under which names, and what it is told when they fail. */
export interface McpToolsOptions {
  /** Which tools the model gets. Default all. */
  readonly filter?: ((tool: McpToolDescription, origin: McpToolOrigin) => boolean | Promise<boolean>) | undefined;
  /** Name for the model, `[a-zA-Z0-9_-]{1,64}` and its own. Default `mcpToolName(connection, tool)`: `<connection>_<tool>`. */
  readonly name?: ((tool: McpToolDescription, origin: McpToolOrigin) => string) | undefined;
  /** False: names without the connection's. A server may then take a name of yours. Default true. */
  readonly prefix?: boolean | undefined;
  /** Description for the model. Default the tool's own, else its title. */
  readonly description?: ((tool: McpToolDescription, origin: McpToolOrigin) => string) | undefined;
  /**
   * What of the `toolContext` goes to the server as `_meta`. Default nothing.
   */
  readonly meta?:
    | ((
        context: ToolContext,
        tool: McpToolDescription,
        origin: McpToolOrigin,
      ) => Readonly<Record<string, unknown>> | undefined)
    | undefined;
  /**
   * `'throw'` (the default): a JSON-RPC error ends the turn, for the request itself was wrong. `'answer'`: the model is told of it. A tool
   * that answers `isError`, a server that cannot be reached and a time-out are always told to the model.
   */
  readonly protocolErrors?: 'throw' | 'answer' | undefined;
  /**
   * `'skip'` (the default): a server that cannot be reached has no tools, with a warning, or those that it had. `'throw'`: nobody gets any.
   */
  readonly unavailable?: 'skip' | 'throw' | undefined;
  /** True: the tool's answer is the answer, for the tools named. Default none. */
  readonly returnDirect?: ((tool: McpToolDescription, origin: McpToolOrigin) => boolean) | undefined;
  /** Characters of text that the model gets of one answer. Default 400,000; the rest is left out, and the model is told so. */
  readonly maxTextLength?: number | undefined;
  /** Characters of a description. Default 8,192. */
  readonly maxDescriptionLength?: number | undefined;
  /** Default silent. */
  readonly logger?: Logger | undefined;
}

interface ConnectionTools {
  readonly listed: readonly McpToolDescription[];
  readonly tools: readonly ToolCallback[];
}

/**
 * The tools of MCP servers for a chat client, which asks for them each time a call starts: what a server adds or takes away is there
 * the next time. Connections stay yours.
 *
 * @throws VernalError `invalid_argument` for two connections of one name; later for names of `name` that are not legal, or not unique
 * @example
 * const client = ChatClient.builder(model).defaultTools(mcpTools([files, search], { filter: ({ name }) => name !== 'delete' })).build();
 */
export function mcpTools(
  connections: McpConnection | Iterable<McpConnection>,
  options: McpToolsOptions = {},
): ToolCallbackProvider & { toolCallbacks(context?: CallContext): Promise<readonly ToolCallback[]> } {
  requireOptionNames(options, [
    'filter',
    'name',
    'prefix',
    'description',
    'meta',
    'protocolErrors',
    'unavailable',
    'returnDirect',
    'maxTextLength',
    'maxDescriptionLength',
    'logger',
  ]);
  requireCount(options.maxTextLength ?? 1, 'maxTextLength');
  requireCount(options.maxDescriptionLength ?? 1, 'maxDescriptionLength');
  const all: readonly McpConnection[] = Symbol.iterator in connections ? [...connections] : [connections];
  const names = new Set<string>();
  for (const { name } of all) {
    if (names.has(name))
      throw invalidArgument('connections', `there are two named '${name}'; give each a name of its own`);
    names.add(name);
  }
  const logger = safeLogger(options.logger);
  const cached = new Map<McpConnection, ConnectionTools>();
  const taken = new Map<string, string>();

  const toolsOf = async (
    connection: McpConnection,
    context: CallContext | undefined,
  ): Promise<readonly ToolCallback[]> => {
    const known = cached.get(connection);
    let listed: readonly McpToolDescription[];
    try {
      listed = await connection.listTools(context);
    } catch (error) {
      if (options.unavailable === 'throw' || context?.signal?.aborted) throw error;
      logger.warn('The tools of an MCP server cannot be had', { connection: connection.name, cause: safeCause(error) });
      return known?.tools ?? [];
    }
    if (known?.listed === listed) return known.tools;
    const tools = await callbacks(connection, listed, options, taken);
    cached.set(connection, { listed, tools });
    return tools;
  };

  return {
    async toolCallbacks(context) {
      return checkedNames(await Promise.all(all.map((connection) => toolsOf(connection, context))));
    },
  };
}

async function callbacks(
  connection: McpConnection,
  listed: readonly McpToolDescription[],
  options: McpToolsOptions,
  taken: Map<string, string>,
): Promise<ToolCallback[]> {
  const { serverInfo, serverCapabilities } = connection;
  const origin: McpToolOrigin = { connection: connection.name, serverInfo, serverCapabilities };
  const chosen: McpToolDescription[] = [];
  for (const tool of listed)
    if (options.filter === undefined || (await options.filter(tool, origin))) chosen.push(tool);
  return chosen.map((tool) => mcpToolCallback(connection, tool, origin, nameOf(tool, origin, options, taken), options));
}

/** A name that another tool had first goes on being its own; this one gets a hash. */
function nameOf(
  tool: McpToolDescription,
  origin: McpToolOrigin,
  { name, prefix }: McpToolsOptions,
  taken: Map<string, string>,
): string {
  if (name !== undefined) {
    const own = name(tool, origin);
    if (isPortableToolName(own)) return own;
    throw invalidArgument(
      'name',
      `gives '${String(own).slice(0, 80)}' for a tool of '${origin.connection}'; legal is [a-zA-Z0-9_-]{1,64}`,
    );
  }
  const identity = `${origin.connection}\0${tool.name}`;
  let found = mcpToolName(prefix === false ? undefined : origin.connection, tool.name);
  for (let origin = identity; (taken.get(found) ?? identity) !== identity; origin += '\0')
    found = withHash(found, origin);
  taken.set(found, identity);
  return found;
}

function checkedNames(lists: readonly (readonly ToolCallback[])[]): readonly ToolCallback[] {
  const tools = lists.flat();
  const names = new Set<string>();
  for (const { definition } of tools) {
    if (names.has(definition.name)) {
      throw new VernalError(
        `name: there are two tools named '${definition.name}'; give them other names, or filter one out`,
        {
          code: 'invalid_argument',
          subject: 'name',
        },
      );
    }
    names.add(definition.name);
  }
  return tools;
}
