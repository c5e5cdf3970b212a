// The Model Context Protocol, both sides: see README.md.
export { isMcpClientTool, markMcpClientTool } from './mcp-client-tool.js';
export type { McpAuth, McpBearerAuth, McpRequestAuth } from './server/http/auth-options.js';
export type { McpHttpOptions, McpSseOptions } from './server/http/http-options.js';
export type { McpFetchOptions, McpHttpHandler } from './server/http/mcp-http-handler.js';
export { mcpHttpHandler } from './server/http/mcp-http-handler.js';
export type {
  McpCompleters,
  McpCompletion,
  McpCompletionInput,
  McpCompletionOptions,
  McpCompletionTarget,
  McpCompletionValues,
} from './server/mcp-completion.js';
export { mcpCompletion } from './server/mcp-completion.js';
export type {
  McpCompleteDecoratorOptions,
  McpPromptDecoratorOptions,
  McpResourceDecoratorOptions,
  McpToolDecoratorOptions,
} from './server/mcp-decorators.js';
export { McpComplete, McpPrompt, McpResource, McpTool } from './server/mcp-decorators.js';
export type {
  McpCallContext,
  McpElicitResult,
  McpExchange,
  McpLoggingLevel,
  McpProgress,
  McpTransportContext,
} from './server/mcp-exchange.js';
export { MCP_CALL } from './server/mcp-exchange.js';
export type { McpMethodDecorator } from './server/mcp-method.js';
export type { McpPrincipal } from './server/mcp-principal.js';
export type { McpPromptDefinition, McpPromptOptions, McpPromptReturn, McpPromptSettings } from './server/mcp-prompt.js';
export { mcpPrompt } from './server/mcp-prompt.js';
export type {
  McpListedResource,
  McpResourceContext,
  McpResourceDefinition,
  McpResourceOptions,
  McpResourceReturn,
  McpResourceSettings,
  UriVariables,
} from './server/mcp-resource.js';
export { mcpResource } from './server/mcp-resource.js';
export type { McpEventBus, McpNotifier, McpServer, McpServerConnection } from './server/mcp-server.js';
export { mcpServer } from './server/mcp-server.js';
export type {
  McpAuthorizationRequest,
  McpChatClient,
  McpServerCapabilities,
  McpServerOptions,
  McpSource,
  McpVectorStore,
} from './server/mcp-server-options.js';
export type { McpToolContext, McpToolOptions, McpToolReturn, McpToolSettings } from './server/mcp-tool.js';
export { describeMcpTool, mcpTool } from './server/mcp-tool.js';
export type { VectorStoreToolOptions } from './server/vector-store-tool.js';
export { vectorStoreTool } from './server/vector-store-tool.js';
