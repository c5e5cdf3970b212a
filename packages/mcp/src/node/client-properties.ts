import { type CallContext, invalidArgument, isRecord } from '@vernal/core';
import type { McpClientTransport } from '../client/client-transport.js';
import type { McpClientOptions } from '../client/connection-options.js';
import { McpConnections, type McpServers } from '../client/mcp-connections.js';
import { type McpConfigOptions, mcpServersFrom, readMcpServers } from './client-config.js';

/** A server over HTTP. */
export interface McpHttpProperties {
  /** Its address, with or without the path. */
  readonly url: string;
  /** The path where `url` has none. Default '/mcp', for SSE '/sse'. */
  readonly endpoint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A server that is started. */
export interface McpStdioProperties {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** The properties under `mcp.client`. Source: `McpClientCommonProperties` and its siblings of spring-ai. */
export interface McpClientProperties {
  /** False: no connections. Default true. */
  readonly enabled?: boolean | undefined;
  /** Of the client; each connection's name is added. Default 'vernal-mcp-client'. */
  readonly name?: string | undefined;
  /** Default '1.0.0'. */
  readonly version?: string | undefined;
  /** True: connections open now, and one that cannot does not stop the others. Default true. */
  readonly initialized?: boolean | undefined;
  /** Milliseconds, or '20s', '500ms', '2m'. Default 20,000. */
  readonly requestTimeout?: number | string | undefined;
  readonly stdio?:
    | {
        /** Path of a file as `readMcpServers` takes it; what stands under `connections` wins over it. */
        readonly serversConfiguration?: string | undefined;
        readonly connections?: Readonly<Record<string, McpStdioProperties>> | undefined;
      }
    | undefined;
  readonly streamableHttp?:
    | { readonly connections?: Readonly<Record<string, McpHttpProperties>> | undefined }
    | undefined;
  readonly sse?:
    | {
        readonly connections?:
          | Readonly<Record<string, McpHttpProperties & { readonly sseEndpoint?: string | undefined }>>
          | undefined;
      }
    | undefined;
}

/** What properties cannot say. */
export type McpClientPropertiesOptions = McpConfigOptions &
  CallContext & { readonly client?: McpClientOptions | undefined };

const KNOWN = ['enabled', 'name', 'version', 'initialized', 'requestTimeout', 'stdio', 'streamableHttp', 'sse'];

/**
 * Connections by properties, in camelCase or as files have them (`request-timeout`, `streamable-http`).
 *
 * @throws VernalError `invalid_argument` naming the property; as `readMcpServers` for the file
 * @example
 * const connections = await mcpConnectionsFrom({ streamableHttp: { connections: { docs: { url: 'https://example.com' } } } });
 */
export async function mcpConnectionsFrom(
  properties: McpClientProperties | Readonly<Record<string, unknown>>,
  options: McpClientPropertiesOptions = {},
): Promise<McpConnections> {
  const { client = {}, signal, observation, ...config } = options;
  const known = camelCased(properties, 'mcp.client');
  for (const key of Object.keys(known))
    if (!KNOWN.includes(key))
      throw invalidArgument(`mcp.client.${key}`, `is no property; there are ${KNOWN.join(', ')}`);
  const enabled = flag(known, 'enabled');
  const initialized = flag(known, 'initialized');
  const servers = enabled ? await serversOf(known, config, signal) : {};
  const name = text(known, 'name') ?? 'vernal-mcp-client';
  const version = text(known, 'version') ?? '1.0.0';
  const requestTimeoutMs = durationOf(known['requestTimeout']);
  const connections = new McpConnections(servers, (connection) => ({
    clientInfo: { name: `${name} - ${connection}`, version, title: connection },
    ...(requestTimeoutMs === undefined ? undefined : { requestTimeoutMs }),
    ...client,
  }));
  try {
    if (initialized) await connections.connect({ signal, observation });
    return connections;
  } catch (error) {
    await connections.close();
    throw error;
  }
}

async function serversOf(
  properties: Readonly<Record<string, unknown>>,
  config: McpConfigOptions,
  signal: AbortSignal | undefined,
): Promise<McpServers> {
  const stdio = camelCased(properties['stdio'] ?? {}, 'mcp.client.stdio');
  const path = stdio['serversConfiguration'];
  if (path !== undefined && typeof path !== 'string')
    throw invalidArgument('mcp.client.stdio.serversConfiguration', 'must be the path of a file');
  // An object would take `__proto__` for something else.
  const found = new Map<string, McpClientTransport>();
  const add = (servers: McpServers): void => {
    for (const [name, transport] of Object.entries(servers)) found.set(name, transport);
  };
  if (path !== undefined) add(await readMcpServers(path, { ...config, signal }));
  add(mcpServersFrom({ connections: connectionsOf(stdio, 'stdio') }, config));
  for (const kind of ['streamableHttp', 'sse'] as const) {
    const group = camelCased(properties[kind] ?? {}, `mcp.client.${kind}`);
    for (const [name, entry] of Object.entries(connectionsOf(group, kind))) {
      if (found.has(name))
        throw invalidArgument(`mcp.client.${kind}.connections.${name}`, 'another connection has this name');
      const place = `mcp.client.${kind}.connections.${name}`;
      const { url, endpoint, sseEndpoint, headers } = camelCased(entry, place);
      const address = addressOf(url, sseEndpoint ?? endpoint, kind === 'sse' ? '/sse' : '/mcp', place);
      const type = kind === 'sse' ? 'sse' : 'http';
      add(mcpServersFrom({ connections: { [name]: { type, url: address, headers } } }, config));
    }
  }
  return Object.fromEntries(found);
}

/** An address with a path is whole; one without gets the endpoint. Both at once, and different, is a mistake of many. */
function addressOf(url: unknown, endpoint: unknown, usual: string, place: string): string {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:/i.test(url))
    throw invalidArgument(`${place}.url`, "must be an address with its scheme: 'https://example.com'");
  if (endpoint !== undefined && (typeof endpoint !== 'string' || !endpoint.startsWith('/')))
    throw invalidArgument(`${place}.endpoint`, `must begin with '/': '${usual}'`);
  const { origin, pathname, search } = new URL(url);
  const bare = pathname === '/';
  if (endpoint === undefined) return bare ? `${origin}${usual}${search}` : url;
  if (!bare && pathname.endsWith(endpoint)) return url;
  return `${origin}${pathname.replace(/\/$/, '')}${endpoint}${search}`;
}

function connectionsOf(group: Readonly<Record<string, unknown>>, kind: string): Readonly<Record<string, unknown>> {
  const connections = group['connections'] ?? {};
  if (!isRecord(connections))
    throw invalidArgument(`mcp.client.${kind}.connections`, 'must be an object by the names of connections');
  return connections;
}

function camelCased(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalidArgument(place, 'must be an object');
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      one,
    ]),
  );
}

function flag(properties: Readonly<Record<string, unknown>>, key: string): boolean {
  const value = properties[key] ?? true;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidArgument(`mcp.client.${key}`, 'must be true or false');
}

function text(properties: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = properties[key];
  if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return value;
  throw invalidArgument(`mcp.client.${key}`, 'must be a text that is not blank');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

function durationOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const found = /^(\d+)\s*(ms|s|m)?$/.exec(String(value));
  const factor = UNITS[found?.[2] ?? 'ms'];
  if (found === null || factor === undefined)
    throw invalidArgument('mcp.client.requestTimeout', "must be milliseconds, or a text such as '20s'");
  return Number(found[1]) * factor;
}
