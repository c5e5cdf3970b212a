import type { AuthInfo, McpHttpHandler as SdkHandler } from '@modelcontextprotocol/server';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { noopLogger, safeLogger } from '@vernal/core';
import { requireCount } from '@vernal/core/adapter';
import { isPrincipal, type McpPrincipal, principalOf, toAuthInfo } from '../mcp-principal.js';
import type { McpServer } from '../mcp-server.js';
import { type Authenticator, authenticator, unauthorizedResponse } from './authenticate.js';
import { boundedStream } from './bounded-stream.js';
import type { McpHttpOptions } from './http-options.js';
import { HttpSessions } from './http-sessions.js';
import { requestBody } from './request-body.js';
import { RequestGuard } from './request-guard.js';
import { closedResponse, REFUSED_CODE, rpcError } from './rpc-response.js';
import { SseSessions } from './sse-sessions.js';

const DEFAULT_MAX_BODY_BYTES = 4 * 1024 * 1024;
const DEFAULT_MAX_QUEUED_BYTES = 16 * 1024 * 1024;

/** What is known of a request already. */
export interface McpFetchOptions {
  /** Who sent it, as the application's own middleware found; without `auth` in the options. */
  readonly principal?: McpPrincipal | undefined;
  /** The same in the SDK's words, as its middlewares put it on the request. */
  readonly authInfo?: AuthInfo | undefined;
  /** The body, parsed by whoever read it. */
  readonly parsedBody?: unknown;
}

/** An MCP server as a web-standard handler. */
export interface McpHttpHandler extends AsyncDisposable {
  /** May be taken off the handler and passed around. */
  readonly fetch: (request: Request, options?: McpFetchOptions) => Promise<Response>;
  /** Whether a path is this handler's; anything else is 404. */
  readonly handles: (pathname: string) => boolean;
  /** Ends sessions and streams; the server stays open for other handlers. Twice is once. */
  readonly close: () => Promise<void>;
}

/**
 * Serves an MCP server over streamable HTTP, with and without sessions, and over SSE if wanted: clients of all protocols at one endpoint.
 * Host, origin and size of each request are checked. For Deno, Bun, workers, Next.js and Hono (`app.all('/mcp', (c) =>
 * handler.fetch(c.req.raw))`); handlers for Node.js servers are at `@vernal/mcp/node`.
 * Throws `invalid_argument` for options that cannot be right.
 *
 * @example
 * const handler = mcpHttpHandler(mcpServer({ tools: [weather] }), { path: '/mcp', allowedHosts: ['api.example.com'] });
 * export default { fetch: handler.fetch };
 */
export function mcpHttpHandler(server: McpServer, options: McpHttpOptions = {}): McpHttpHandler {
  const handler = new HttpHandler(server, options);
  const close = (): Promise<void> => handler.close();
  return {
    fetch: (request, known) => handler.fetch(request, known),
    handles: (pathname) => handler.handles(pathname),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class HttpHandler {
  readonly #server: McpServer;
  readonly #options: McpHttpOptions;
  readonly #guard: RequestGuard;
  readonly #auth: Authenticator | undefined;
  readonly #sessions: HttpSessions | undefined;
  readonly #sse: SseSessions | undefined;
  readonly #sdk: SdkHandler;
  readonly #maxBodyBytes: number;
  readonly #maxQueuedBytes: number;
  readonly #leave: () => void;
  #closed = false;

  constructor(server: McpServer, options: McpHttpOptions) {
    const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, mode = 'stateful', sse, auth, bus, keepAliveMs } = options;
    if (options.maxSessions !== undefined) requireCount(options.maxSessions, 'maxSessions');
    if (options.sessionIdleMs !== undefined) requireCount(options.sessionIdleMs, 'sessionIdleMs');
    this.#maxBodyBytes = requireCount(maxBodyBytes, 'maxBodyBytes');
    this.#maxQueuedBytes = requireCount(options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES, 'maxQueuedBytes');
    this.#server = server;
    this.#options = options;
    this.#guard = new RequestGuard(options);
    this.#auth = auth === undefined ? undefined : authenticator(auth);
    this.#sessions = mode === 'stateful' ? new HttpSessions(server, options) : undefined;
    this.#sse =
      sse === undefined || sse === false ? undefined : new SseSessions(server, options, sse === true ? {} : sse);
    const logger = safeLogger(options.logger ?? noopLogger);
    this.#sdk = createMcpHandler(server.serve, {
      legacy: mode === 'stateful' ? 'reject' : 'stateless',
      maxRequestBodySize: maxBodyBytes,
      onerror: (error) => logger.debug('MCP request failed', { error: error.name }),
      ...(bus === undefined ? undefined : { bus }),
      ...(keepAliveMs === undefined ? undefined : { keepAliveMs }),
    });
    this.#leave = server.attach(this.#sdk.notify, () => this.close());
  }

  handles(pathname: string): boolean {
    const { path } = this.#options;
    if (path === undefined || pathname === path) return true;
    if (this.#sse !== undefined && (pathname === this.#sse.path || pathname === this.#sse.messagePath)) return true;
    return this.#auth?.metadata(pathname) !== undefined;
  }

  async fetch(request: Request, known: McpFetchOptions = {}): Promise<Response> {
    if (this.#closed) return closedResponse();
    const answered = this.#guard.check(request);
    if (answered !== undefined) return answered.ok ? this.#guard.tell(request, answered) : answered;
    return this.#guard.tell(request, boundedStream(await this.#serve(request, known), this.#maxQueuedBytes));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#leave();
    await Promise.all([this.#sdk.close(), this.#sessions?.close(), this.#sse?.close()]);
  }

  async #serve(request: Request, known: McpFetchOptions): Promise<Response> {
    const { pathname } = new URL(request.url);
    const metadata = this.#auth?.metadata(pathname);
    if (metadata !== undefined) return metadata;
    if (!this.handles(pathname)) return rpcError(404, REFUSED_CODE, 'Not found');
    const authInfo = await this.#authInfo(request, known);
    if (authInfo instanceof Response) return authInfo;
    if (pathname === this.#sse?.path && request.method === 'GET') return this.#sse.open(request, authInfo);
    let body = known.parsedBody;
    if (request.method === 'POST' && body === undefined) {
      const read = await requestBody(request, this.#maxBodyBytes);
      if ('refused' in read) return read.refused;
      body = read.json;
    }
    if (pathname === this.#sse?.messagePath) return this.#sse.receive(request, body, authInfo);
    const inSession =
      this.#sessions !== undefined && (this.#sessions.has(request) || (await isLegacyRequest(request, body)));
    const narrowed = inSession ? body : await this.#server.narrowed(body, { authInfo, request });
    if (narrowed instanceof Response) return narrowed;
    // While the caller was looked up or the body came, the handler may have been closed.
    if (this.#closed) return closedResponse();
    if (inSession && this.#sessions !== undefined) return this.#sessions.handle(request, body, authInfo);
    return this.#sdk.fetch(request, {
      ...(narrowed === undefined ? undefined : { parsedBody: narrowed }),
      ...(authInfo === undefined ? undefined : { authInfo }),
    });
  }

  async #authInfo(request: Request, known: McpFetchOptions): Promise<AuthInfo | Response | undefined> {
    if (this.#auth !== undefined) return this.#auth.authenticate(request);
    const authInfo = known.authInfo ?? (known.principal === undefined ? undefined : toAuthInfo(known.principal, ''));
    return authInfo === undefined || isPrincipal(principalOf(authInfo)) ? authInfo : unauthorizedResponse();
  }
}
