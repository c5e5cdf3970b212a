import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/client';
import {
  type CallContext,
  invalidArgument,
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
import { ToolNames } from './tool-names.js';

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
  /** Name for the model, `[a-zA-Z0-9_-]{1,64}` and its own. Default `mcpToolName(connection, tool, others)`: `<connection>_<tool>`. */
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

interface ChosenTools {
  readonly listed: readonly McpToolDescription[];
  readonly origin: McpToolOrigin;
  readonly chosen: readonly McpToolDescription[];
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
  const connectionList: readonly McpConnection[] = Symbol.iterator in connections ? [...connections] : [connections];
  const names = new Set<string>();
  for (const { name } of connectionList) {
    if (names.has(name))
      throw invalidArgument('connections', `there are two named '${name}'; give each a name of its own`);
    names.add(name);
  }
  const logger = safeLogger(options.logger);
  const cached = new Map<McpConnection, ConnectionTools>();
  const toolNames = new ToolNames([...names], options);

  const chosenOf = async (
    connection: McpConnection,
    context: CallContext | undefined,
  ): Promise<ChosenTools | undefined> => {
    let listed: readonly McpToolDescription[];
    try {
      listed = await connection.listTools(context);
    } catch (error) {
      if (options.unavailable === 'throw' || context?.signal?.aborted) throw error;
      logger.warn('The tools of an MCP server cannot be had', { connection: connection.name, cause: safeCause(error) });
      return undefined;
    }
    if (cached.get(connection)?.listed === listed) return undefined;
    const { serverInfo, serverCapabilities } = connection;
    const origin: McpToolOrigin = { connection: connection.name, serverInfo, serverCapabilities };
    return { listed, origin, chosen: await filtered(listed, origin, options.filter) };
  };

  return {
    async toolCallbacks(context) {
      const all = await Promise.all(connectionList.map((connection) => chosenOf(connection, context)));
      for (const [index, connection] of connectionList.entries()) {
        const found = all[index];
        // It has those that it had.
        if (found === undefined) continue;
        const { listed, origin, chosen } = found;
        const named = toolNames.of(origin, chosen);
        const tools = chosen.map((tool, at) =>
          mcpToolCallback(connection, tool, origin, named[at] ?? tool.name, options),
        );
        cached.set(connection, { listed, tools });
      }
      return checkedNames(connectionList.map((connection) => cached.get(connection)?.tools ?? []));
    },
  };
}

async function filtered(
  listed: readonly McpToolDescription[],
  origin: McpToolOrigin,
  filter: McpToolsOptions['filter'],
): Promise<readonly McpToolDescription[]> {
  if (filter === undefined) return listed;
  const chosen: McpToolDescription[] = [];
  for (const tool of listed) if (await filter(tool, origin)) chosen.push(tool);
  return chosen;
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
