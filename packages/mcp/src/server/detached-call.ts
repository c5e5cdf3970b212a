import type { AuthInfo } from '@modelcontextprotocol/server';
import { isRecord } from '@vernal/core';
import { DETACHED_EXCHANGE } from './detached-exchange.js';
import type { McpCallContext } from './mcp-exchange.js';
import { principalOf } from './mcp-principal.js';

/** A request that no handler of the SDK's server has seen. */
export interface DetachedRequest {
  readonly id: string | number;
  readonly params?: unknown;
  readonly authInfo?: AuthInfo | undefined;
  /** The HTTP request, where it is at hand. */
  readonly request?: Request | undefined;
}

/** The call as `authorize` sees it before there is a client to be asked. */
export function detachedCall({ id, params, authInfo, request }: DetachedRequest): McpCallContext {
  const principal = principalOf(authInfo);
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  return {
    exchange: { ...DETACHED_EXCHANGE, requestId: id },
    meta,
    transport: request === undefined ? {} : { request },
    ...(principal === undefined ? undefined : { principal }),
    signal: request?.signal ?? new AbortController().signal,
    progress: () => {},
  };
}
