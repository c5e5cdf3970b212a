import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Logger } from '@vernal/core';
import { noopLogger, safeLogger } from '@vernal/core';
import type { McpCallContext } from './mcp-exchange.js';
import { hasScopes } from './mcp-principal.js';
import type { McpAuthorizationRequest, McpServerOptions } from './mcp-server-options.js';

/** Who may see and use what. */
export class FeatureAccess {
  readonly #authorize: McpServerOptions['authorize'];
  readonly #logger: Logger;

  constructor(options: McpServerOptions) {
    this.#authorize = options.authorize;
    this.#logger = safeLogger(options.logger ?? noopLogger);
  }

  /** Those of a list that this caller may use. */
  async visible<T>(
    kind: McpAuthorizationRequest['kind'],
    items: ReadonlyMap<string, T>,
    call: McpCallContext,
  ): Promise<readonly (readonly [string, T])[]> {
    const entries = [...items];
    if (this.#authorize === undefined) return entries;
    const allowed = await Promise.all(entries.map(([name]) => this.allows(kind, name, 'list', call)));
    return entries.filter((_, index) => allowed[index] === true);
  }

  /** False: to this caller it does not exist. Throws for a caller over HTTP who lacks scopes. */
  async mayUse(
    kind: McpAuthorizationRequest['kind'],
    name: string,
    scopes: readonly string[] | undefined,
    call: McpCallContext,
  ): Promise<boolean> {
    if (!(await this.allows(kind, name, 'use', call))) return false;
    if (scopes === undefined || call.transport.request === undefined || hasScopes(call.principal, scopes)) return true;
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `The ${kind} needs the scopes: ${scopes.join(' ')}`);
  }

  /** What the application says; a decision that fails is a no. */
  async allows(
    kind: McpAuthorizationRequest['kind'],
    name: string,
    action: McpAuthorizationRequest['action'],
    call: McpCallContext,
  ): Promise<boolean> {
    if (this.#authorize === undefined) return true;
    try {
      return (await this.#authorize({ kind, name, action, principal: call.principal, call })) === true;
    } catch (error) {
      this.#logger.warn('authorize failed: the caller was refused', {
        kind,
        error: error instanceof Error ? error.name : typeof error,
      });
      return false;
    }
  }
}
