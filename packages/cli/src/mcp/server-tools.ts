import { resolve } from 'node:path';
import { type Logger, type ToolCallbackProvider, VernalError } from '@vernal/core';
import type { McpServers } from '@vernal/mcp';
import type { CliIo } from '../cli-io.js';
import { printable, writeLine } from '../output/write-line.js';
import { usageError } from '../usage-error.js';
import { version } from '../version.js';
import type { McpWish } from './mcp-options.js';

/** A server that works, and the names of its tools as the model knows them. */
export interface ReachedServer {
  readonly name: string;
  readonly tools: readonly string[];
}

/** The tools of MCP servers. Closing ends the connections, and the processes of servers that were started. */
export interface ServerTools extends AsyncDisposable {
  readonly provider: ToolCallbackProvider;
  readonly allowed: ReadonlySet<string>;
  readonly servers: readonly ReachedServer[];
  readonly unreachable: readonly { readonly name: string; readonly reason: string }[];
}

/** Reads the file, with `${NAME}` from the environment. What is wrong in it is a usage error that names the place. */
export async function configuredServers(
  { file }: McpWish,
  io: CliIo,
  { signal, verbose }: { readonly signal: AbortSignal; readonly verbose: boolean },
): Promise<McpServers> {
  const { readMcpServers } = await import('@vernal/mcp/node');
  const stderr = verbose ? (line: string): void => writeLine(io.stderr, printable(line)) : 'ignore';
  let servers: McpServers;
  try {
    servers = await readMcpServers(resolve(io.cwd, file), { variables: io.env, stderr, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!VernalError.is(error)) throw error;
    if (error.code === 'resource') throw usageError(`There is no file to read at ${file}: check --mcp`, 'mcp');
    throw usageError(`${file}: ${error.message}`, 'mcp');
  }
  if (Object.keys(servers).length > 0) return servers;
  throw usageError(`${file} names no server: write { "mcpServers": { "files": { "command": "…" } } }`, 'mcp');
}

/** Opens all connections at once. A server that cannot be reached is told, and is not asked again; the others work. */
export async function openServerTools(
  servers: McpServers,
  { allowed }: McpWish,
  { signal, logger }: { readonly signal: AbortSignal; readonly logger: Logger },
): Promise<ServerTools> {
  const { McpConnections, mcpToolOf, mcpTools } = await import('@vernal/mcp');
  const vernal = await version();
  const connections = new McpConnections(servers, (name) => ({
    clientInfo: { name: 'vernal', version: vernal, title: name },
    logger,
  }));
  try {
    const failures = await connections.connect({ signal });
    const dead = new Set(failures.map(({ name }) => name));
    const reached = [...connections].filter(({ name }) => !dead.has(name));
    const provider = mcpTools(reached, { protocolErrors: 'answer', logger });
    const tools = await provider.toolCallbacks({ signal });
    const named = reached.map(({ name }) => ({
      name,
      tools: tools
        .filter(({ definition }) => mcpToolOf(definition)?.connection === name)
        .map(({ definition }) => definition.name),
    }));
    // A server that is down may have it.
    if (dead.size === 0)
      requireKnown(
        allowed,
        named.flatMap((one) => one.tools),
      );
    const unreachable = failures.map(({ name, error }) => ({ name, reason: error.message }));
    return { provider, allowed, servers: named, unreachable, [Symbol.asyncDispose]: () => connections.close() };
  } catch (error) {
    await connections.close();
    throw error;
  }
}

function requireKnown(allowed: ReadonlySet<string>, tools: readonly string[]): void {
  const unknown = [...allowed].filter((name) => name !== 'all' && !tools.includes(name));
  if (unknown.length === 0) return;
  throw usageError(
    `--allow ${unknown.join(',')}: there is no such tool, there are ${tools.join(', ') || 'none'}`,
    'allow',
  );
}

/** What is said of them before the first answer. */
export function serverLines({ servers, unreachable }: ServerTools): readonly string[] {
  return [
    ...unreachable.map(({ name, reason }) => `Left out ${name}: ${reason}`),
    ...servers.map(({ name, tools }) => `Tools of ${name}: ${tools.join(', ') || 'none'}`),
  ];
}
