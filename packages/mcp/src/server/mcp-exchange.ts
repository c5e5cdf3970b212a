import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  Implementation,
  LoggingLevel,
  Root,
} from '@modelcontextprotocol/server';
import type { AnySchemaWithJson, CallContext, ContextKey, InferOutput, Observation } from '@vernal/core';
import { contextKey } from '@vernal/core';
import type { McpPrincipal } from './mcp-principal.js';

/** How far a call is. The client sees it only if it asked for progress; each number must be higher than the one before. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Severities of RFC 5424, lowest first. */
export type McpLoggingLevel = LoggingLevel;

/** What the client's user did with a question; `content` only when accepted, validated by the schema that was asked with. */
export type McpElicitResult<T> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/** What is known of the connection that a call came through. */
export interface McpTransportContext {
  /** The HTTP request; absent on stdio and in memory. */
  readonly request?: Request | undefined;
  /** Ends the stream that this call is answered on: the client comes back for the rest. Only with sessions and an `eventStore`. */
  readonly closeStream?: (() => void) | undefined;
}

/**
 * The other side of the call in hand: the client, and what it can be asked. Where the client cannot do something, the `…Enabled`
 * property says so and the method throws `unsupported_capability`.
 *
 * Clients of protocol 2026-07-28 and later are asked by answering the call with the question: the tool, resource or prompt then runs
 * again **from its start** with the answers at hand. What it does before a question must bear being done twice. Ask in the same order
 * each time.
 *
 * Source: `McpSyncServerExchange` and `McpAsyncServerExchange`.
 */
export interface McpExchange {
  /** Absent where there is no session: stateless HTTP, stdio, protocol 2026-07-28 and later. */
  readonly sessionId?: string | undefined;
  /** The JSON-RPC id of the call. */
  readonly requestId: string | number;
  readonly protocolVersion?: string | undefined;
  readonly clientInfo?: Implementation | undefined;
  readonly clientCapabilities: ClientCapabilities;
  readonly samplingEnabled: boolean;
  readonly elicitationEnabled: boolean;
  readonly urlElicitationEnabled: boolean;
  readonly rootsEnabled: boolean;
  /** True when the client gave a progress token with this call. */
  readonly progressEnabled: boolean;
  /** Lets the client's model answer. A text is one user message with at most 1,000 tokens of answer. */
  sample(
    request: string | CreateMessageRequestParams,
    options?: CallContext,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools>;
  /**
   * Asks the client's user. `schema` describes a flat object of texts, numbers, booleans and enums; anything deeper is
   * `invalid_argument`, and an answer that does not fit is `invalid_state`. Default message 'Please provide the required information.'
   */
  elicit<S extends AnySchemaWithJson>(
    schema: S,
    options?: CallContext & { readonly message?: string | undefined },
  ): Promise<McpElicitResult<InferOutput<S>>>;
  /** Sends the client's user to a page: for what must not pass through the client, such as a password. */
  elicitUrl(url: string, message: string, options?: CallContext): Promise<'accept' | 'decline' | 'cancel'>;
  /** The folders that the client lets servers see. */
  roots(options?: CallContext): Promise<readonly Root[]>;
  /** A number is a percentage. Nothing happens where the client did not ask for progress. */
  progress(update: number | McpProgress): Promise<void>;
  /** Nothing happens below the level that the client set. */
  log(level: McpLoggingLevel, data: unknown, logger?: string): Promise<void>;
  debug(data: unknown, logger?: string): Promise<void>;
  info(data: unknown, logger?: string): Promise<void>;
  warning(data: unknown, logger?: string): Promise<void>;
  error(data: unknown, logger?: string): Promise<void>;
  /** Throws `unsupported_capability` on protocol 2026-07-28 and later, which has no ping. */
  ping(options?: CallContext): Promise<void>;
}

/** The second argument of everything that a server calls. None of it comes from the model. */
export interface McpCallContext extends CallContext {
  readonly exchange: McpExchange;
  /** Tells the client how far it is; a number is a percentage. Failures to send are ignored. */
  readonly progress: (update: number | McpProgress) => void;
  /** `_meta` of the request. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly transport: McpTransportContext;
  /** Absent where nobody was authenticated. */
  readonly principal?: McpPrincipal | undefined;
  /** Aborted when the client cancels or leaves, and by the server's time-out. */
  readonly signal: AbortSignal;
  readonly observation?: Observation | undefined;
}

/** Under this key a tool that an MCP server calls finds its `McpCallContext` in `context.values`; absent for calls from elsewhere. */
export const MCP_CALL: ContextKey<McpCallContext> = contextKey<McpCallContext>('exchange');
