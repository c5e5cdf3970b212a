import type { OAuthClientProvider } from '@vernal/mcp';

type Metadata = OAuthClientProvider['clientMetadata'];
type Information = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/** A user without a browser, who agrees to everything: the authorisation server answers with a redirect at once. */
export class HeadlessUser implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:3000/callback';
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';
  /** What the last redirect said. */
  callback: URLSearchParams | undefined;
  redirects = 0;
  #information: Information;
  #tokens: Tokens;
  #verifier = '';
  #discovery: Discovery;

  constructor(information?: Information) {
    this.#information = information;
  }

  get clientMetadata(): Metadata {
    return {
      client_name: 'vernal test',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  }

  clientInformation(): Information {
    return this.#information;
  }

  saveClientInformation(information: NonNullable<Information>): void {
    this.#information = information;
  }

  tokens(): Tokens {
    return this.#tokens;
  }

  saveTokens(tokens: NonNullable<Tokens>): void {
    this.#tokens = tokens;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.redirects++;
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    if (location === null) throw new Error('no redirect');
    this.callback = new URL(location).searchParams;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: NonNullable<Discovery>): void {
    this.#discovery = state;
  }

  discoveryState(): Discovery {
    return this.#discovery;
  }

  invalidateCredentials(): void {
    this.#tokens = undefined;
  }
}
