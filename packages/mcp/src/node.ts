// The Model Context Protocol, both sides: see README.md.

export type { McpConfigOptions } from './node/client-config.js';
export { mcpServersFrom, readMcpServers } from './node/client-config.js';
export type {
  McpClientProperties,
  McpClientPropertiesOptions,
  McpHttpProperties,
  McpStdioProperties,
} from './node/client-properties.js';
export { mcpConnectionsFrom } from './node/client-properties.js';
export type { StdioOptions } from './node/client-stdio.js';
export { stdioTransport } from './node/client-stdio.js';
export type { McpFastify } from './node/server-fastify.js';
export { mcpFastify } from './node/server-fastify.js';
export type { McpHttpServer, McpIncomingMessage, McpListenOptions, McpNodeHandler } from './node/server-http.js';
export { mcpNodeHandler, serveMcpHttp } from './node/server-http.js';
export type { McpNestConsumer, McpNestModule } from './node/server-nest.js';
export { mcpNest } from './node/server-nest.js';
export type { McpStdioConnection, McpStdioOptions } from './node/server-stdio.js';
export { serveMcpStdio } from './node/server-stdio.js';
