import type { McpHttpOptions } from '../server/http/http-options.js';
import type { McpServer } from '../server/mcp-server.js';
import { type McpNodeHandler, mcpNodeHandler } from './server-http.js';

/** As much of NestJS's `MiddlewareConsumer` as is used. */
export interface McpNestConsumer {
  apply(...middleware: McpNodeHandler[]): { forRoutes(...routes: string[]): unknown };
}

/** A dynamic module of NestJS. */
export interface McpNestModule {
  readonly module: new () => object;
}

/**
 * Serves an MCP server in a NestJS application, on Express and on Fastify, as a dynamic module for the `imports` of a module of its own.
 * Sessions end with the application. Throws as `mcpHttpHandler()` does.
 *
 * @example
 * `imports: [mcpNest(server, { path: '/mcp' })]` in `@Module()`.
 */
export function mcpNest(server: McpServer, options: McpHttpOptions = {}): McpNestModule {
  const handler = mcpNodeHandler(server, { ...options, path: options.path ?? '/mcp' });
  class McpModule {
    configure(consumer: McpNestConsumer): void {
      consumer.apply(handler).forRoutes('{*path}');
    }

    onModuleDestroy(): Promise<void> {
      return handler.close();
    }
  }
  return { module: McpModule };
}
