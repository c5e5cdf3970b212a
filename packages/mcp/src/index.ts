// The Model Context Protocol, both sides: see README.md.

export type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';
export { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client';
export type { AnnotationApprovalOptions } from './client/annotation-approval.js';
export { approveByAnnotations, mcpToolHints } from './client/annotation-approval.js';
export type { ChatModelSamplingOptions } from './client/chat-model-sampling.js';
export { chatModelSampling } from './client/chat-model-sampling.js';
export type { McpHandlerDecorator, McpHandlerOptions } from './client/client-decorators.js';
export {
  McpElicitation,
  McpLogging,
  McpProgress,
  McpPromptListChanged,
  McpResourceListChanged,
  McpSampling,
  McpToolListChanged,
} from './client/client-decorators.js';
export type {
  McpClientHandlers,
  McpElicitationHandler,
  McpHandlerContext,
  McpListChangedHandler,
  McpLoggingHandler,
  McpProgressHandler,
  McpSamplingAnswer,
  McpSamplingHandler,
} from './client/client-handlers.js';
export type { McpClientTransport } from './client/client-transport.js';
export type { McpClientOptions, McpConnectionOptions } from './client/connection-options.js';
export type { McpToolDescription } from './client/listed-tools.js';
export type { ListKind, ListPage } from './client/listing.js';
export type { McpCallOptions } from './client/mcp-connection.js';
export { connectMcp, McpConnection } from './client/mcp-connection.js';
export type { McpServers } from './client/mcp-connections.js';
export { McpConnections } from './client/mcp-connections.js';
export type { McpToolReference } from './client/mcp-tool-callback.js';
export { mcpToolOf } from './client/mcp-tool-callback.js';
export type { McpToolOrigin, McpToolsOptions } from './client/mcp-tools.js';
export { mcpTools } from './client/mcp-tools.js';
export { promptMessages, resourceDocuments } from './client/prompt-messages.js';
export type {
  McpCallToolResult,
  McpCompletionRequest,
  McpElicitationAnswer,
  McpElicitationRequest,
  McpLogMessage,
  McpProgressUpdate,
  McpPromptResult,
  McpResourceResult,
  McpRoot,
  McpSamplingRequest,
} from './client/protocol-types.js';
export type { McpRequestOptions } from './client/request-sender.js';
export { sseTransport } from './client/sse-transport.js';
export type { McpHttpClientOptions, StreamableHttpOptions } from './client/streamable-http-transport.js';
export { streamableHttpTransport } from './client/streamable-http-transport.js';
export { toolResultOf } from './client/tool-content.js';
export { mcpToolName } from './client/tool-name.js';
export { isMcpClientTool, markMcpClientTool } from './mcp-client-tool.js';
export type { McpAuth, McpBearerAuth, McpRequestAuth } from './server/http/auth-options.js';
export type { McpHttpOptions, McpSseOptions } from './server/http/http-options.js';
export type { InMemoryEventStoreOptions } from './server/http/in-memory-event-store.js';
export { inMemoryEventStore } from './server/http/in-memory-event-store.js';
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
  McpProgress as McpProgressReport,
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
