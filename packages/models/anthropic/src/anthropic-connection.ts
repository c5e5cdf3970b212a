import Anthropic from '@anthropic-ai/sdk';
import { requireApiKey, type SdkConnection } from '@vernal/core';

/** How to reach Anthropic, or a server that speaks its API. Nothing is read from the environment. */
export interface AnthropicConnection extends SdkConnection<Anthropic> {
  /** Address without a version. Default `https://api.anthropic.com`. */
  readonly baseURL?: string | undefined;
}

/** How errors name the provider. */
export const ANTHROPIC = { provider: 'anthropic', name: 'Anthropic' } as const;

/**
 * A client of the official SDK. It is handed every value that it would read from the environment itself. What it still reads is
 * ANTHROPIC_CUSTOM_HEADERS.
 */
export function anthropicClient(connection: AnthropicConnection): Anthropic {
  if (connection.client !== undefined) return connection.client;
  requireApiKey(ANTHROPIC.name, connection);
  return new Anthropic({
    apiKey: connection.apiKey ?? 'none',
    authToken: null,
    baseURL: connection.baseURL ?? 'https://api.anthropic.com',
    webhookKey: null,
    logLevel: 'off',
    timeout: connection.timeoutMs ?? 60_000,
    maxRetries: connection.maxRetries ?? 2,
    dangerouslyAllowBrowser: true,
    ...(connection.headers === undefined ? {} : { defaultHeaders: connection.headers }),
    ...(connection.fetch === undefined ? {} : { fetch: connection.fetch }),
  });
}
