import type {
  CompleteResult,
  Implementation,
  LoggingLevel,
  Prompt,
  Resource,
  ResourceTemplateType,
  ServerCapabilities,
} from '@modelcontextprotocol/client';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { type CallContext, safeCause, untilAborted, VernalError } from '@vernal/core';
import type { ClientSession } from './client-session.js';
import {
  type ConnectionSettings,
  checkedRoots,
  connectionSettings,
  type McpConnectionOptions,
} from './connection-options.js';
import type { McpToolDescription } from './listed-tools.js';
import { type ListKind, type ListPage, readList, readPage } from './listing.js';
import { ProgressHabits } from './progress-habits.js';
import type {
  McpCallToolResult,
  McpCompletionRequest,
  McpProgressUpdate,
  McpPromptResult,
  McpResourceResult,
  McpRoot,
} from './protocol-types.js';
import { type McpRequestOptions, RequestSender, withMeta } from './request-sender.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';
import { type ChangingList, ServerListeners } from './server-listeners.js';
import { ServerRequestGate } from './server-request-gate.js';
import { SessionKeeper } from './session-keeper.js';
import { setUpSession } from './session-setup.js';
import { withOwnSignal } from './signal-followers.js';
import { StructuredContentCheck } from './structured-content.js';
import { ToolList } from './tool-list.js';

/** For one call of a tool. */
export interface McpCallOptions extends McpRequestOptions {
  /** Told how far the tool is; each time the time-out starts anew. */
  readonly onProgress?: ((progress: McpProgressUpdate) => void) | undefined;
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
  /** As it was given: yours for the server. */
  readonly name: string;
  readonly #settings: ConnectionSettings;
  readonly #keeper: SessionKeeper;
  readonly #sender: RequestSender;
  readonly #listeners: ServerListeners;
  readonly #tools: ToolList;
  readonly #structured: StructuredContentCheck;
  readonly #subscriptions = new ResourceSubscriptions();
  readonly #habits = new ProgressHabits();
  #roots: readonly McpRoot[];

  /** Nothing is opened yet. Throws `invalid_argument` for options that cannot be right. */
  constructor(options: McpConnectionOptions) {
    const settings = connectionSettings(options);
    this.name = settings.name;
    this.#settings = settings;
    this.#structured = new StructuredContentCheck(settings.logger);
    this.#roots = settings.roots ?? [];
    const keeper = new SessionKeeper(
      settings,
      {
        roots: () => [...this.#roots],
        listChanged: (list) => this.#listChanged(list),
        resourceUpdated: (uri) => void this.#listeners.resourceUpdated(uri),
        requests: new ServerRequestGate(settings.maxServerRequests),
      },
      { opened: (session, again) => this.#opened(session, again) },
    );
    this.#keeper = keeper;
    this.#sender = new RequestSender(settings, keeper);
    this.#tools = new ToolList(settings.name, settings.logger, (context) => this.#list('tools', context));
    this.#listeners = new ServerListeners(settings, {
      listTools: () => this.listTools(),
      listResources: () => this.listResources(),
      listPrompts: () => this.listPrompts(),
      closing: keeper.closing,
    });
  }

  /** Opens the connection now, by a single try. Nothing to do when it is open. */
  async connect(context?: CallContext): Promise<void> {
    await withOwnSignal(context?.signal, (signal) => this.#keeper.open(signal));
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
    if (options?.fresh) this.#tools.forget();
    const { current } = this.#tools;
    return current !== undefined && this.connected ? current : await this.#tools.read(options);
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
    return await readPage(kind, cursor, (method, send) =>
      this.#sender.send({ method, repeatable: true }, options, send),
    );
  }

  /**
   * Calls a tool by the server's own name for it. A tool that fails answers with `isError`; structured content is checked against the
   * output schema of a tool that was listed (`mcp_response`).
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: McpCallOptions,
  ): Promise<McpCallToolResult> {
    const known = this.#tools.named(name);
    const hints = known?.annotations;
    const repeatable = options?.repeatable ?? (hints?.readOnlyHint === true || hints?.idempotentHint === true);
    const subject = { method: 'tools/call', target: name, repeatable };
    const onprogress = this.#progressOf(name, options);
    const result = await this.#sender.send(subject, options, async ({ client, modern }, requestOptions, meta) => {
      const params = withMeta({ name, arguments: { ...args } }, meta);
      const sent = onprogress === undefined ? requestOptions : { ...requestOptions, onprogress: onprogress.tell };
      try {
        if (!modern) return await client.request({ method: 'tools/call', params }, sent);
        // Newer servers want some arguments repeated as headers; what is checked here is not checked there.
        const toolDefinition = known === undefined ? undefined : { name, inputSchema: plainSchema(known) };
        return await client.callTool(params, toolDefinition === undefined ? sent : { ...sent, toolDefinition });
      } catch (error) {
        if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) this.#habits.late(name);
        throw error;
      }
    });
    if (onprogress !== undefined) this.#habits.note(name, onprogress.told);
    if (known !== undefined) await this.#structured.check(this.name, known, result);
    return result;
  }

  /** Throws `mcp_protocol` when there is no such resource. */
  async readResource(uri: string, options?: McpRequestOptions): Promise<McpResourceResult> {
    return await this.#sender.send(
      { method: 'resources/read', uri, repeatable: true },
      options,
      ({ client }, sent, meta) => client.request({ method: 'resources/read', params: withMeta({ uri }, meta) }, sent),
    );
  }

  /** From now on `resourceUpdated` handlers hear of changes, after a reconnection too. */
  async subscribeResource(uri: string, options?: McpRequestOptions): Promise<void> {
    const subject = { method: 'resources/subscribe', uri, repeatable: true };
    await this.#sender.send(subject, options, (session, sent) => this.#subscriptions.add(session, uri, sent));
  }

  /** Ends what `subscribeResource` began. */
  async unsubscribeResource(uri: string, options?: McpRequestOptions): Promise<void> {
    const subject = { method: 'resources/unsubscribe', uri, repeatable: true };
    await this.#sender.send(subject, options, (session, sent) => this.#subscriptions.remove(session, uri, sent));
  }

  /** `promptMessages` makes messages of the result. */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: McpRequestOptions,
  ): Promise<McpPromptResult> {
    return await this.#sender.send(
      { method: 'prompts/get', target: name, repeatable: true },
      options,
      ({ client }, sent, meta) =>
        client.request({ method: 'prompts/get', params: withMeta({ name, arguments: { ...args } }, meta) }, sent),
    );
  }

  /** What could stand in an argument of a prompt, or in a variable of a template: at most 100 values. */
  async complete(request: McpCompletionRequest, options?: McpRequestOptions): Promise<CompleteResult['completion']> {
    const { completion } = await this.#sender.send(
      { method: 'completion/complete', repeatable: true },
      options,
      ({ client }, sent) => client.complete(request, sent),
    );
    return completion;
  }

  /** From which level on the server is to log, after a reconnection too. */
  async setLoggingLevel(level: LoggingLevel, options?: McpRequestOptions): Promise<void> {
    this.#sender.loggingLevel = level;
    await this.#sender.send(
      { method: 'logging/setLevel', repeatable: true },
      options,
      async ({ client, modern }, sent) => {
        // Newer servers are told with each request.
        if (!modern) await client.setLoggingLevel(level, sent);
      },
    );
  }

  /** Tells the server that the roots are others now. Throws `invalid_state` when the connection was made without `roots`. */
  async setRoots(roots: readonly McpRoot[]): Promise<void> {
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
    if (session?.modern === false) await session.client.sendRootsListChanged();
  }

  /** Whether the server answers. */
  async ping(options?: McpRequestOptions): Promise<void> {
    await this.#sender.send({ method: 'ping', repeatable: true }, options, async ({ client, modern }, sent) => {
      if (modern) await client.discover(sent);
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

  /** Undefined for a tool that is not to be asked how far it is. */
  #progressOf(tool: string, options: McpCallOptions | undefined): ProgressOfCall | undefined {
    if (options?.onProgress === undefined && !this.#listeners.hearProgress && !this.#habits.asks(tool))
      return undefined;
    const call: ProgressOfCall = {
      told: false,
      tell: (progress) => {
        call.told = true;
        this.#listeners.progress(tool, progress, options?.signal, options?.onProgress);
      },
    };
    return call;
  }

  #listChanged(list: ChangingList): void {
    if (list === 'tools') this.#tools.forget();
    this.#listeners.listChanged(list);
  }

  async #opened(session: ClientSession, again: boolean): Promise<void> {
    if (again) {
      this.#tools.forget();
      this.#habits.forget();
    }
    await setUpSession(session, this.#settings, this.#sender.loggingLevel, this.#subscriptions);
    if (!again) return;
    // Another server may have taken the place of the one before.
    const offered = session.client.getServerCapabilities();
    for (const list of ['tools', 'resources', 'prompts'] as const) if (offered?.[list]) this.#listChanged(list);
  }
}

interface ProgressOfCall {
  told: boolean;
  readonly tell: (progress: McpProgressUpdate) => void;
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

function plainSchema({ inputSchema }: McpToolDescription): { type: 'object'; [key: string]: unknown } {
  return { ...inputSchema, type: 'object' };
}
