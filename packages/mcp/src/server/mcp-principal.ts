import type { AuthInfo } from '@modelcontextprotocol/server';
import { isRecord } from '@vernal/core';

/** Who calls: what a verified token, a key or the application's own middleware says of the caller. */
export interface McpPrincipal {
  /** Stable, unique and not empty: sessions are bound to it, and without one the answer is 401. For a token its `sub`, or the client's id where there is no user. */
  readonly subject: string;
  readonly clientId?: string | undefined;
  /** Default none. */
  readonly scopes?: readonly string[] | undefined;
  /** Seconds since 1970, as the `exp` claim. A bearer token without it is refused. */
  readonly expiresAt?: number | undefined;
  /** The `aud` claim: whom the token was issued for. */
  readonly audience?: string | readonly string[] | undefined;
  /** Anything else that is known of the caller. Never logged. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

const PRINCIPAL = 'vernal.principal';

/** As the SDK carries it through to request handlers. */
export function toAuthInfo(principal: McpPrincipal, token: string, resource?: URL): AuthInfo {
  return {
    token,
    clientId: principal.clientId ?? principal.subject,
    scopes: [...(principal.scopes ?? [])],
    ...(principal.expiresAt === undefined ? undefined : { expiresAt: principal.expiresAt }),
    ...(resource === undefined ? undefined : { resource }),
    extra: { [PRINCIPAL]: principal },
  };
}

/** Of an `AuthInfo` that this package made, or that a middleware of the SDK put on the request. */
export function principalOf(authInfo: AuthInfo | undefined): McpPrincipal | undefined {
  if (authInfo === undefined) return undefined;
  const own = authInfo.extra?.[PRINCIPAL];
  if (isPrincipal(own)) return own;
  const subject = authInfo.extra?.['sub'];
  return {
    subject: typeof subject === 'string' ? subject : authInfo.clientId,
    clientId: authInfo.clientId,
    scopes: authInfo.scopes,
    ...(authInfo.expiresAt === undefined ? undefined : { expiresAt: authInfo.expiresAt }),
  };
}

/** True when every scope was granted. */
export function hasScopes(principal: McpPrincipal | undefined, scopes: readonly string[]): boolean {
  return scopes.every((scope) => principal?.scopes?.includes(scope) === true);
}

/** False for a caller without a subject, who is nobody: sessions would be everybody's. */
export function isPrincipal(value: unknown): value is McpPrincipal {
  return isRecord(value) && typeof value['subject'] === 'string' && value['subject'] !== '';
}
