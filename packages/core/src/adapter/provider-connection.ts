/** What every adapter takes that reaches a provider over HTTP. Nothing of it is read from the environment. */
export interface ProviderConnection {
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global `fetch`: a pooled transport, a proxy, a recorder. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Puts the provider's own words into errors. They may quote a prompt or a text. Default false. */
  readonly providerMessages?: boolean | undefined;
}

/** A connection through the provider's official SDK, of which `Client` is the client. */
export interface SdkConnection<Client> extends ProviderConnection {
  /** The key. Needed, unless `client` or `baseURL` is given: servers of one's own may want none. */
  readonly apiKey?: string | undefined;
  /** Milliseconds a request may take. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How often the SDK repeats a request that failed for a passing reason. Default 2; 0 where `retry` gives the model a policy of its own. */
  readonly maxRetries?: number | undefined;
  /** A client of the SDK in place of address, key, headers, `fetch`, time-out and retries. */
  readonly client?: Client | undefined;
}
