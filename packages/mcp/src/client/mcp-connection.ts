import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  Implementation,
  LoggingLevel,
  Progress,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  ResourceTemplateType,
  Root,
  ServerCapabilities,
} from '@modelcontextprotocol/client';
import { LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type CallContext, invalidArgument, safeCause, untilAborted, VernalError } from '@vernal/core';
import type { McpHandlerContext } from './client-handlers.js';
import type { ClientSession } from './client-session.js';
import { ConcurrencyGate } from './concurrency-gate.js';
import {
  type ConnectionSettings,
  checkedRoots,
  connectionSettings,
  type McpConnectionOptions,
} from './connection-options.js';
import { type McpToolDescription, usableTools } from './listed-tools.js';
import { type ListKind, type ListPage, readList, readPage } from './listing.js';
import { neverSignal } from './never-signal.js';
import { observed, type RequestMetaData } from './request-meta.js';
import { heard } from './serve-handlers.js';
import { SessionKeeper } from './session-keeper.js';
import { StructuredContentCheck } from './structured-content.js';

/** For one request. */
export interface McpRequestOptions extends CallContext {
  /** Milliseconds until it is given up; default that of the connection. */
  readonly timeoutMs?: number | undefined;
  /** Sent along as `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** For one call of a tool. */
export interface McpCallOptions extends McpRequestOptions {
  /** Told how far the tool is; each time the time-out starts anew. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** It may run twice. Default: what the tool's own hints say (`readOnlyHint` or `idempotentHint`), false for a tool that was never listed. */
  readonly repeatable?: boolean | undefined;
}

/**
 * A connection to one MCP server. It opens at the first use (or by `connectMcp`), and again, with back-off, when the server was
 * restarted, has forgotten the session or broke off. A request that had already reached the server is sent again only if it may run
 * twice; otherwise it is the error `mcp_connection`, which says so.
 *
 * Errors: `mcp_connection`, `mcp_unauthorized`, `mcp_protocol` (a JSON-RPC error, its number in `details.errorCode`), `mcp_response`
 * (what is no valid answer, or too large), `timeout`, `aborted`, `invalid_state` after `close()`. Source: `McpSyncClient` of the MCP
 * Java SDK.
 */
export class McpConnection implements AsyncDisposable {
  readonly name: string;
  readonly #settings: ConnectionSettings;
  readonly #keeper: SessionKeeper;
  readonly #gate: ConcurrencyGate;
  readonly #structured: StructuredContentCheck;
  readonly #subscribed = new Set<string>();
  readonly #telling = new Map<ListKind, 'once' | 'again'>();
  #roots: readonly Root[];
  #loggingLevel: LoggingLevel | undefined;
  #tools: readonly McpToolDescription[] | undefined;
  #byName: ReadonlyMap<string, McpToolDescription> = new Map();
  #listing: Promise<readonly McpToolDescription[]> | undefined;
  #changes = 0;

  /** Nothing is opened yet. Throws `invalid_argument` for options that cannot be right. */
  constructor(options: McpConnectionOptions) {
    const settings = connectionSettings(options);
    this.name = settings.name;
    this.#settings = settings;
    this.#gate = new ConcurrencyGate(settings.maxConcurrentRequests);
    this.#structured = new StructuredContentCheck(settings.logger);
    this.#roots = settings.roots ?? [];
    this.#loggingLevel = settings.loggingLevel;
    this.#keeper = new SessionKeeper(
      settings,
      {
        roots: () => [...this.#roots],
        listChanged: (list) => this.#listChanged(list),
        resourceUpdated: (uri) => void this.#tellUpdated(uri),
      },
      { opened: (session, again) => this.#opened(session, again) },
    );
  }

  /** Opens the connection now, by a single try. Nothing to do when it is open. */
  async connect(context?: CallContext): Promise<void> {
    await this.#keeper.open(context?.signal);
  }

  /** True from when the server was greeted until the connection is lost or closed. */
  get connected(): boolean {
    return this.#keeper.session !== undefined;
  }

  /** What the server says it is; undefined while there is no connection. */
  get serverInfo(): Implementation | undefined {
    return this.#keeper.session?.client.getServerVersion();
  }

  /** What the server says it can do; undefined while there is no connection. */
  get serverCapabilities(): ServerCapabilities | undefined {
    return this.#keeper.session?.client.getServerCapabilities();
  }

  /** How the server wants to be used: text for a system prompt, of somebody else's. */
  get instructions(): string | undefined {
    return this.#keeper.session?.client.getInstructions();
  }

  /** '2025-11-25'. */
  get protocolVersion(): string | undefined {
    return this.#keeper.session?.client.getNegotiatedProtocolVersion();
  }

  /**
   * Every tool of the server that can be used, all pages. Kept until the server tells of a change, or the connection was opened again;
   * `fresh` asks anew. [] from a server without tools.
   */
  async listTools(
    options?: CallContext & { readonly fresh?: boolean | undefined },
  ): Promise<readonly McpToolDescription[]> {
    if (options?.fresh) this.#forgetTools();
    if (this.#tools !== undefined && this.connected) return this.#tools;
    this.#listing ??= this.#readTools(options).finally(() => {
      this.#listing = undefined;
    });
    this.#listing.catch(() => {});
    return await untilAborted(this.#listing, options?.signal);
  }

  /** Every resource, all pages; [] from a server without. */
  async listResources(options?: McpRequestOptions): Promise<readonly Resource[]> {
    return await this.#list('resources', options);
  }

  /** Every template of resources, all pages; [] from a server without. */
  async listResourceTemplates(options?: McpRequestOptions): Promise<readonly ResourceTemplateType[]> {
    return await this.#list('resourceTemplates', options);
  }

  /** Every prompt, all pages; [] from a server without. */
  async listPrompts(options?: McpRequestOptions): Promise<readonly Prompt[]> {
    return await this.#list('prompts', options);
  }

  /** One page of a list as the server cuts it; `cursor` is the `nextCursor` of the page before. */
  async listPage<K extends ListKind>(kind: K, cursor?: string, options?: McpRequestOptions): Promise<ListPage<K>> {
    return await readPage(kind, cursor, (method, send) => this.#request({ method, repeatable: true }, options, send));
  }

  /**
   * Calls a tool by the server's own name for it. A tool that fails answers with `isError`; structured content is checked against the
   * output schema of a tool that was listed (`mcp_response`).
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: McpCallOptions,
  ): Promise<CallToolResult> {
    const known = this.#byName.get(name);
    const hints = known?.annotations;
    const repeatable = options?.repeatable ?? (hints?.readOnlyHint === true || hints?.idempotentHint === true);
    const result = await this.#request(
      { method: 'tools/call', target: name, repeatable },
      options,
      async ({ client }, requestOptions, meta) => {
        const params = { name, arguments: { ...args }, ...(meta === undefined ? undefined : { _meta: { ...meta } }) };
        const sent = {
          ...requestOptions,
          onprogress: (progress: Progress) => this.#tellProgress(name, progress, options),
        };
        if (client.getProtocolEra() !== 'modern') return await client.request({ method: 'tools/call', params }, sent);
        // Newer servers want some arguments repeated as headers; what is checked here is not checked there.
        return await client.callTool(
          params,
          known === undefined ? sent : { ...sent, toolDefinition: { name, inputSchema: plainSchema(known) } },
        );
      },
    );
    if (known !== undefined) await this.#structured.check(this.name, known, result);
    return result;
  }

  /** Throws `mcp_protocol` when there is no such resource. */
  async readResource(uri: string, options?: McpRequestOptions): Promise<ReadResourceResult> {
    return await this.#request({ method: 'resources/read', uri, repeatable: true }, options, ({ client }, sent, meta) =>
      client.request({ method: 'resources/read', params: withMeta({ uri }, meta) }, sent),
    );
  }

  /** From now on `resourceUpdated` handlers hear of changes, after a reconnection too. */
  async subscribeResource(uri: string, options?: McpRequestOptions): Promise<void> {
    await this.#request({ method: 'resources/subscribe', uri, repeatable: true }, options, ({ client }, sent) =>
      client.subscribeResource({ uri }, sent),
    );
    this.#subscribed.add(uri);
  }

  /** Ends what `subscribeResource` began. */
  async unsubscribeResource(uri: string, options?: McpRequestOptions): Promise<void> {
    this.#subscribed.delete(uri);
    await this.#request({ method: 'resources/unsubscribe', uri, repeatable: true }, options, ({ client }, sent) =>
      client.unsubscribeResource({ uri }, sent),
    );
  }

  /** `promptMessages` makes messages of the result. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: McpRequestOptions,
  ): Promise<GetPromptResult> {
    return await this.#request(
      { method: 'prompts/get', target: name, repeatable: true },
      options,
      ({ client }, sent, meta) =>
        client.request({ method: 'prompts/get', params: withMeta({ name, arguments: { ...args } }, meta) }, sent),
    );
  }

  /** What could stand in an argument of a prompt, or in a variable of a template: at most 100 values. */
  async complete(request: CompleteRequestParams, options?: McpRequestOptions): Promise<CompleteResult['completion']> {
    const { completion } = await this.#request(
      { method: 'completion/complete', repeatable: true },
      options,
      ({ client }, sent) => client.complete(request, sent),
    );
    return completion;
  }

  /** From which level on the server is to log, after a reconnection too. */
  async setLoggingLevel(level: LoggingLevel, options?: McpRequestOptions): Promise<void> {
    this.#loggingLevel = level;
    await this.#request({ method: 'logging/setLevel', repeatable: true }, options, async ({ client }, sent) => {
      // Newer servers are told with each request.
      if (client.getProtocolEra() !== 'modern') await client.setLoggingLevel(level, sent);
    });
  }

  /** Tells the server that the roots are others now. Throws `invalid_state` when the connection was made without `roots`. */
  async setRoots(roots: readonly Root[]): Promise<void> {
    if (this.#settings.roots === undefined) {
      throw new VernalError(
        'The server was not told that there are roots: give the connection `roots`, [] to begin with',
        {
          code: 'invalid_state',
          subject: 'roots',
        },
      );
    }
    this.#roots = checkedRoots(roots);
    const session = this.#keeper.session;
    if (session?.client.getProtocolEra() === 'legacy') await session.client.sendRootsListChanged();
  }

  /** Whether the server answers. */
  async ping(options?: McpRequestOptions): Promise<void> {
    await this.#request({ method: 'ping', repeatable: true }, options, async ({ client }, sent) => {
      if (client.getProtocolEra() === 'modern') await client.discover(sent);
      else await client.ping(sent);
    });
  }

  /**
   * Goes on after an OAuth redirect, with the parameters of the address that the user came back to; then opens the connection.
   * Compare `state` with yours before. Throws `invalid_state` when no authorisation is under way.
   */
  async finishAuth(callback: URLSearchParams, context?: CallContext): Promise<void> {
    const transport = this.#keeper.unauthorized;
    const finish: unknown = transport === undefined ? undefined : Reflect.get(transport, 'finishAuth');
    if (transport === undefined || typeof finish !== 'function') {
      throw new VernalError('No authorisation is under way: connect first, and wait for `mcp_unauthorized`', {
        code: 'invalid_state',
        subject: 'auth',
      });
    }
    try {
      await untilAborted(Promise.resolve(Reflect.apply(finish, transport, [callback])), context?.signal);
    } catch (error) {
      if (VernalError.is(error)) throw error;
      throw new VernalError(`MCP server '${this.name}' did not accept the authorisation: start it again`, {
        code: 'mcp_unauthorized',
        subject: 'auth',
        cause: safeCause(error),
      });
    }
    await this.connect(context);
  }

  /** Ends the session at the server, the process of one over stdio, and every request that is under way. May be called twice. */
  async close(): Promise<void> {
    await this.#keeper.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #request<T>(
    request: { readonly method: string; readonly target?: string; readonly uri?: string; readonly repeatable: boolean },
    options: McpRequestOptions | undefined,
    send: (session: ClientSession, options: RequestOptions, meta: RequestMetaData | undefined) => Promise<T>,
  ): Promise<T> {
    const { requestTimeoutMs, maxRequestTimeoutMs, registry } = this.#settings;
    const timeoutMs = options?.timeoutMs ?? requestTimeoutMs;
    if (!(timeoutMs >= 1)) throw invalidArgument('timeoutMs', 'must be a number of milliseconds, at least 1');
    const signal = options?.signal;
    const sent: RequestOptions = {
      timeout: timeoutMs,
      maxTotalTimeout: Math.max(timeoutMs, maxRequestTimeoutMs),
      resetTimeoutOnProgress: true,
      ...(signal === undefined ? undefined : { signal }),
    };
    return await this.#gate.run(
      () =>
        observed(registry, { ...request, connection: this.name }, options, (trace, add) =>
          this.#keeper.send({ ...options, ...request, timeoutMs }, async (session) => {
            add(() => sessionFacts(session));
            return await send(session, sent, this.#meta(session, options?.meta, trace));
          }),
        ),
      signal,
    );
  }

  #meta(
    session: ClientSession,
    own: RequestMetaData | undefined,
    trace: RequestMetaData | undefined,
  ): RequestMetaData | undefined {
    const level = this.#loggingLevel;
    const logging =
      level !== undefined && session.client.getProtocolEra() === 'modern' ? { [LOG_LEVEL_META_KEY]: level } : undefined;
    if (own === undefined && trace === undefined && logging === undefined) return undefined;
    return { ...logging, ...trace, ...own };
  }

  async #list<K extends ListKind>(kind: K, options: McpRequestOptions | undefined): Promise<ListPage<K>['items']> {
    const { maxListPages, maxListItems } = this.#settings;
    await this.#keeper.send(
      { ...options, method: kind, timeoutMs: this.#settings.connectTimeoutMs, repeatable: true },
      async () => undefined,
    );
    const { tools, resources, prompts } = this.serverCapabilities ?? {};
    if ({ tools, resources, resourceTemplates: resources, prompts }[kind] === undefined) return [];
    return await readList(kind, { maxListPages, maxListItems, connection: this.name }, (cursor) =>
      this.listPage(kind, cursor, options),
    );
  }

  async #readTools(options: CallContext | undefined): Promise<readonly McpToolDescription[]> {
    const changes = this.#changes;
    // Several callers wait for it: none of them may end it for the others.
    const listed = await this.#list('tools', { observation: options?.observation });
    const tools = usableTools(listed, this.#settings.logger, this.name);
    if (changes === this.#changes) {
      this.#tools = tools;
      this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    }
    return tools;
  }

  #forgetTools(): void {
    this.#changes++;
    this.#tools = undefined;
    this.#listing = undefined;
  }

  async #opened({ client }: ClientSession, again: boolean): Promise<void> {
    if (again) this.#forgetTools();
    const quietly = async (what: string, work: Promise<unknown>): Promise<void> => {
      await work.catch((error: unknown) => {
        const data = { connection: this.name, what, cause: safeCause(error) };
        this.#settings.logger.warn('An MCP server did not take what was asked of it when the connection opened', data);
      });
    };
    const capabilities = client.getServerCapabilities();
    const modern = client.getProtocolEra() === 'modern';
    if (this.#loggingLevel !== undefined && capabilities?.logging !== undefined && !modern)
      await quietly('logging', client.setLoggingLevel(this.#loggingLevel));
    if (modern) {
      const filter = {
        ...(capabilities?.tools?.listChanged ? { toolsListChanged: true } : undefined),
        ...(capabilities?.resources?.listChanged ? { resourcesListChanged: true } : undefined),
        ...(capabilities?.prompts?.listChanged ? { promptsListChanged: true } : undefined),
        ...(this.#subscribed.size > 0 ? { resourceSubscriptions: [...this.#subscribed] } : undefined),
      };
      if (Object.keys(filter).length > 0) await quietly('subscriptions', client.listen(filter));
    } else if (again) {
      for (const uri of this.#subscribed) await quietly('subscription', client.subscribeResource({ uri }));
    }
    if (!again) return;
    for (const list of ['tools', 'resources', 'prompts'] as const)
      if (capabilities?.[list] !== undefined) this.#listChanged(list);
  }

  #listChanged(list: 'tools' | 'resources' | 'prompts'): void {
    if (list === 'tools') this.#forgetTools();
    const { toolListChanged, resourceListChanged, promptListChanged } = this.#settings.handlers;
    const handlers = { tools: toolListChanged, resources: resourceListChanged, prompts: promptListChanged }[list];
    if (handlers.length === 0) return;
    // A server that tells of a hundred changes at once is asked twice.
    if (this.#telling.has(list)) this.#telling.set(list, 'again');
    else void this.#tellChanged(list);
  }

  async #tellChanged(list: 'tools' | 'resources' | 'prompts'): Promise<void> {
    const { toolListChanged, resourceListChanged, promptListChanged } = this.#settings.handlers;
    const context = this.#handlerContext();
    do {
      this.#telling.set(list, 'once');
      await heard(this.#settings, `${list}ListChanged`, async () => {
        if (list === 'tools') {
          const items = await this.listTools();
          for (const handler of toolListChanged) await heard(this.#settings, list, () => handler(items, context));
        } else if (list === 'resources') {
          const items = await this.listResources();
          for (const handler of resourceListChanged) await heard(this.#settings, list, () => handler(items, context));
        } else {
          const items = await this.listPrompts();
          for (const handler of promptListChanged) await heard(this.#settings, list, () => handler(items, context));
        }
      });
    } while (this.#telling.get(list) === 'again' && !this.#keeper.closed);
    this.#telling.delete(list);
  }

  async #tellUpdated(uri: string): Promise<void> {
    const { resourceUpdated } = this.#settings.handlers;
    for (const handler of resourceUpdated)
      await heard(this.#settings, 'resourceUpdated', () => handler(uri, this.#handlerContext()));
  }

  #tellProgress(tool: string, progress: Progress, options: McpCallOptions | undefined): void {
    const { handlers } = this.#settings;
    const { onProgress } = options ?? {};
    if (onProgress !== undefined) void heard(this.#settings, 'onProgress', () => onProgress(progress));
    for (const handler of handlers.progress)
      void heard(this.#settings, 'progress', () =>
        handler(progress, { ...this.#handlerContext(options?.signal), tool }),
      );
  }

  #handlerContext(signal: AbortSignal = neverSignal()): McpHandlerContext {
    return { connection: this.name, signal, meta: {} };
  }
}

/**
 * Opens a connection to an MCP server.
 *
 * @throws VernalError `invalid_argument`, `mcp_connection`, `mcp_unauthorized`, `timeout`, `aborted`
 * @example
 * await using docs = await connectMcp({ name: 'docs', transport: streamableHttpTransport('https://example.com/mcp') });
 * const client = ChatClient.builder(model).defaultTools(mcpTools(docs)).build();
 */
export async function connectMcp(options: McpConnectionOptions, context?: CallContext): Promise<McpConnection> {
  const connection = new McpConnection(options);
  try {
    await connection.connect(context);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function withMeta<T extends object>(
  params: T,
  meta: RequestMetaData | undefined,
): T & { _meta?: Record<string, unknown> } {
  return meta === undefined ? params : { ...params, _meta: { ...meta } };
}

function plainSchema({ inputSchema }: McpToolDescription): { type: 'object'; [key: string]: unknown } {
  return { ...inputSchema, type: 'object' };
}

function sessionFacts({ client, transport }: ClientSession): {
  readonly protocolVersion?: string;
  readonly sessionId?: string;
} {
  const protocolVersion = client.getNegotiatedProtocolVersion();
  const sessionId = transport instanceof StreamableHTTPClientTransport ? transport.sessionId : undefined;
  return {
    ...(protocolVersion === undefined ? undefined : { protocolVersion }),
    ...(sessionId === undefined ? undefined : { sessionId }),
  };
}
