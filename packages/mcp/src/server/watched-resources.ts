import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { isRecord } from '@vernal/core';
import type { ServerParts } from './build-server.js';
import { type DetachedRequest, detachedCall } from './detached-call.js';
import { usableResource } from './find-resource.js';
import type { McpCallContext } from './mcp-exchange.js';

/** Of the URIs those that this caller may read, and no more than may be watched at a time. */
export async function watchable(
  parts: ServerParts,
  uris: readonly string[],
  call: McpCallContext,
): Promise<readonly string[]> {
  const few = [...new Set(uris)].slice(0, parts.maxSubscriptions);
  // Who lacks a scope is not told here what for: it stays unwatched.
  const found = await Promise.all(few.map((uri) => usableResource(parts, uri, call).catch(() => undefined)));
  return few.filter((_, index) => found[index] !== undefined);
}

/**
 * The body of `subscriptions/listen`, which the SDK's handlers answer by themselves, without what the caller may not watch: the client is
 * told what is left. A response: nothing is left. Any other body as it is.
 */
export async function narrowedListen(
  parts: ServerParts,
  body: unknown,
  known: Pick<DetachedRequest, 'authInfo' | 'request'>,
): Promise<unknown> {
  if (!isRecord(body) || body['method'] !== 'subscriptions/listen') return body;
  const { id, params } = body;
  const filter = isRecord(params) ? params['notifications'] : undefined;
  const uris = isRecord(filter) ? filter['resourceSubscriptions'] : undefined;
  if (!isRecord(params) || !isRecord(filter) || !isTexts(uris) || uris.length === 0) return body;
  if (typeof id !== 'string' && typeof id !== 'number') return body;
  const resourceSubscriptions = await watchable(parts, uris, detachedCall({ ...known, id, params }));
  const { resourceSubscriptions: _, ...others } = filter;
  if (resourceSubscriptions.length === 0 && !Object.values(others).includes(true)) {
    const { code, message, data } = new ResourceNotFoundError(uris[0] ?? '');
    return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
  return { ...body, params: { ...params, notifications: { ...others, resourceSubscriptions } } };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
