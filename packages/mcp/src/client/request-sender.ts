import type { LoggingLevel, RequestOptions } from '@modelcontextprotocol/client';
import { LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type CallContext, invalidArgument } from '@vernal/core';
import type { ClientSession } from './client-session.js';
import { ConcurrencyGate } from './concurrency-gate.js';
import type { ConnectionSettings } from './connection-options.js';
import { observed, type RequestMetaData } from './request-meta.js';
import type { SessionKeeper } from './session-keeper.js';
import { withOwnSignal } from './signal-followers.js';

/** For one request. */
export interface McpRequestOptions extends CallContext {
  /** Milliseconds until it is given up; default that of the connection. */
  readonly timeoutMs?: number | undefined;
  /** Sent along as `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What is asked for, and whether it may be asked twice. */
export interface RequestSubject {
  readonly method: string;
  /** The tool or the prompt. */
  readonly target?: string;
  readonly uri?: string;
  readonly repeatable: boolean;
}

/** Sends one request over a session. */
export type Send<T> = (
  session: ClientSession,
  options: RequestOptions,
  meta: RequestMetaData | undefined,
) => Promise<T>;

/** Sends the requests of a connection: so many at a time, observed, over a session that is opened anew where it was lost. */
export class RequestSender {
  readonly #settings: ConnectionSettings;
  readonly #keeper: SessionKeeper;
  readonly #gate: ConcurrencyGate;
  /** Newer servers are told with each request from which level on they are to log. */
  loggingLevel: LoggingLevel | undefined;

  constructor(settings: ConnectionSettings, keeper: SessionKeeper) {
    this.#settings = settings;
    this.#keeper = keeper;
    this.#gate = new ConcurrencyGate(settings.maxConcurrentRequests);
    this.loggingLevel = settings.loggingLevel;
  }

  async send<T>(subject: RequestSubject, options: McpRequestOptions | undefined, send: Send<T>): Promise<T> {
    const { requestTimeoutMs, maxRequestTimeoutMs, registry, name } = this.#settings;
    const timeoutMs = options?.timeoutMs ?? requestTimeoutMs;
    if (!(timeoutMs >= 1)) throw invalidArgument('timeoutMs', 'must be a number of milliseconds, at least 1');
    return await withOwnSignal(options?.signal, async (signal) => {
      const sent: RequestOptions = {
        timeout: timeoutMs,
        maxTotalTimeout: Math.max(timeoutMs, maxRequestTimeoutMs),
        resetTimeoutOnProgress: true,
        ...(signal === undefined ? undefined : { signal }),
      };
      return await this.#gate.run(
        () =>
          observed(registry, { ...subject, connection: name }, options, (trace, add) =>
            this.#keeper.send({ ...options, ...subject, signal, timeoutMs }, (session) => {
              add(() => sessionFacts(session));
              return send(session, sent, this.#meta(session, options?.meta, trace));
            }),
          ),
        signal,
      );
    });
  }

  #meta(
    session: ClientSession,
    own: RequestMetaData | undefined,
    trace: RequestMetaData | undefined,
  ): RequestMetaData | undefined {
    const level = this.loggingLevel;
    const logging = level !== undefined && session.modern ? { [LOG_LEVEL_META_KEY]: level } : undefined;
    if (own === undefined && trace === undefined && logging === undefined) return undefined;
    return { ...logging, ...trace, ...own };
  }
}

/** Parameters with what is sent along. */
export function withMeta<T extends object>(
  params: T,
  meta: RequestMetaData | undefined,
): T & { _meta?: Record<string, unknown> } {
  return meta === undefined ? params : { ...params, _meta: { ...meta } };
}

function sessionFacts({ client, transport }: ClientSession): {
  readonly protocolVersion?: string;
  readonly sessionId?: string;
} {
  const protocolVersion = client.getNegotiatedProtocolVersion();
  const sessionId = transport instanceof StreamableHTTPClientTransport ? transport.sessionId : undefined;
  return {
    ...(protocolVersion === undefined ? undefined : { protocolVersion }),
    ...(sessionId === undefined ? undefined : { sessionId }),
  };
}
