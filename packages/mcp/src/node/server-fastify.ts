import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpHttpOptions } from '../server/http/http-options.js';
import type { McpServer } from '../server/mcp-server.js';
import { type McpNodeHandler, mcpNodeHandler } from './server-http.js';

/** As much of Fastify as is used. */
export interface McpFastify {
  all(
    path: string,
    handler: (
      request: { readonly raw: IncomingMessage; readonly body: unknown },
      reply: { readonly raw: ServerResponse; hijack(): unknown },
    ) => void,
  ): unknown;
  addHook(name: 'preClose', hook: () => Promise<void>): unknown;
}

/**
 * Serves an MCP server as a Fastify plugin: the endpoint, the SSE paths and the protected-resource metadata, where they are turned on.
 * Sessions end with the application. Throws as `mcpHttpHandler()` does.
 *
 * @example
 * await app.register(mcpFastify(server, { path: '/mcp' }));
 */
export function mcpFastify(server: McpServer, options: McpHttpOptions = {}): (app: McpFastify) => Promise<void> {
  const path = options.path ?? '/mcp';
  const handler = mcpNodeHandler(server, { ...options, path });
  return async (app) => {
    for (const route of routes(path, options)) app.all(route, (request, reply) => serve(handler, request, reply));
    app.addHook('preClose', () => handler.close());
  };
}

function serve(
  handler: McpNodeHandler,
  request: { readonly raw: IncomingMessage; readonly body: unknown },
  reply: { readonly raw: ServerResponse; hijack(): unknown },
): void {
  reply.hijack();
  const { body } = request;
  handler(body === undefined || body === null ? request.raw : Object.assign(request.raw, { body }), reply.raw);
}

function routes(path: string, { sse, auth }: McpHttpOptions): readonly string[] {
  const { path: ssePath = '/sse', messagePath = '/mcp/message' } = typeof sse === 'object' ? sse : {};
  const wellKnown = '/.well-known/oauth-protected-resource';
  const resource = auth?.verify === undefined ? undefined : new URL(auth.resource).pathname.replace(/\/$/, '');
  return [
    path,
    ...(sse === undefined || sse === false ? [] : [ssePath, messagePath]),
    ...(resource === undefined ? [] : [...new Set([wellKnown, `${wellKnown}${resource}`])]),
  ];
}
