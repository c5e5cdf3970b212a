import type { Icon } from '@modelcontextprotocol/server';
import type { AsToolOptions, ChatClient } from '@vernal/client-chat';
import type { Logger, ObservationRegistry, SchemaWithJson, ToolSource } from '@vernal/core';
import type { VectorStoreRetriever } from '@vernal/vector-store';
import type { McpCompletion } from './mcp-completion.js';
import type { McpCallContext } from './mcp-exchange.js';
import type { McpPrincipal } from './mcp-principal.js';
import type { McpPromptDefinition } from './mcp-prompt.js';
import type { McpResourceDefinition } from './mcp-resource.js';
import type { VectorStoreToolOptions } from './vector-store-tool.js';

/** A definition, or a function that is asked each time, for what comes and goes. */
export type McpSource<T> = T | (() => readonly T[] | Promise<readonly T[]>);

/** A chat client as a tool: `ChatClient.asTool()` with the tool's name as the key. */
export interface McpChatClient
  extends Omit<AsToolOptions<SchemaWithJson<{ input: string }, { input: string }>>, 'name' | 'input' | 'request'> {
  readonly client: ChatClient;
}

/** A vector store as a search tool: `vectorStoreTool()` with the tool's name as the key. */
export interface McpVectorStore extends Omit<VectorStoreToolOptions, 'name'> {
  readonly store: VectorStoreRetriever;
}

/** What somebody wants to see or use. */
export interface McpAuthorizationRequest {
  readonly kind: 'tool' | 'resource' | 'prompt';
  /** The tool's or prompt's name, the resource's URI or template. */
  readonly name: string;
  /** Whether it is about to be used, or only listed. */
  readonly action: 'use' | 'list';
  /** Absent where nobody was authenticated, as on stdio. */
  readonly principal?: McpPrincipal | undefined;
  readonly call: McpCallContext;
}

/** Which parts a server offers; each default true where there is something to offer, logging always. */
export interface McpServerCapabilities {
  readonly tools?: boolean | undefined;
  readonly resources?: boolean | undefined;
  readonly prompts?: boolean | undefined;
  readonly completions?: boolean | undefined;
  readonly logging?: boolean | undefined;
  /** Tells clients when lists change. Default true. */
  readonly listChanged?: boolean | undefined;
}

/** What an MCP server has, and who may use it. */
export interface McpServerOptions {
  /** Default 'vernal-mcp-server'. */
  readonly name?: string | undefined;
  /** Default '1.0.0'. */
  readonly version?: string | undefined;
  /** For people. */
  readonly title?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** How to use the server, for the client's model. */
  readonly instructions?: string | undefined;
  /** As `ChatClient.tools()` takes them: tools, providers (asked each time), lists, objects with `@Tool` methods. */
  readonly tools?: ToolSource | undefined;
  /** Chat clients as tools, by the tool's name. */
  readonly chatClients?: Readonly<Record<string, McpChatClient>> | undefined;
  /** Vector stores as search tools, by the tool's name. */
  readonly vectorStores?: Readonly<Record<string, McpVectorStore>> | undefined;
  readonly resources?: readonly McpSource<McpResourceDefinition>[] | undefined;
  readonly prompts?: readonly McpSource<McpPromptDefinition>[] | undefined;
  readonly completions?: readonly McpCompletion[] | undefined;
  /** Objects with `@McpTool`, `@McpResource`, `@McpPrompt`, `@McpComplete` or `@Tool` methods; classes for static ones. */
  readonly components?: readonly object[] | undefined;
  readonly capabilities?: McpServerCapabilities | undefined;
  /** Tools that come from other MCP servers are left out unless this is true, so that nothing is passed on unasked. Default false. */
  readonly exposeMcpClientTools?: boolean | undefined;
  /** MIME types of tools whose text is base64, by the tool's name. */
  readonly toolResponseMimeTypes?: Readonly<Record<string, string>> | undefined;
  /**
   * Decides for each tool, resource and prompt whether this caller may use it; what may not be used is not listed and answers like
   * something that does not exist. A throw is a no, and logged as a warning. Default: everything may.
   */
  readonly authorize?: ((request: McpAuthorizationRequest) => boolean | Promise<boolean>) | undefined;
  /** Values for the tools' `context.values`. Default none; the call itself is always under `MCP_CALL`. */
  readonly toolContext?: ((call: McpCallContext) => Readonly<Record<string, unknown>>) | undefined;
  /** Items a page of a list holds. Default 1,000. */
  readonly pageSize?: number | undefined;
  /** Resources that one client may watch at a time; only those that it may read can be watched. Default 1,000. */
  readonly maxSubscriptions?: number | undefined;
  /** Milliseconds for what the client is asked (sampling, elicitation, roots). Default 600,000: people answer. */
  readonly requestTimeoutMs?: number | undefined;
  /** Milliseconds for one tool, resource or prompt. Default none. */
  readonly callTimeoutMs?: number | undefined;
  /** Told when a client's roots changed. */
  readonly onRootsChanged?: ((client: { readonly sessionId?: string | undefined }) => void) | undefined;
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default silent. */
  readonly logger?: Logger | undefined;
}
