import type { EventStore } from '@modelcontextprotocol/server';
import type { Logger } from '@vernal/core';
import type { McpEventBus } from '../mcp-server.js';
import type { McpAuth } from './auth-options.js';

/** The deprecated transport of two endpoints: a stream of events, and messages posted beside it. */
export interface McpSseOptions {
  /** Where the stream is opened. Default '/sse'. */
  readonly path?: string | undefined;
  /** Where messages are posted: a path of the same origin. Default '/mcp/message'. */
  readonly messagePath?: string | undefined;
}

/** How a server is served over HTTP. Clients of protocol 2026-07-28 and later have no sessions, whatever `mode` says. */
export interface McpHttpOptions {
  /**
   * For clients of protocols up to 2025-11-25. 'stateful' (the default): a session each, so that they can be asked and told things.
   * 'stateless': every request stands alone, for many processes behind a balancer; no sampling, elicitation, roots or lists that change.
   */
  readonly mode?: 'stateful' | 'stateless' | undefined;
  /** The one path that is served, '/mcp'. Default: every path that reaches the handler. */
  readonly path?: string | undefined;
  /** Serves the deprecated SSE transport too. Default false. */
  readonly sse?: boolean | McpSseOptions | undefined;
  /**
   * Host names that clients may call the server by, whatever the port; anything else is 403, which keeps web pages from reaching a local
   * server through a name of their own (DNS rebinding). Default localhost, 127.0.0.1 and [::1]; false: any, for a server behind a proxy
   * that checks. What no host can be called, '*' among it, is `invalid_argument`.
   */
  readonly allowedHosts?: readonly string[] | false | undefined;
  /**
   * Host names of web pages that may call the server, whatever the port; requests of no web page pass. '<scheme>://*' stands for the pages
   * of a browser's extensions. Default `allowedHosts`, and this machine where those are false; false: any.
   */
  readonly allowedOrigins?: readonly string[] | false | undefined;
  /** Bytes of a request; more is 413. Default 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Bytes that may wait on one stream for a client that does not read; then the stream breaks off. Default 16 MiB. */
  readonly maxQueuedBytes?: number | undefined;
  /** Who may call. Default: everybody whom the host and origin checks let pass. */
  readonly auth?: McpAuth | undefined;
  /** Sessions at a time; the one that was idle longest goes, and where none is idle, 503. Default 10,000. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds after which an idle session may go. Default 1,800,000. */
  readonly sessionIdleMs?: number | undefined;
  /** Refuses clients that want to end their session with DELETE. Default false. */
  readonly disallowDelete?: boolean | undefined;
  /** Milliseconds between signs of life on open streams; 0: none. Default 15,000. */
  readonly keepAliveMs?: number | undefined;
  /**
   * Answers clients of protocols up to 2025-11-25 with JSON instead of a stream: progress, logging and questions of a call are then lost.
   * Newer ones get JSON anyway unless a call has something to tell. Default false.
   */
  readonly json?: boolean | undefined;
  /** Keeps what was sent, so that a client whose connection broke gets the rest. Default none. */
  readonly eventStore?: EventStore | undefined;
  /** Milliseconds after which a client should open its stream again. Default: the client's own. */
  readonly retryIntervalMs?: number | undefined;
  /** Tells clients of protocol 2026-07-28 and later what changed, in many processes. Default: in this one. */
  readonly bus?: McpEventBus | undefined;
  /** Default silent. */
  readonly logger?: Logger | undefined;
}
