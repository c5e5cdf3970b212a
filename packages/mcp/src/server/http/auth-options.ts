import type { McpPrincipal } from '../mcp-principal.js';

type Verified = McpPrincipal | undefined | Promise<McpPrincipal | undefined>;

/** Tokens of an authorization server: this server is an OAuth 2.1 resource server (RFC 6750, 8707, 9728). */
export interface McpBearerAuth {
  /**
   * Who the token belongs to; undefined, or a throw, refuses it. Check the signature and the issuer here; expiry, audience and scopes are
   * checked for you.
   */
  readonly verify: (token: string, request: Request) => Verified;
  /** This server's public address, the audience of its tokens: 'https://example.com/mcp'. */
  readonly resource: string | URL;
  /** Issuers whose tokens are taken, for the protected-resource metadata. At least one. */
  readonly authorizationServers: readonly string[];
  /** Scopes that every request needs. Default none. */
  readonly requiredScopes?: readonly string[] | undefined;
  /** Scopes there are, for the metadata. Default `requiredScopes`. */
  readonly scopesSupported?: readonly string[] | undefined;
  /** False takes tokens of any audience: only for authorization servers that cannot say it. Default true. */
  readonly checkAudience?: boolean | undefined;
  /** For people, in the metadata. */
  readonly resourceName?: string | undefined;
  /** A page for developers, in the metadata. */
  readonly resourceDocumentation?: string | undefined;
  readonly authenticate?: undefined;
}

/** Any other scheme: an API key, a cookie, what a gateway says. */
export interface McpRequestAuth {
  /** Who sent the request; undefined is 401, a throw as well. */
  readonly authenticate: (request: Request) => Verified;
  readonly verify?: undefined;
}

/** Who may call a server over HTTP. */
export type McpAuth = McpBearerAuth | McpRequestAuth;
