import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import type { RetryPolicy } from '@vernal/core';
import {
  LONGEST_TIMEOUT_MS,
  requireApiKey,
  requireHttpAddress,
  type SdkConnection,
  timedFetch,
} from '@vernal/core/adapter';

/** How to reach Anthropic, or a server that speaks its API. Nothing is read from the environment. */
export interface AnthropicConnection extends SdkConnection<Anthropic> {
  /** Address without a version. Default `https://api.anthropic.com`. */
  readonly baseURL?: string | undefined;
  /**
   * Milliseconds a request may take, its body included; of a stream, until it begins, and then each silence of the server. Default 60,000,
   * or the `timeout` of a `client` that was given.
   */
  readonly timeoutMs?: number | undefined;
}

/** How errors name the provider. */
export const ANTHROPIC = { provider: 'anthropic', name: 'Anthropic' } as const;

/**
 * A client of the official SDK. It is handed every value that it would read from the environment itself. What it still reads is
 * ANTHROPIC_CUSTOM_HEADERS. Throws `invalid_argument` for a `baseURL` that is none.
 */
export function anthropicClient(
  connection: AnthropicConnection & { readonly retry?: RetryPolicy | undefined },
): Anthropic {
  requireHttpAddress(connection.baseURL, 'https://host');
  if (connection.client !== undefined) return connection.client;
  requireApiKey(ANTHROPIC.name, connection);
  return new Anthropic({
    apiKey: connection.apiKey ?? 'none',
    authToken: null,
    baseURL: connection.baseURL ?? 'https://api.anthropic.com',
    webhookKey: null,
    logLevel: 'off',
    openTelemetry: false,
    timeout: Math.min(connection.timeoutMs ?? 60_000, LONGEST_TIMEOUT_MS),
    // One policy repeats, not both: their numbers would multiply.
    maxRetries: connection.maxRetries ?? (connection.retry === undefined ? 2 : 0),
    dangerouslyAllowBrowser: true,
    ...(connection.headers === undefined ? {} : { defaultHeaders: connection.headers }),
    fetch: timedFetch(connection.fetch),
  });
}

/** The user's own client with what a derived model changes of the connection; undefined when there is no such client. */
export function derivedClient(client: Anthropic | undefined, change: AnthropicConnection): Anthropic | undefined {
  const { apiKey, baseURL, timeoutMs, maxRetries, headers, fetch } = change;
  const options: ClientOptions = {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(timeoutMs === undefined ? {} : { timeout: Math.min(timeoutMs, LONGEST_TIMEOUT_MS) }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(headers === undefined ? {} : { defaultHeaders: headers }),
    ...(fetch === undefined ? {} : { fetch: timedFetch(fetch) }),
  };
  return Object.keys(options).length === 0 ? client : client?.withOptions(options);
}
