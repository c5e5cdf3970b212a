import type { AuthInfo } from '@modelcontextprotocol/server';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { principalOf } from '../mcp-principal.js';
import type { McpServer } from '../mcp-server.js';
import type { ServingServer } from '../serving-server.js';
import type { McpHttpOptions } from './http-options.js';
import { closedResponse, fullResponse, NO_SESSION_CODE, REFUSED_CODE, rpcError } from './rpc-response.js';
import { sessionEventStore } from './session-event-store.js';

const DEFAULT_MAX_SESSIONS = 10_000;
const DEFAULT_IDLE_MS = 1_800_000;

interface HttpSession {
  readonly server: ServingServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whose it is; nobody else gets in, and without authentication everybody who knows the id. */
  readonly subject: string | undefined;
  openStreams: number;
  lastUsed: number;
}

/** Streamable HTTP with sessions, for clients of protocols up to 2025-11-25. */
export class HttpSessions {
  readonly #mcp: McpServer;
  readonly #options: McpHttpOptions;
  /** Least recently used first. */
  readonly #sessions = new Map<string, HttpSession>();
  /** Places taken by sessions that are about to be. */
  #opening = 0;
  #closed = false;

  constructor(mcp: McpServer, options: McpHttpOptions) {
    this.#mcp = mcp;
    this.#options = options;
  }

  /** Whether the request names a session that is open: then its protocol is known. */
  has(request: Request): boolean {
    return this.#sessions.has(request.headers.get('mcp-session-id') ?? '');
  }

  async handle(request: Request, body: unknown, authInfo: AuthInfo | undefined): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) {
      if (request.method === 'POST' && isInitialize(body)) return this.#open(request, body, authInfo);
      return rpcError(400, REFUSED_CODE, 'Bad Request: the header Mcp-Session-Id is missing');
    }
    const session = this.#sessions.get(id);
    if (session === undefined || session.subject !== principalOf(authInfo)?.subject)
      return rpcError(404, NO_SESSION_CODE, 'Session not found');
    if (request.method === 'DELETE' && this.#options.disallowDelete === true)
      return rpcError(405, REFUSED_CODE, 'Sessions cannot be ended by clients', { allow: 'GET, POST' });
    session.lastUsed = Date.now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const response = await session.transport.handleRequest(request, handled(body, authInfo));
    return request.method === 'GET' ? counted(session, response) : response;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(open.map(({ server }) => server.close()));
  }

  async #open(request: Request, body: unknown, authInfo: AuthInfo | undefined): Promise<Response> {
    if (this.#closed) return closedResponse();
    const idle = this.#makeRoom();
    if (idle === undefined) return fullResponse();
    // Taken before anything is waited for: others begin meanwhile.
    this.#opening += 1;
    let placed = false;
    const leave = (): void => {
      if (!placed) this.#opening -= 1;
      placed = true;
    };
    const { json, eventStore, retryIntervalMs, keepAliveMs } = this.#options;
    const server = this.#mcp.serve({ era: 'legacy' });
    const sessionId = crypto.randomUUID();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      onsessioninitialized: (id) => {
        if (this.#closed) return;
        const subject = principalOf(authInfo)?.subject;
        leave();
        this.#sessions.set(id, { server, transport, subject, openStreams: 0, lastUsed: Date.now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
      ...(json === undefined ? undefined : { enableJsonResponse: json }),
      ...(eventStore === undefined ? undefined : { eventStore: sessionEventStore(eventStore, sessionId) }),
      ...(retryIntervalMs === undefined ? undefined : { retryInterval: retryIntervalMs }),
      ...(keepAliveMs === undefined ? undefined : { keepAliveMs }),
    });
    try {
      await Promise.all(idle.map((session) => session.server.close()));
      await server.connect(transport);
      const response = await transport.handleRequest(request, handled(body, authInfo));
      return this.#closed ? closedResponse() : response;
    } finally {
      leave();
      if (!this.#sessions.has(sessionId)) await server.close();
    }
  }

  /** Takes out what was idle too long, and the longest idle where there are too many. Undefined: all are busy. */
  #makeRoom(): readonly HttpSession[] | undefined {
    const { maxSessions = DEFAULT_MAX_SESSIONS, sessionIdleMs = DEFAULT_IDLE_MS } = this.#options;
    const oldest = Date.now() - sessionIdleMs;
    const tooMany = this.#sessions.size + this.#opening + 1 - maxSessions;
    const idle: [string, HttpSession][] = [];
    for (const [id, session] of this.#sessions) {
      if (idle.length >= tooMany && session.lastUsed > oldest) break;
      if (session.openStreams === 0 && session.server.activeCalls === 0) idle.push([id, session]);
    }
    if (idle.length < tooMany) return undefined;
    return idle.map(([id, session]) => {
      this.#sessions.delete(id);
      return session;
    });
  }
}

function handled(body: unknown, authInfo: AuthInfo | undefined): { parsedBody?: unknown; authInfo?: AuthInfo } {
  return {
    ...(body === undefined ? undefined : { parsedBody: body }),
    ...(authInfo === undefined ? undefined : { authInfo }),
  };
}

function isInitialize(body: unknown): boolean {
  return Array.isArray(body) ? body.some(isInitializeRequest) : isInitializeRequest(body);
}

/** Notes how long a stream stays open, without which its session would look idle. */
function counted(session: HttpSession, response: Response): Response {
  if (response.body === null || !response.ok) return response;
  const reader = response.body.getReader();
  session.openStreams += 1;
  let open = true;
  const over = (): void => {
    if (open) session.openStreams -= 1;
    open = false;
    session.lastUsed = Date.now();
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await reader.read();
        if (!next.done) return controller.enqueue(next.value);
        over();
        controller.close();
      } catch (error) {
        over();
        controller.error(error);
      }
    },
    async cancel(reason) {
      over();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
