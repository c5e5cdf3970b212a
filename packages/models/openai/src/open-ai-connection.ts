import type { SdkConnection } from '@vernal/core';
import OpenAI from 'openai';

/**
 * How to reach a server that speaks the OpenAI API. Nothing is read from the environment. Servers that want no key take any text; with a
 * `baseURL` the default is 'none'.
 */
export interface OpenAiConnection extends SdkConnection<OpenAI> {
  /** Address up to and with the version. Default `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
}

/** How errors name the provider. */
export const OPEN_AI = { provider: 'openai', name: 'OpenAI' } as const;

export const OPEN_AI_BASE_URL = 'https://api.openai.com/v1';

/**
 * A client of the official SDK. It is handed every value that it would read from the environment itself, so that two models with
 * different keys can live in one process. What it still reads is OPENAI_CUSTOM_HEADERS.
 */
export function openAiClient(connection: OpenAiConnection): OpenAI {
  if (connection.client !== undefined) return connection.client;
  return new OpenAI({
    apiKey: connection.apiKey ?? 'none',
    adminAPIKey: null,
    baseURL: connection.baseURL ?? OPEN_AI_BASE_URL,
    organization: connection.organization ?? null,
    project: connection.project ?? null,
    webhookSecret: null,
    logLevel: 'off',
    timeout: connection.timeoutMs ?? 60_000,
    maxRetries: connection.maxRetries ?? 2,
    dangerouslyAllowBrowser: true,
    ...(connection.headers === undefined ? {} : { defaultHeaders: connection.headers }),
    ...(connection.fetch === undefined ? {} : { fetch: connection.fetch }),
  });
}
