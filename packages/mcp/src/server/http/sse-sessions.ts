import type { AuthInfo } from '@modelcontextprotocol/server';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { principalOf } from '../mcp-principal.js';
import type { McpServer } from '../mcp-server.js';
import type { McpHttpOptions, McpSseOptions } from './http-options.js';
import {
  closedResponse,
  fullResponse,
  NO_SESSION_CODE,
  PARSE_ERROR_CODE,
  REFUSED_CODE,
  rpcError,
} from './rpc-response.js';
import { SseServerTransport } from './sse-server-transport.js';

const DEFAULT_PATH = '/sse';
const DEFAULT_MESSAGE_PATH = '/mcp/message';
const DEFAULT_KEEP_ALIVE_MS = 15_000;
const DEFAULT_MAX_SESSIONS = 10_000;

interface SseSession {
  readonly transport: SseServerTransport;
  readonly subject: string | undefined;
}

/** The deprecated SSE transport, a session for each open stream. */
export class SseSessions {
  readonly path: string;
  readonly messagePath: string;
  readonly #mcp: McpServer;
  readonly #options: McpHttpOptions;
  readonly #sessions = new Map<string, SseSession>();
  #closed = false;

  constructor(mcp: McpServer, options: McpHttpOptions, sse: McpSseOptions) {
    this.#mcp = mcp;
    this.#options = options;
    this.path = sse.path ?? DEFAULT_PATH;
    this.messagePath = sse.messagePath ?? DEFAULT_MESSAGE_PATH;
  }

  async open(request: Request, authInfo: AuthInfo | undefined): Promise<Response> {
    if (request.method !== 'GET') return rpcError(405, REFUSED_CODE, 'Method not allowed', { allow: 'GET' });
    if (this.#closed) return closedResponse();
    if (this.#sessions.size >= (this.#options.maxSessions ?? DEFAULT_MAX_SESSIONS)) return fullResponse();
    const transport = new SseServerTransport(this.messagePath, this.#options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS);
    const server = this.#mcp.serve({ era: 'legacy' });
    const { sessionId } = transport;
    transport.onclose = () => this.#sessions.delete(sessionId);
    // Its place is taken before anything is waited for: others begin meanwhile.
    this.#sessions.set(sessionId, { transport, subject: principalOf(authInfo)?.subject });
    try {
      await server.connect(transport);
    } catch (error) {
      this.#sessions.delete(sessionId);
      throw error;
    }
    if (!this.#closed) return transport.open();
    this.#sessions.delete(sessionId);
    await server.close();
    return closedResponse();
  }

  receive(request: Request, body: unknown, authInfo: AuthInfo | undefined): Response {
    if (request.method !== 'POST') return rpcError(405, REFUSED_CODE, 'Method not allowed', { allow: 'POST' });
    const session = this.#sessions.get(new URL(request.url).searchParams.get('sessionId') ?? '');
    if (session === undefined || session.subject !== principalOf(authInfo)?.subject)
      return rpcError(404, NO_SESSION_CODE, 'Session not found');
    try {
      const message = parseJSONRPCMessage(body);
      session.transport.onmessage?.(message, { request, ...(authInfo === undefined ? undefined : { authInfo }) });
    } catch {
      return rpcError(400, PARSE_ERROR_CODE, 'Parse error: not a JSON-RPC message');
    }
    return new Response('Accepted', { status: 202 });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}
