import type { Implementation, LoggingLevel, VersionNegotiationOptions } from '@modelcontextprotocol/client';
import {
  invalidArgument,
  type Logger,
  noopObservationRegistry,
  type ObservationRegistry,
  type RetryPolicy,
  safeLogger,
} from '@vernal/core';
import { LONGEST_TIMEOUT_MS, requireCount, requireOptionNames } from '@vernal/core/adapter';
import { decoratedHandlers } from './client-decorators.js';
import { type ClientHandlerLists, type McpClientHandlers, mergeHandlers } from './client-handlers.js';
import type { McpClientTransport } from './client-transport.js';
import type { McpRoot } from './protocol-types.js';

/** What connections to several servers may share. */
export interface McpClientOptions {
  /** What the server is told of us. Default `{ name: 'vernal-mcp-client - <connection>', version: '1.0.0', title: '<connection>' }`. */
  readonly clientInfo?: Implementation | undefined;
  /** Milliseconds until a request is given up; progress starts it anew. Default 20,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Milliseconds until a request is given up whatever progress it tells. Default 600,000. */
  readonly maxRequestTimeoutMs?: number | undefined;
  /** Milliseconds for opening a connection, the start of a process included. Default 60,000. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * How often and how patiently a lost connection is opened again, when something is asked of it. Default: 6 tries, 200 ms before the
   * second, doubled up to 5,000 ms. The first connection is tried once.
   */
  readonly reconnect?: RetryPolicy | undefined;
  /** Handlers by name, and objects with `@McpSampling`, `@McpLogging` … methods. */
  readonly handlers?: McpClientHandlers | object | readonly (McpClientHandlers | object)[] | undefined;
  /** Directories or files that the server may work with: `file://` addresses. Default: the server is told nothing. */
  readonly roots?: readonly McpRoot[] | undefined;
  /** From which level on the server is to log. Default: as the server has it. */
  readonly loggingLevel?: LoggingLevel | undefined;
  /**
   * `'legacy'` (the default) opens a session as every revision up to 2025-11-25 does; `'auto'` asks the server first whether it has a
   * newer one; `{ pin }` insists on one.
   */
  readonly protocol?: VersionNegotiationOptions['mode'] | undefined;
  /** Requests at the same time; others wait. Default 256. */
  readonly maxConcurrentRequests?: number | undefined;
  /**
   * Requests of the server (sampling, elicitation) that are answered at the same time. Eight times as many wait; what comes on top is refused.
   * Default 8.
   */
  readonly maxServerRequests?: number | undefined;
  /** Pages of a list until it counts as endless. Default 64. */
  readonly maxListPages?: number | undefined;
  /** Entries of a list until it counts as endless. Default 10,000. */
  readonly maxListItems?: number | undefined;
  /** Puts the server's own words into the messages of errors; they may hold anything. Default false. */
  readonly serverMessages?: boolean | undefined;
  /** Default: observes nothing. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default silent. */
  readonly logger?: Logger | undefined;
}

/** One connection. */
export interface McpConnectionOptions extends McpClientOptions {
  /** Not blank, and its own among the connections of an application: part of the names of tools. */
  readonly name: string;
  readonly transport: McpClientTransport;
}

/** Options with their defaults. */
export interface ConnectionSettings {
  readonly name: string;
  readonly transport: McpClientTransport;
  readonly clientInfo: Implementation;
  readonly requestTimeoutMs: number;
  readonly maxRequestTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly reconnect: RetryPolicy;
  readonly handlers: ClientHandlerLists;
  readonly roots: readonly McpRoot[] | undefined;
  readonly loggingLevel: LoggingLevel | undefined;
  readonly protocol: VersionNegotiationOptions['mode'];
  readonly maxConcurrentRequests: number;
  readonly maxServerRequests: number;
  readonly maxListPages: number;
  readonly maxListItems: number;
  readonly serverMessages: boolean;
  readonly registry: ObservationRegistry;
  readonly logger: Logger;
}

const HANDLER_NAMES: readonly string[] = [
  'sampling',
  'elicitation',
  'logging',
  'progress',
  'toolListChanged',
  'resourceListChanged',
  'promptListChanged',
  'resourceUpdated',
] satisfies readonly (keyof McpClientHandlers)[];

/** Throws `invalid_argument` naming the option that cannot be right. */
export function connectionSettings(options: McpConnectionOptions): ConnectionSettings {
  requireOptionNames(options, [
    'name',
    'transport',
    'clientInfo',
    'requestTimeoutMs',
    'maxRequestTimeoutMs',
    'connectTimeoutMs',
    'reconnect',
    'handlers',
    'roots',
    'loggingLevel',
    'protocol',
    'maxConcurrentRequests',
    'maxServerRequests',
    'maxListPages',
    'maxListItems',
    'serverMessages',
    'observationRegistry',
    'logger',
  ]);
  const { name, transport } = options;
  if (typeof name !== 'string' || name.trim() === '')
    throw invalidArgument('name', "a connection needs a name that is not blank: 'files'");
  if (typeof transport?.open !== 'function')
    throw invalidArgument('transport', 'must come from streamableHttpTransport(), stdioTransport() or sseTransport()');
  return {
    name,
    transport,
    clientInfo: options.clientInfo ?? { name: `vernal-mcp-client - ${name}`, version: '1.0.0', title: name },
    requestTimeoutMs: requireCount(options.requestTimeoutMs ?? 20_000, 'requestTimeoutMs', LONGEST_TIMEOUT_MS),
    maxRequestTimeoutMs: requireCount(
      options.maxRequestTimeoutMs ?? 600_000,
      'maxRequestTimeoutMs',
      LONGEST_TIMEOUT_MS,
    ),
    connectTimeoutMs: requireCount(options.connectTimeoutMs ?? 60_000, 'connectTimeoutMs', LONGEST_TIMEOUT_MS),
    reconnect: { maxAttempts: 6, initialDelayMs: 200, multiplier: 2, maxDelayMs: 5_000, ...options.reconnect },
    handlers: mergeHandlers(name, handlerSets(options.handlers, name)),
    roots: options.roots === undefined ? undefined : checkedRoots(options.roots),
    loggingLevel: options.loggingLevel,
    protocol: options.protocol ?? 'legacy',
    maxConcurrentRequests: requireCount(options.maxConcurrentRequests ?? 256, 'maxConcurrentRequests'),
    maxServerRequests: requireCount(options.maxServerRequests ?? 8, 'maxServerRequests'),
    maxListPages: requireCount(options.maxListPages ?? 64, 'maxListPages'),
    maxListItems: requireCount(options.maxListItems ?? 10_000, 'maxListItems'),
    serverMessages: options.serverMessages ?? false,
    registry: options.observationRegistry ?? noopObservationRegistry,
    logger: safeLogger(options.logger),
  };
}

/** Throws `invalid_argument` for what is no `file://` address. */
export function checkedRoots(roots: readonly McpRoot[]): readonly McpRoot[] {
  for (const root of roots) {
    if (typeof root?.uri !== 'string' || !root.uri.startsWith('file://'))
      throw invalidArgument('roots', "an entry looks like { uri: 'file:///srv/data', name: 'data' }");
  }
  return [...roots];
}

function handlerSets(handlers: McpClientOptions['handlers'], connection: string): McpClientHandlers[] {
  if (handlers === undefined) return [];
  const list: readonly (McpClientHandlers | object)[] = Array.isArray(handlers) ? handlers : [handlers];
  return list.flatMap((one) => {
    if (typeof one !== 'object' || one === null) throw invalidArgument('handlers', 'takes objects');
    return isHandlerSet(one) ? [one] : decoratedHandlers(one, connection);
  });
}

/** A plain object with functions under the names of handlers. */
function isHandlerSet(one: object): one is McpClientHandlers {
  const prototype: unknown = Object.getPrototypeOf(one);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const [key, value] of Object.entries(one)) {
    if (!HANDLER_NAMES.includes(key))
      throw invalidArgument(`handlers.${key}`, `is no handler; there are ${HANDLER_NAMES.join(', ')}`);
    if (value !== undefined && typeof value !== 'function')
      throw invalidArgument(`handlers.${key}`, 'must be a function');
  }
  return true;
}
