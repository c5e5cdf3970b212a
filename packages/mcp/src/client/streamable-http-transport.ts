import {
  type AuthProvider,
  type FetchLike,
  type JSONRPCMessage,
  type OAuthClientProvider,
  type RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { invalidArgument } from '@vernal/core';
import { LONGEST_TIMEOUT_MS, requireCount, requireOptionNames } from '@vernal/core/adapter';
import type { McpClientTransport } from './client-transport.js';
import { limitedFetch } from './limited-fetch.js';
import type { HearsAnswers } from './ordered-messages.js';
import { RequestStreams } from './request-streams.js';
import { endWithStream } from './stream-ended.js';

/** What the two transports over HTTP share. */
export interface McpHttpClientOptions {
  /**
   * Sent with every request to the server's own origin, and nowhere else: an authorization server does not get them. A function is asked
   * before each.
   */
  readonly headers?: Readonly<Record<string, string>> | (() => HeaderValues | Promise<HeaderValues>) | undefined;
  /**
   * A bearer token (`{ token: async () => … }`), or a whole OAuth flow: `ClientCredentialsProvider`, `PrivateKeyJwtProvider`, or an
   * `OAuthClientProvider` of your own. Its token wins over an `Authorization` among the headers. The MCP server names the authorization
   * server, so give providers with a secret the `expectedIssuer`: they send it there only.
   *
   * @example
   * new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: 'https://auth.example.com' });
   */
  readonly auth?: AuthProvider | OAuthClientProvider | undefined;
  /** Default the platform's. */
  readonly fetch?: FetchLike | undefined;
  /** Bytes of one message of the server, from 1. Default 10 MiB. More is `mcp_response`. */
  readonly maxMessageBytes?: number | undefined;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Options of `streamableHttpTransport`. */
export interface StreamableHttpOptions extends McpHttpClientOptions {
  /** How often the stream of the server's own messages is opened again when it breaks; back-off from 1 to 30 seconds. Default 10. */
  readonly streamRetries?: number | undefined;
  /** Address of the older transport, tried when the server answers the first request with 400, 404 or 405. Default none. */
  readonly sseFallback?: string | URL | undefined;
}

/** A server may name its own time until a stream is opened again: 0 would be a loop. */
const LEAST_RETRY_MS = 500;

/** Bytes of one message. */
export const MAX_MESSAGE_BYTES: number = 10 * 1024 * 1024;

/**
 * The transport of today: one address, requests by POST, answers as JSON or as an event stream. Redirects are followed within the
 * origin only.
 *
 * @throws VernalError `invalid_argument` for an address that is not http or https
 * @example
 * streamableHttpTransport('https://example.com/mcp', { headers: { 'X-API-Key': key } });
 */
export function streamableHttpTransport(url: string | URL, options: StreamableHttpOptions = {}): McpClientTransport {
  requireOptionNames(options, ['headers', 'auth', 'fetch', 'maxMessageBytes', 'streamRetries', 'sseFallback']);
  const address = httpAddress(url);
  const maxBytes = requireCount(options.maxMessageBytes ?? MAX_MESSAGE_BYTES, 'maxMessageBytes');
  const retries = options.streamRetries ?? 10;
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw invalidArgument('streamRetries', 'must be a whole number, at least 0');
  return {
    kind: 'streamable-http',
    open: () => new ConnectedHttpTransport(address, options, maxBytes, retries),
    ...(options.sseFallback === undefined ? undefined : { fallback: fallbackTo(options.sseFallback, options) }),
  };
}

/** An address that fetch can ask; what else is given is `invalid_argument`. */
export function httpAddress(url: string | URL): URL {
  const text = typeof url === 'string' ? url : String(url?.href);
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw invalidArgument('url', "must be an address with its scheme: 'https://example.com/mcp'");
  return new URL(text);
}

/** The caller's fetch with the caller's headers, which go to the origin of `address` only, and answers that end. */
export function fetchOf(
  address: URL,
  options: McpHttpClientOptions,
  maxBytes: number,
  onTooLarge: (error: Error) => void,
): FetchLike {
  const { headers } = options;
  const inner = limitedFetch(maxBytes, onTooLarge, options.fetch);
  if (headers === undefined) return inner;
  return async (url, init) => {
    if (new URL(url).origin !== address.origin) return await inner(url, init);
    const sent = new Headers(init?.headers);
    const own = typeof headers === 'function' ? await headers() : headers;
    // What the protocol says itself stays as it is.
    for (const [name, value] of Object.entries(own)) if (!sent.has(name)) sent.set(name, value);
    return await inner(url, { ...init, headers: sent });
  };
}

function fallbackTo(url: string | URL, options: McpHttpClientOptions): McpClientTransport {
  const address = httpAddress(url);
  return {
    kind: 'sse',
    open: async () => {
      const { sseTransport } = await import('./sse-transport.js');
      const { headers, auth, fetch, maxMessageBytes } = options;
      return await sseTransport(address, { headers, auth, fetch, maxMessageBytes }).open();
    },
  };
}

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** The official transport; a request ends with its stream, and the stream with its request; what was too large is said. */
class ConnectedHttpTransport extends StreamableHTTPClientTransport implements HearsAnswers {
  readonly #streams = new RequestStreams();

  /** The official transport forgets all but the last one. */
  readonly #timers: Set<ReturnType<typeof setTimeout>>;

  constructor(url: URL, options: McpHttpClientOptions, maxBytes: number, retries: number) {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    super(url, {
      fetch: fetchOf(url, options, maxBytes, (error) => this.onerror?.(error)),
      ...(options.auth === undefined ? undefined : { authProvider: options.auth }),
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: retries,
      },
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = setTimeout(
          () => {
            timers.delete(timer);
            reconnect();
          },
          Math.min(Math.max(delayMs, LEAST_RETRY_MS), LONGEST_TIMEOUT_MS),
        );
        timers.add(timer);
        return () => clearTimeout(timer);
      },
    });
    this.#timers = timers;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const ending = endWithStream(message, options, (answer) => this.onmessage?.(answer));
    const sent = super.send(message, this.#streams.begin(message, ending));
    this.#streams.giveUp(message);
    try {
      await sent;
    } catch (error) {
      if ('id' in message && message.id !== undefined) this.#streams.end(message.id);
      throw error;
    }
  }

  override async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    await super.close();
  }

  answered(id: RequestId): void {
    this.#streams.end(id);
  }
}
