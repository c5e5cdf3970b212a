import { type CallContext, invalidArgument, safeCause, safeLogger, VernalError } from '@vernal/core';
import type { McpClientTransport } from './client-transport.js';
import type { McpClientOptions } from './connection-options.js';
import { McpConnection } from './mcp-connection.js';

/** Transports by the names of their connections. */
export type McpServers = Readonly<Record<string, McpClientTransport>>;

/** Connections to several servers: a list to give to `mcpTools`, closed together. */
export class McpConnections implements Iterable<McpConnection>, AsyncDisposable {
  readonly #connections: ReadonlyMap<string, McpConnection>;
  readonly #options: McpClientOptions;

  /**
   * Nothing is opened yet: each connection opens at its first use.
   *
   * @param options - hold for every connection; a function is asked for each by its name
   */
  constructor(servers: McpServers, options: McpClientOptions | ((name: string) => McpClientOptions) = {}) {
    const optionsOf = typeof options === 'function' ? options : () => options;
    this.#options = typeof options === 'function' ? {} : options;
    this.#connections = new Map(
      Object.entries(servers).map(([name, transport]) => [
        name,
        new McpConnection({ ...optionsOf(name), name, transport }),
      ]),
    );
  }

  /** Throws `invalid_argument` when there is none of this name. */
  get(name: string): McpConnection {
    const found = this.#connections.get(name);
    if (found !== undefined) return found;
    throw invalidArgument(
      'name',
      `there is no connection '${name}'; there are ${[...this.#connections.keys()].join(', ') || 'none'}`,
    );
  }

  [Symbol.iterator](): Iterator<McpConnection> {
    return this.#connections.values();
  }

  /**
   * Opens all of them at once. A server that cannot be reached does not keep the others from opening; it is in the list that comes
   * back, and is tried again when something is asked of it.
   */
  async connect(context?: CallContext): Promise<readonly { readonly name: string; readonly error: VernalError }[]> {
    const logger = safeLogger(this.#options.logger);
    const failures = await Promise.all(
      [...this].map(async (connection) => {
        try {
          await connection.connect(context);
          return [];
        } catch (error) {
          if (!VernalError.is(error) || context?.signal?.aborted) throw error;
          logger.warn('An MCP server cannot be reached', { connection: connection.name, cause: safeCause(error) });
          return [{ name: connection.name, error }];
        }
      }),
    );
    return failures.flat();
  }

  /** Closes every connection. May be called twice. */
  async close(): Promise<void> {
    await Promise.all([...this].map((connection) => connection.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
