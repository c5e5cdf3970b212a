import type { AuthInfo, OAuthTokenVerifier } from '@modelcontextprotocol/server';
import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { invalidArgument } from '@vernal/core';
import { isPrincipal, toAuthInfo } from '../mcp-principal.js';
import type { McpAuth, McpBearerAuth } from './auth-options.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Who sent a request, or the answer that refuses it. */
export interface Authenticator {
  authenticate(request: Request): Promise<AuthInfo | Response>;
  /** The protected-resource metadata, for the paths where clients look for it. */
  metadata(pathname: string): Response | undefined;
}

/** Throws `invalid_argument` for an address that is none and for missing authorization servers. */
export function authenticator(auth: McpAuth): Authenticator {
  return auth.verify === undefined ? requestAuthenticator(auth.authenticate) : bearerAuthenticator(auth);
}

function requestAuthenticator(authenticate: NonNullable<McpAuth['authenticate']>): Authenticator {
  if (typeof authenticate !== 'function') throw invalidArgument('auth', 'needs verify (bearer tokens) or authenticate');
  return {
    async authenticate(request) {
      try {
        const principal = await authenticate(request);
        if (isPrincipal(principal)) return toAuthInfo(principal, '');
      } catch {
        // Who cannot be told is not let in; why stays inside.
      }
      return unauthorizedResponse();
    },
    metadata: () => undefined,
  };
}

/** Who calls is not known. */
export function unauthorizedResponse(): Response {
  return Response.json({ error: 'unauthorized' }, { status: 401 });
}

function bearerAuthenticator(auth: McpBearerAuth): Authenticator {
  const resource = httpUrl(auth.resource);
  if (auth.authorizationServers.length === 0)
    throw invalidArgument('auth.authorizationServers', 'must name at least one issuer');
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
  const requiredScopes = [...(auth.requiredScopes ?? [])];
  const paths = new Set([WELL_KNOWN, new URL(resourceMetadataUrl).pathname]);
  return {
    async authenticate(request) {
      const verifier: OAuthTokenVerifier = {
        verifyAccessToken: (token) => verified(auth, token, request, resource),
      };
      try {
        return await verifyBearerToken(request.headers.get('authorization'), {
          verifier,
          requiredScopes,
          resourceMetadataUrl,
          ...(auth.checkAudience === false ? undefined : { expectedResource: resource }),
        });
      } catch (error) {
        return bearerAuthChallengeResponse(error, { requiredScopes, resourceMetadataUrl });
      }
    },
    metadata(pathname) {
      if (!paths.has(pathname)) return undefined;
      const scopes = auth.scopesSupported ?? auth.requiredScopes;
      return Response.json(
        {
          resource: resource.href,
          authorization_servers: auth.authorizationServers,
          bearer_methods_supported: ['header'],
          ...(scopes === undefined ? undefined : { scopes_supported: scopes }),
          ...(auth.resourceName === undefined ? undefined : { resource_name: auth.resourceName }),
          ...(auth.resourceDocumentation === undefined
            ? undefined
            : { resource_documentation: auth.resourceDocumentation }),
        },
        { headers: { 'access-control-allow-origin': '*', 'cache-control': 'max-age=3600' } },
      );
    },
  };
}

async function verified(auth: McpBearerAuth, token: string, request: Request, resource: URL): Promise<AuthInfo> {
  const principal = await Promise.resolve()
    .then(() => auth.verify(token, request))
    .catch((error: unknown) => {
      if (OAuthError.isInstance(error)) throw error;
      return undefined;
    });
  if (!isPrincipal(principal)) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not accepted');
  const { audience } = principal;
  const audiences = typeof audience === 'string' ? [audience] : (audience ?? []);
  const own = audiences.find((one) => withoutSlash(one) === withoutSlash(resource.href));
  return toAuthInfo(principal, token, own === undefined ? undefined : resource);
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}

function httpUrl(address: string | URL): URL {
  if (URL.canParse(String(address))) {
    const url = new URL(address);
    if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  }
  throw invalidArgument('auth.resource', "must be the server's public address, such as 'https://example.com/mcp'");
}
