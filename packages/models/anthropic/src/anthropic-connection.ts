import Anthropic from '@anthropic-ai/sdk';
import { VernalError } from '@vernal/core';

/** How to reach Anthropic, or a server that speaks its API. Nothing is read from the environment. */
export interface AnthropicConnection {
  /** Needed, unless `client` or `baseURL` is given. */
  readonly apiKey?: string | undefined;
  /** Address without a version. Default `https://api.anthropic.com`. */
  readonly baseURL?: string | undefined;
  /** Sent with every request: `anthropic-beta` among them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds a request may take. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How often the SDK repeats a request that failed for a passing reason. Default 2. */
  readonly maxRetries?: number | undefined;
  /** A client of the official SDK in place of all the above. */
  readonly client?: Anthropic | undefined;
}

/** How errors name the provider. */
export const ANTHROPIC = { provider: 'anthropic', name: 'Anthropic' } as const;

/**
 * A client of the official SDK. It is handed every value that it would read from the environment itself. What it still reads is
 * ANTHROPIC_CUSTOM_HEADERS.
 */
export function anthropicClient(connection: AnthropicConnection): Anthropic {
  if (connection.client !== undefined) return connection.client;
  const { apiKey, baseURL } = connection;
  if (baseURL === undefined && (apiKey === undefined || apiKey.trim() === '')) {
    throw new VernalError('Anthropic needs a key: give `apiKey`, or `baseURL` for a server that needs none', {
      code: 'invalid_argument',
      subject: 'apiKey',
    });
  }
  return new Anthropic({
    apiKey: apiKey ?? 'none',
    authToken: null,
    baseURL: baseURL ?? 'https://api.anthropic.com',
    webhookKey: null,
    logLevel: 'off',
    timeout: connection.timeoutMs ?? 60_000,
    maxRetries: connection.maxRetries ?? 2,
    dangerouslyAllowBrowser: true,
    ...(connection.headers === undefined ? {} : { defaultHeaders: connection.headers }),
    ...(connection.fetch === undefined ? {} : { fetch: connection.fetch }),
  });
}
