import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { inputRequired, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpObservationData, ObservationRegistry, TraceContext } from '@vernal/core';
import { noopObservationRegistry, startSafely } from '@vernal/core';
import { RequestTimeout } from '@vernal/core/adapter';
import { featureError } from './feature-error.js';
import { LiveExchange } from './live-exchange.js';
import type { McpCallContext, McpTransportContext } from './mcp-exchange.js';
import { principalOf } from './mcp-principal.js';
import type { McpServerOptions } from './mcp-server-options.js';
import type { ServingServer } from './serving-server.js';
import { SuspendedCall } from './suspended-call.js';

const DEFAULT_REQUEST_TIMEOUT_MS = 600_000;

/** What is asked for, in the words of the protocol. */
export interface CallSubject {
  readonly method: string;
  readonly target?: string | undefined;
  readonly uri?: string | undefined;
}

/** Runs what a request asks for: observed, within the time, with its exchange, and as a question where the client must be asked. */
export class CallRunner {
  readonly #registry: ObservationRegistry;
  readonly #serverName: string;
  readonly #requestTimeoutMs: number;
  readonly #callTimeoutMs: number | undefined;

  constructor(options: McpServerOptions, serverName: string) {
    this.#registry = options.observationRegistry ?? noopObservationRegistry;
    this.#serverName = serverName;
    this.#requestTimeoutMs = options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
    this.#callTimeoutMs = options.callTimeoutMs;
  }

  /** A call whose client may be asked something. `late` gives the answer when the time is over; default a protocol error. */
  async run<R>(
    server: ServingServer,
    context: ServerContext,
    subject: CallSubject,
    work: (call: McpCallContext) => Promise<R>,
    late?: (message: string) => R,
  ): Promise<R | InputRequiredResult> {
    const { mcpReq } = context;
    if (server.era !== 'modern') return this.#run(server, context, subject, undefined, work, late);
    const suspended = new SuspendedCall(mcpReq.requestState(), mcpReq.inputResponses);
    try {
      const result = await this.#run(server, context, subject, suspended, work, late);
      return suspended.question === undefined ? result : inputRequired(suspended.question);
    } catch (error) {
      if (suspended.question !== undefined) return inputRequired(suspended.question);
      throw error;
    }
  }

  /** A list or a completion: nobody is asked for these. */
  list<R>(
    server: ServingServer,
    context: ServerContext,
    method: string,
    work: (call: McpCallContext) => Promise<R>,
  ): Promise<R> {
    return this.#run(server, context, { method }, undefined, work);
  }

  async #run<R>(
    server: ServingServer,
    context: ServerContext,
    subject: CallSubject,
    suspended: SuspendedCall | undefined,
    work: (call: McpCallContext) => Promise<R>,
    late?: (message: string) => R,
  ): Promise<R> {
    const { mcpReq } = context;
    const exchange = new LiveExchange(server.server, context, this.#requestTimeoutMs, suspended);
    const observation = this.#registry.enabled
      ? startSafely(this.#registry, () => ({
          kind: 'mcp',
          name: nameOf(subject),
          remoteParent: traceContext(mcpReq._meta),
          data: this.#data(exchange, subject),
        }))
      : undefined;
    // A signal of its own costs more than most calls: only where there is a time to be over.
    const timeout =
      this.#callTimeoutMs === undefined ? undefined : new RequestTimeout(this.#callTimeoutMs, mcpReq.signal);
    const principal = principalOf(context.http?.authInfo);
    const call: McpCallContext = {
      exchange,
      meta: mcpReq._meta ?? {},
      transport: transportContext(context),
      ...(principal === undefined ? undefined : { principal }),
      signal: timeout?.signal ?? mcpReq.signal,
      progress: (update) => void exchange.progress(update).catch(() => {}),
      ...(observation === undefined ? undefined : { observation: observation.observation }),
    };
    server.activeCalls += 1;
    try {
      const working = (): Promise<R> => (timeout === undefined ? work(call) : timeout.within(work(call)));
      return await (observation === undefined ? working() : observation.run(working));
    } catch (error) {
      if (suspended?.question !== undefined) throw error;
      const told = this.#told(error, timeout?.late === true, subject);
      observation?.add({ errorCode: told.code });
      observation?.error(error);
      if (timeout?.late === true && late !== undefined) return late(told.message);
      throw told;
    } finally {
      server.activeCalls -= 1;
      timeout?.stop();
      observation?.stop();
    }
  }

  /** What the client is told: never the words of a foreign error. */
  #told(error: unknown, late: boolean, subject: CallSubject): ProtocolError {
    const what = nameOf(subject);
    if (!late) return featureError(error, what);
    return new ProtocolError(ProtocolErrorCode.InternalError, `${what} took longer than ${this.#callTimeoutMs} ms`);
  }

  #data(exchange: LiveExchange, { method, target, uri }: CallSubject): McpObservationData & Record<string, unknown> {
    const { protocolVersion, sessionId } = exchange;
    return {
      side: 'server',
      method,
      server: this.#serverName,
      ...(protocolVersion === undefined ? undefined : { protocolVersion }),
      ...(sessionId === undefined ? undefined : { sessionId }),
      ...(target === undefined ? undefined : { target }),
      ...(uri === undefined || !this.#registry.content ? undefined : { uri }),
    };
  }
}

/** What a client calls something may be of any length. */
function nameOf({ method, target }: CallSubject): string {
  return target === undefined ? method : `${method} ${target.slice(0, 128)}`;
}

function transportContext({ http }: ServerContext): McpTransportContext {
  return {
    ...(http?.req === undefined ? undefined : { request: http.req }),
    ...(http?.closeSSE === undefined ? undefined : { closeStream: http.closeSSE }),
  };
}

function traceContext(meta: Readonly<Record<string, unknown>> | undefined): TraceContext | undefined {
  const traceparent = meta?.['traceparent'];
  const tracestate = meta?.['tracestate'];
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, ...(typeof tracestate === 'string' ? { tracestate } : undefined) };
}
