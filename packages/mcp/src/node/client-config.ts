import { readFile } from 'node:fs/promises';
import { type CallContext, invalidArgument, isRecord, safeCause, throwIfAborted, VernalError } from '@vernal/core';
import type { McpClientTransport } from '../client/client-transport.js';
import type { McpServers } from '../client/mcp-connections.js';
import { sseTransport } from '../client/sse-transport.js';
import { type McpHttpClientOptions, streamableHttpTransport } from '../client/streamable-http-transport.js';
import { type StdioOptions, stdioTransport } from './client-stdio.js';

/** How entries of a configuration become transports. */
export interface McpConfigOptions {
  /**
   * What stands for `${NAME}` and `${NAME:-default}` in texts; `process.env` for the environment. Default none: a text with such a place
   * is `invalid_argument`.
   */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** For every server over HTTP; its own headers are added. */
  readonly http?: Omit<McpHttpClientOptions, 'headers'> | undefined;
  /** What becomes of the standard error of processes. Default 'ignore'. */
  readonly stderr?: StdioOptions['stderr'];
}

/**
 * Servers from a configuration as Claude Desktop, editors and other hosts have it: `{ "mcpServers": { "files": { "command": "npx", "args": [] } } }`, or
 * with `url`, `headers` and `type` (`'http'` or `'sse'`). The first key at the top that holds an object counts, whatever its name.
 * Servers with `disabled: true` are left out; keys that are not known are passed over.
 *
 * @throws VernalError `invalid_argument` naming the server and the key
 * @example
 * const connections = new McpConnections(mcpServersFrom(JSON.parse(text), { variables: process.env }));
 */
export function mcpServersFrom(config: unknown, options: McpConfigOptions = {}): McpServers {
  const entries = serverEntries(config);
  return Object.fromEntries(
    entries.flatMap(([name, entry]): [string, McpClientTransport][] => {
      if (!isRecord(entry)) throw invalidArgument(`mcpServers.${name}`, 'must be an object with `command` or `url`');
      return entry['disabled'] === true ? [] : [[name, transportOf(name, entry, options)]];
    }),
  );
}

/**
 * The same from a JSON file.
 *
 * @throws VernalError `resource` when it cannot be read; `invalid_argument` when it is not JSON, or as `mcpServersFrom`
 */
export async function readMcpServers(
  path: string | URL,
  options: McpConfigOptions & CallContext = {},
): Promise<McpServers> {
  const { signal, observation: _, ...rest } = options;
  throwIfAborted(signal);
  let text: string;
  try {
    text = await readFile(path, signal === undefined ? 'utf8' : { encoding: 'utf8', signal });
  } catch (error) {
    throwIfAborted(signal);
    throw new VernalError('The configuration of MCP servers cannot be read: check its path', {
      code: 'resource',
      subject: 'path',
      cause: safeCause(error),
    });
  }
  return mcpServersFrom(parsed(text), rest);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own message quotes the text, which may hold keys.
    throw invalidArgument('path', 'the configuration of MCP servers is not JSON');
  }
}

function serverEntries(config: unknown): [string, unknown][] {
  const fix = 'must look like { "mcpServers": { "files": { "command": "npx", "args": [] } } }';
  if (!isRecord(config)) throw invalidArgument('config', fix);
  const first = Object.values(config).find(isRecord);
  if (first === undefined) throw invalidArgument('config', fix);
  return Object.entries(first);
}

function transportOf(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  options: McpConfigOptions,
): McpClientTransport {
  const place = (key: string): string => `mcpServers.${name}.${key}`;
  const text = (key: string, value: unknown): string => {
    if (typeof value !== 'string' || value === '')
      throw invalidArgument(place(key), 'must be a text that is not empty');
    return expanded(value, place(key), options.variables);
  };
  const texts = (key: string, value: unknown): Record<string, string> => {
    if (!isRecord(value)) throw invalidArgument(place(key), 'must be an object of texts');
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => {
        if (typeof one !== 'string') throw invalidArgument(place(`${key}.${inner}`), 'must be a text');
        return [inner, expanded(one, place(`${key}.${inner}`), options.variables)];
      }),
    );
  };
  const { command, args, env, cwd, url, headers } = entry;
  const type = entry['type'] ?? entry['transport'];
  if (command !== undefined && url !== undefined)
    throw invalidArgument(place('url'), 'give `command` or `url`, not both');
  if (command !== undefined) {
    if (args !== undefined && !Array.isArray(args)) throw invalidArgument(place('args'), 'must be a list of texts');
    return stdioTransport({
      command: text('command', command),
      args: args?.map((one, index) => {
        if (typeof one !== 'string') throw invalidArgument(place(`args[${index}]`), 'must be a text');
        return expanded(one, place(`args[${index}]`), options.variables);
      }),
      ...(env === undefined ? undefined : { env: texts('env', env) }),
      ...(cwd === undefined ? undefined : { cwd: text('cwd', cwd) }),
      stderr: options.stderr,
    });
  }
  if (url === undefined) throw invalidArgument(place('command'), 'is missing; a server needs `command` or `url`');
  const address = text('url', url);
  const http: McpHttpClientOptions = {
    ...options.http,
    ...(headers === undefined ? undefined : { headers: texts('headers', headers) }),
  };
  try {
    if (type === 'sse') return sseTransport(address, http);
    // Without a type it may be either.
    return streamableHttpTransport(address, type === undefined ? { ...http, sseFallback: address } : http);
  } catch (error) {
    if (!VernalError.is(error)) throw error;
    throw invalidArgument(place(error.subject ?? 'url'), error.message.replace(/^\w+: /, ''));
  }
}

function expanded(text: string, place: string, variables: McpConfigOptions['variables']): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, fallback: string | undefined) => {
    // A place may be named as what every object has.
    const own = variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = own ?? fallback;
    if (value !== undefined) return value;
    throw invalidArgument(
      place,
      `there is no variable ${name}: give it among \`variables\`, or a default: \${${name}:-…}`,
    );
  });
}
