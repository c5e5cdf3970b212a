import { invalidArgument, isPortableToolName } from '@vernal/core';
import { cutText } from './cut-text.js';
import type { McpToolDescription } from './listed-tools.js';
import type { McpToolOrigin, McpToolsOptions } from './mcp-tools.js';
import { mcpToolName, withHash } from './tool-name.js';

/** Names for the tools of several connections. */
export class ToolNames {
  readonly #connections: readonly string[];
  readonly #options: Pick<McpToolsOptions, 'name' | 'prefix'>;
  /** Whose a name is, by connection and tool; of tools that are offered now. */
  readonly #holders = new Map<string, string>();

  constructor(connections: readonly string[], options: Pick<McpToolsOptions, 'name' | 'prefix'>) {
    this.#connections = connections;
    this.#options = options;
  }

  /** Names for all tools that a connection offers now, in their order; those that it offered before are free again. */
  of(origin: McpToolOrigin, tools: readonly McpToolDescription[]): readonly string[] {
    const { name } = this.#options;
    if (name !== undefined) return tools.map((tool) => legalName(name(tool, origin), origin));
    const { connection } = origin;
    const offered = new Set(tools.map((tool) => identityOf(connection, tool.name)));
    for (const [held, identity] of this.#holders)
      if (identity.startsWith(identityOf(connection, '')) && !offered.has(identity)) this.#holders.delete(held);
    return tools.map((tool) => this.#nameOf(connection, tool.name));
  }

  /** Without prefixes two servers may want one name: a tool that had it first keeps it while it is offered, and another gets a hash. */
  #nameOf(connection: string, tool: string): string {
    const prefixed = this.#options.prefix !== false;
    const identity = identityOf(connection, tool);
    const first = mcpToolName(prefixed ? connection : undefined, tool, this.#connections);
    let found = first;
    for (let salted = tool; (this.#holders.get(found) ?? identity) !== identity; salted += '\0')
      found = withHash(first, connection, salted);
    this.#holders.set(found, identity);
    return found;
  }
}

function identityOf(connection: string, tool: string): string {
  return `${connection}\0${tool}`;
}

function legalName(name: string, { connection }: McpToolOrigin): string {
  if (isPortableToolName(name)) return name;
  throw invalidArgument(
    'name',
    `gives '${cutText(String(name), 80)}' for a tool of '${connection}'; legal is [a-zA-Z0-9_-]{1,64}`,
  );
}
