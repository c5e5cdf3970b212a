import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { VernalError } from '@vernal/core';
import { isHost } from '../server/http/host-name.js';
import type { McpHttpOptions } from '../server/http/http-options.js';
import { type McpHttpHandler, mcpHttpHandler } from '../server/http/mcp-http-handler.js';
import { REFUSED_CODE } from '../server/http/rpc-response.js';
import type { McpServer } from '../server/mcp-server.js';

/** What frameworks add to a request: the body they parsed, the address before they cut it, and who was authenticated. */
export interface McpIncomingMessage extends IncomingMessage {
  readonly body?: unknown;
  readonly originalUrl?: string;
  readonly auth?: AuthInfo;
}

/**
 * A handler of node:http, which Express, NestJS and Connect take too. What is not its own goes to `next`, or is 404 where there is none.
 */
export interface McpNodeHandler extends AsyncDisposable {
  (request: McpIncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** Ends sessions and streams; the server stays open for other handlers. */
  readonly close: () => Promise<void>;
  readonly http: McpHttpHandler;
}

/**
 * Serves an MCP server to a Node.js HTTP server or framework.
 * For Express: `app.use(mcpNodeHandler(server, { path: '/mcp' }))`, before or behind `express.json()`.
 * Throws as `mcpHttpHandler()` does.
 *
 * @example
 * createServer(mcpNodeHandler(mcpServer({ tools: [weather] }), { path: '/mcp' })).listen(3000, '127.0.0.1');
 */
export function mcpNodeHandler(server: McpServer, options: McpHttpOptions = {}): McpNodeHandler {
  const http = mcpHttpHandler(server, options);
  const limit = options.maxBodyBytes === undefined ? {} : { maxRequestBodySize: options.maxBodyBytes };
  const serve = toNodeHandler(http, limit);
  let closing = false;
  const close = (): Promise<void> => {
    closing = true;
    return http.close();
  };
  const handler = (request: McpIncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void => {
    const url = request.originalUrl ?? request.url ?? '/';
    if (next !== undefined && !http.handles(url.replace(/[?#].*$/s, ''))) {
      next();
      return;
    }
    const refused = unreadable(request, url);
    if (refused !== undefined) {
      response.writeHead(refused.status, { 'content-type': 'application/json', ...refused.headers });
      response.end(
        JSON.stringify({ jsonrpc: '2.0', error: { code: REFUSED_CODE, message: refused.message }, id: null }),
      );
      return;
    }
    // What ends after the handler was closed would keep its connection, and with it the application, open until it times out.
    response.once('finish', () => {
      if (closing) request.socket.end();
    });
    serve(whole(request, url), response, request.body).catch((error: unknown) => {
      if (next !== undefined) next(error);
      else response.destroy();
    });
  };
  return Object.assign(handler, { http, close, [Symbol.asyncDispose]: close });
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: { readonly allow: string };
}

/** Why no web-standard request can be made of it. */
function unreadable({ method = 'GET', headers }: McpIncomingMessage, url: string): Refusal | undefined {
  if (/^(?:connect|trace|track)$/i.test(method))
    return { status: 405, message: 'Method not allowed', headers: { allow: 'GET, POST, DELETE' } };
  const { host = 'localhost' } = headers;
  if (!isHost(host)) return { status: 400, message: 'Bad Request: the header Host names no host' };
  if (!URL.canParse(`http://${host}${url}`)) return { status: 400, message: 'Bad Request: the address is none' };
  return undefined;
}

/** The request with the address that the client sent, whatever a router cut off. */
function whole(request: McpIncomingMessage, url: string): NodeIncomingMessageLike {
  return {
    url,
    headers: request.headers,
    ...(request.method === undefined ? undefined : { method: request.method }),
    ...(request.auth === undefined ? undefined : { auth: request.auth }),
    [Symbol.asyncIterator]: () => request[Symbol.asyncIterator](),
  };
}

/** Where a server of its own listens. */
export interface McpListenOptions extends McpHttpOptions {
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Default '127.0.0.1': this machine only. With another one name the `allowedHosts`. */
  readonly host?: string | undefined;
}

/** A listening server. */
export interface McpHttpServer extends AsyncDisposable {
  /** The endpoint's address. */
  readonly url: URL;
  readonly port: number;
  readonly server: Server;
  /** Ends sessions and streams and stops listening. Twice is once. */
  close(): Promise<void>;
}

/**
 * Serves an MCP server on a port of its own, at '/mcp' unless `path` says otherwise.
 * Rejects with `mcp_listen` when the port cannot be had.
 *
 * @example
 * await using listening = await serveMcpHttp(server, { port: 3000 });
 */
export async function serveMcpHttp(server: McpServer, options: McpListenOptions = {}): Promise<McpHttpServer> {
  const { port = 0, host = '127.0.0.1', path = '/mcp', ...http } = options;
  const handler = mcpNodeHandler(server, { ...http, path });
  const listening = createServer(handler);
  try {
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject);
      listening.listen(port, host, () => {
        listening.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    await handler.close();
    throw new VernalError(`port: ${host}:${port} cannot be had; choose another one, or 0 for a free one`, {
      code: 'mcp_listen',
      subject: 'port',
      cause,
    });
  }
  const address = listening.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= handler.close().then(
      () =>
        new Promise<void>((resolve) => {
          listening.close(() => resolve());
          listening.closeAllConnections();
        }),
    );
    return closing;
  };
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: new URL(path, `http://${name}:${address.port}`),
    port: address.port,
    server: listening,
    close,
    [Symbol.asyncDispose]: close,
  };
}
