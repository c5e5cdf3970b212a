import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  Implementation,
  RequestOptions,
  Root,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { inputRequired, isSpecType } from '@modelcontextprotocol/server';
import type { AnySchemaWithJson, CallContext, InferOutput } from '@vernal/core';
import { UnsupportedCapabilityError, VernalError } from '@vernal/core';
import { elicitedContent, elicitSchema } from './elicit-schema.js';
import type { McpElicitResult, McpExchange, McpLoggingLevel, McpProgress } from './mcp-exchange.js';
import type { SuspendedCall } from './suspended-call.js';

const DEFAULT_MESSAGE = 'Please provide the required information.';
const DEFAULT_MAX_TOKENS = 1_000;

/** How one call speaks to its client: pushed requests on older protocols, questions as answers (`suspended`) on newer ones. */
export class LiveExchange implements McpExchange {
  readonly #server: Server;
  readonly #context: ServerContext;
  readonly #timeoutMs: number;
  readonly #suspended: SuspendedCall | undefined;

  constructor(server: Server, context: ServerContext, timeoutMs: number, suspended: SuspendedCall | undefined) {
    this.#server = server;
    this.#context = context;
    this.#timeoutMs = timeoutMs;
    this.#suspended = suspended;
  }

  get sessionId(): string | undefined {
    return this.#context.sessionId;
  }

  get requestId(): string | number {
    return this.#context.mcpReq.id;
  }

  get protocolVersion(): string | undefined {
    return this.#server.getNegotiatedProtocolVersion();
  }

  get clientInfo(): Implementation | undefined {
    return this.#server.getClientVersion();
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#server.getClientCapabilities() ?? {};
  }

  get samplingEnabled(): boolean {
    return this.clientCapabilities.sampling !== undefined;
  }

  get elicitationEnabled(): boolean {
    const { elicitation } = this.clientCapabilities;
    return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  }

  get urlElicitationEnabled(): boolean {
    return this.clientCapabilities.elicitation?.url !== undefined;
  }

  get rootsEnabled(): boolean {
    return this.clientCapabilities.roots !== undefined;
  }

  get progressEnabled(): boolean {
    return this.#context.mcpReq._meta?.progressToken !== undefined;
  }

  async sample(
    request: string | CreateMessageRequestParams,
    options?: CallContext,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    requireEnabled(this.samplingEnabled, 'sampling');
    const params: CreateMessageRequestParams =
      typeof request === 'string'
        ? { messages: [{ role: 'user', content: { type: 'text', text: request } }], maxTokens: DEFAULT_MAX_TOKENS }
        : request;
    if (this.#suspended === undefined) return this.#context.mcpReq.requestSampling(params, this.#options(options));
    const answer = this.#suspended.ask(inputRequired.createMessage(params));
    if (isSpecType.CreateMessageResult(answer) || isSpecType.CreateMessageResultWithTools(answer)) return answer;
    throw unreadableAnswer('sampling');
  }

  async elicit<S extends AnySchemaWithJson>(
    schema: S,
    options?: CallContext & { readonly message?: string | undefined },
  ): Promise<McpElicitResult<InferOutput<S>>> {
    requireEnabled(this.elicitationEnabled, 'elicitation');
    const params = {
      mode: 'form' as const,
      message: options?.message ?? DEFAULT_MESSAGE,
      requestedSchema: elicitSchema(schema),
    };
    const answer =
      this.#suspended === undefined
        ? await this.#context.mcpReq.elicitInput(params, this.#options(options))
        : this.#suspended.ask(inputRequired.elicit(params));
    if (!isSpecType.ElicitResult(answer)) throw unreadableAnswer('elicitation');
    if (answer.action !== 'accept') return { action: answer.action };
    return { action: 'accept', content: await elicitedContent(schema, answer.content ?? {}) };
  }

  async elicitUrl(url: string, message: string, options?: CallContext): Promise<'accept' | 'decline' | 'cancel'> {
    requireEnabled(this.urlElicitationEnabled, 'URL elicitation');
    const answer =
      this.#suspended === undefined
        ? await this.#context.mcpReq.elicitInput(
            { mode: 'url', url, message, elicitationId: crypto.randomUUID() },
            this.#options(options),
          )
        : this.#suspended.ask(inputRequired.elicitUrl({ url, message }));
    if (!isSpecType.ElicitResult(answer)) throw unreadableAnswer('elicitation');
    return answer.action;
  }

  async roots(options?: CallContext): Promise<readonly Root[]> {
    requireEnabled(this.rootsEnabled, 'roots');
    const answer =
      this.#suspended === undefined
        ? await this.#context.mcpReq.send({ method: 'roots/list' }, this.#options(options))
        : this.#suspended.ask(inputRequired.listRoots());
    if (!isSpecType.ListRootsResult(answer)) throw unreadableAnswer('roots');
    return answer.roots;
  }

  async progress(update: number | McpProgress): Promise<void> {
    const progressToken = this.#context.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const { progress, total, message } = typeof update === 'number' ? { progress: update, total: 100 } : { ...update };
    await this.#context.mcpReq.notify({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress,
        ...(total === undefined ? undefined : { total }),
        ...(message === undefined ? undefined : { message }),
      },
    });
  }

  log(level: McpLoggingLevel, data: unknown, logger?: string): Promise<void> {
    return this.#context.mcpReq.log(level, data, logger);
  }

  debug(data: unknown, logger?: string): Promise<void> {
    return this.log('debug', data, logger);
  }

  info(data: unknown, logger?: string): Promise<void> {
    return this.log('info', data, logger);
  }

  warning(data: unknown, logger?: string): Promise<void> {
    return this.log('warning', data, logger);
  }

  error(data: unknown, logger?: string): Promise<void> {
    return this.log('error', data, logger);
  }

  async ping(options?: CallContext): Promise<void> {
    requireEnabled(this.#suspended === undefined, 'ping');
    await this.#context.mcpReq.send({ method: 'ping' }, this.#options(options));
  }

  /** Related to the call in hand, so that the question goes down the stream that the client reads for this call. */
  #options(options: CallContext | undefined): RequestOptions {
    const { signal } = this.#context.mcpReq;
    return {
      relatedRequestId: this.#context.mcpReq.id,
      timeout: this.#timeoutMs,
      signal: options?.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
    };
  }
}

function requireEnabled(enabled: boolean, what: string): void {
  if (enabled) return;
  throw new UnsupportedCapabilityError(
    `The MCP client of this call does not offer ${what}: look at the exchange's '…Enabled' properties first`,
    { capability: what, owner: 'MCP client' },
  );
}

function unreadableAnswer(what: string): VernalError {
  return new VernalError(`The MCP client answered a ${what} request with something else`, {
    code: 'invalid_state',
    subject: what,
  });
}
