import type { ChatOptions, RetryPolicy } from '@vernal/core';
import {
  changedOptions,
  LONGEST_TIMEOUT_MS,
  requireHttpAddress,
  type SdkConnection,
  timedFetch,
} from '@vernal/core/adapter';
import OpenAI, { type ClientOptions } from 'openai';

/**
 * How to reach a server that speaks the OpenAI API. Nothing is read from the environment. Servers that want no key take any text; with a
 * `baseURL` the default is 'none'.
 */
export interface OpenAiConnection extends SdkConnection<OpenAI> {
  /** Address up to and with the version. Default `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined;
  /**
   * Milliseconds a request may take, its body included; of a stream, until it begins, and then each silence of the server. Default 60,000,
   * or the `timeout` of a `client` that was given.
   */
  readonly timeoutMs?: number | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  /** Goes behind the address of every request: `{ 'api-version': '2024-10-21' }` for deployments at Azure. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** How errors name the provider. */
export const OPEN_AI = { provider: 'openai', name: 'OpenAI' } as const;

const OPEN_AI_BASE_URL = 'https://api.openai.com/v1';

/**
 * A client of the official SDK. It is handed every value that it would read from the environment itself, so that two models with
 * different keys can live in one process. What it still reads is OPENAI_CUSTOM_HEADERS. Throws `invalid_argument` for a
 * `baseURL` that is none.
 */
export function openAiClient(connection: OpenAiConnection & { readonly retry?: RetryPolicy | undefined }): OpenAI {
  requireHttpAddress(connection.baseURL, 'https://host/v1');
  if (connection.client !== undefined) return connection.client;
  return new OpenAI({
    apiKey: 'none',
    adminAPIKey: null,
    baseURL: OPEN_AI_BASE_URL,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    timeout: 60_000,
    fetch: transport(),
    // One policy repeats, not both: their numbers would multiply.
    maxRetries: connection.retry === undefined ? 2 : 0,
    dangerouslyAllowBrowser: true,
    ...clientOptions(connection),
  });
}

/** Does this client speak to OpenAI itself, or to Azure's copy of it? Others know only the older parameters. */
export function isOpenAi({ baseURL }: OpenAI): boolean {
  if (!URL.canParse(baseURL)) return false;
  const { hostname } = new URL(baseURL);
  return hostname === 'api.openai.com' || hostname.endsWith('.openai.azure.com');
}

/**
 * The options of a derived model: a client that was given stays, and what of the connection changes goes through its `withOptions`. All
 * else is `changedOptions`.
 */
export function derivedOptions<T extends OpenAiConnection & { readonly defaultOptions?: ChatOptions | undefined }>(
  before: T,
  change: Partial<T>,
): T {
  const changed = changedOptions(before, change);
  const { client } = before;
  return client === undefined || change.client !== undefined
    ? changed
    : { ...changed, client: derivedClient(client, change) };
}

function derivedClient(client: OpenAI, change: OpenAiConnection): OpenAI {
  const options = clientOptions(change);
  if (Object.keys(options).length === 0) return client;
  // The SDK's client for Azure asks for these anew, and would look for them in the environment.
  const { apiVersion, deploymentName } = client as { readonly apiVersion?: unknown; readonly deploymentName?: unknown };
  return client.withOptions({
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...(typeof deploymentName === 'string' ? { deployment: deploymentName } : {}),
    ...options,
  });
}

/** What of a connection is given, as the SDK names it. */
function clientOptions(connection: OpenAiConnection): ClientOptions {
  const { apiKey, baseURL, organization, project, timeoutMs, maxRetries, headers, query, fetch } = connection;
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(organization === undefined ? {} : { organization }),
    ...(project === undefined ? {} : { project }),
    ...(timeoutMs === undefined ? {} : { timeout: Math.min(timeoutMs, LONGEST_TIMEOUT_MS) }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(headers === undefined ? {} : { defaultHeaders: withoutBearer(headers, apiKey) }),
    ...(query === undefined ? {} : { defaultQuery: { ...query } }),
    ...(fetch === undefined ? {} : { fetch: transport(fetch) }),
  };
}

/** Before it sends a form the SDK asks which class a transport answers with, by a request for `data:,` unless it is told. */
function transport(fetch?: typeof globalThis.fetch): typeof globalThis.fetch {
  return Object.assign(timedFetch(fetch), { Response });
}

/** A key in `api-key`, as Azure takes it, goes alone: no made-up bearer stands beside it. */
function withoutBearer(
  headers: Readonly<Record<string, string>>,
  apiKey: string | undefined,
): Record<string, string | null> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return apiKey === undefined && names.has('api-key') && !names.has('authorization')
    ? { ...headers, authorization: null }
    : { ...headers };
}
