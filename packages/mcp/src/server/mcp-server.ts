import type {
  AuthInfo,
  Implementation,
  McpRequestContext,
  ServerEventBus,
  ServerNotifier,
  Transport,
} from '@modelcontextprotocol/server';
import { VernalError } from '@vernal/core';
import { requireCount } from '@vernal/core/adapter';
import { type BuiltServer, buildServer, capabilitiesOf, type ServerParts } from './build-server.js';
import { CallRunner } from './call-runner.js';
import { detachedCall } from './detached-call.js';
import { FeatureAccess } from './feature-access.js';
import { McpFeatures } from './mcp-features.js';
import type { McpServerOptions } from './mcp-server-options.js';
import type { ServingServer } from './serving-server.js';
import { narrowedListen, watchable } from './watched-resources.js';

const DEFAULT_NAME = 'vernal-mcp-server';
const DEFAULT_VERSION = '1.0.0';
const DEFAULT_PAGE_SIZE = 1_000;
const DEFAULT_MAX_SUBSCRIPTIONS = 1_000;

/** One client over a transport of one's own. */
export interface McpServerConnection extends AsyncDisposable {
  close(): Promise<void>;
}

/** Where changes are told to clients of protocol 2026-07-28 and later: an HTTP handler's bus. */
export type McpNotifier = Pick<
  ServerNotifier,
  'toolsChanged' | 'promptsChanged' | 'resourcesChanged' | 'resourceUpdated'
>;

/** Tools, resources and prompts, ready to be served over any number of transports. Made by `mcpServer()`. */
export class McpServer implements AsyncDisposable {
  /** What clients are told of the server. */
  readonly info: Implementation;
  readonly #parts: ServerParts;
  readonly #open = new Set<BuiltServer>();
  readonly #single = new WeakSet<BuiltServer>();
  readonly #notifiers = new Set<McpNotifier>();
  readonly #closers = new Set<() => Promise<void>>();
  #closed = false;

  constructor(options: McpServerOptions) {
    if (options.pageSize !== undefined) requireCount(options.pageSize, 'pageSize');
    if (options.maxSubscriptions !== undefined) requireCount(options.maxSubscriptions, 'maxSubscriptions');
    if (options.requestTimeoutMs !== undefined) requireCount(options.requestTimeoutMs, 'requestTimeoutMs');
    if (options.callTimeoutMs !== undefined) requireCount(options.callTimeoutMs, 'callTimeoutMs');
    const { name = DEFAULT_NAME, version = DEFAULT_VERSION, title, websiteUrl, icons } = options;
    this.info = {
      name,
      version,
      ...(title === undefined ? undefined : { title }),
      ...(websiteUrl === undefined ? undefined : { websiteUrl }),
      ...(icons === undefined ? undefined : { icons: [...icons] }),
    };
    const features = new McpFeatures(options);
    this.#parts = {
      options,
      info: this.info,
      features,
      runner: new CallRunner(options, name),
      access: new FeatureAccess(options),
      capabilities: capabilitiesOf(options, features),
      mimeTypes: new Map(Object.entries(options.toolResponseMimeTypes ?? {})),
      pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
      maxSubscriptions: options.maxSubscriptions ?? DEFAULT_MAX_SUBSCRIPTIONS,
    };
  }

  /** Clients that are connected now, requests in hand of stateless HTTP among them. */
  get connections(): number {
    return this.#open.size;
  }

  /**
   * Serves one client over a transport of the SDK, with protocols up to 2025-11-25: in memory, over a socket. The handlers for HTTP and
   * stdio serve every protocol.
   */
  async connect(transport: Transport): Promise<McpServerConnection> {
    const server = this.serve({ era: 'legacy' });
    await server.connect(transport);
    const close = (): Promise<void> => server.close();
    return { close, [Symbol.asyncDispose]: close };
  }

  /** The SDK's server for one connection or request: a factory for its `createMcpHandler` and `serveStdio`. */
  readonly serve = ({ era, requestInfo }: McpRequestContext): ServingServer => {
    if (this.#closed)
      throw new VernalError('The MCP server is closed', { code: 'invalid_state', subject: 'mcpServer' });
    const built = buildServer(this.#parts, era);
    const { server } = built.server;
    this.#open.add(built);
    // The stream of one request is no place for news: handlers of that protocol have a bus for them.
    if (era === 'modern' && requestInfo !== undefined) this.#single.add(built);
    const gone = (): void => void this.#open.delete(built);
    server.onclose = gone;
    built.server.onclosed = gone;
    return built.server;
  };

  /** Tells every client that the list of tools is another one now. */
  toolsChanged(): Promise<void> {
    for (const notifier of this.#notifiers) notifier.toolsChanged();
    return this.#tell('tools', ({ server }) => server.server.sendToolListChanged());
  }

  /** Tells every client that the list of prompts is another one now. */
  promptsChanged(): Promise<void> {
    for (const notifier of this.#notifiers) notifier.promptsChanged();
    return this.#tell('prompts', ({ server }) => server.server.sendPromptListChanged());
  }

  /** Tells every client that the list of resources is another one now. */
  resourcesChanged(): Promise<void> {
    for (const notifier of this.#notifiers) notifier.resourcesChanged();
    return this.#tell('resources', ({ server }) => server.server.sendResourceListChanged());
  }

  /** Tells the clients that watch this resource that it holds something else now. */
  resourceUpdated(uri: string): Promise<void> {
    for (const notifier of this.#notifiers) notifier.resourceUpdated(uri);
    return this.#tell('resources', async ({ server, subscriptions }) => {
      const watched = server.era === 'modern' ? await this.#mayWatchLocally(uri) : subscriptions.has(uri);
      if (watched) await server.server.sendResourceUpdated({ uri });
    });
  }

  /** For handlers: a request as the SDK may have it, without what its caller may not watch, or the answer that refuses it. */
  narrowed(
    body: unknown,
    known: { readonly authInfo?: AuthInfo | undefined; readonly request: Request },
  ): Promise<unknown> {
    return narrowedListen(this.#parts, body, known);
  }

  /** Clients of newer protocols say to the SDK what they watch: over stdio it is asked when there is news. */
  async #mayWatchLocally(uri: string): Promise<boolean> {
    return (await watchable(this.#parts, [uri], detachedCall({ id: '' }))).length > 0;
  }

  /** For handlers: they are told of changes and closed with the server. Gives back how to leave. */
  attach(notifier: McpNotifier | undefined, close: () => Promise<void>): () => void {
    if (notifier !== undefined) this.#notifiers.add(notifier);
    this.#closers.add(close);
    return () => {
      if (notifier !== undefined) this.#notifiers.delete(notifier);
      this.#closers.delete(close);
    };
  }

  /** Ends every connection and handler. What the tools themselves opened stays open. Twice is once. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#closers].map((close) => close()));
    await Promise.all([...this.#open].map(({ server }) => server.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A client that is gone, or has no open stream, is no fault of the one who tells. */
  async #tell(what: 'tools' | 'prompts' | 'resources', send: (built: BuiltServer) => Promise<void>): Promise<void> {
    const capability = this.#parts.capabilities[what];
    if (capability === undefined || capability.listChanged === false) return;
    await Promise.allSettled(
      [...this.#open].filter((built) => !this.#single.has(built)).map(async (built) => send(built)),
    );
  }
}

/** Events of changes for several processes: handed to an HTTP handler. */
export type McpEventBus = ServerEventBus;

/**
 * An MCP server from the very same tools, clients and stores that an application has already. Then serve it: `mcpHttpHandler(server)` is
 * a web-standard `fetch`; stdio, node:http, Express, Fastify and NestJS are at `@vernal/mcp/node`.
 * Throws `invalid_argument` for two tools, resources or prompts of one name, and for components without decorated methods.
 *
 * @example
 * const server = mcpServer({ name: 'weather', tools: [weather, new DateTimeTools()], vectorStores: { searchHandbook: { store } } });
 */
export function mcpServer(options: McpServerOptions): McpServer {
  return new McpServer(options);
}
