import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { VernalError } from '@vernal/core';
import { anyObject } from './listed-tools.js';
import type { RequestMetaData } from './request-meta.js';
import type { Send } from './request-sender.js';

/** What a server lists. */
export type ListKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

interface ListItems {
  readonly tools: unknown;
  readonly resources: Resource;
  readonly resourceTemplates: ResourceTemplateType;
  readonly prompts: Prompt;
}

/** One page of a list. Tools come as they are on the wire; `listTools` leaves out those that cannot be used. */
export interface ListPage<K extends ListKind = ListKind> {
  readonly items: readonly ListItems[K][];
  /** Undefined on the last page. */
  readonly nextCursor?: string;
}

/** Sends the request for a page by `request`, which knows how. */
export async function readPage<K extends ListKind>(
  kind: K,
  cursor: string | undefined,
  request: <T>(method: string, send: Send<T>) => Promise<T>,
): Promise<ListPage<K>> {
  return await pageReaders[kind](cursor, request);
}

type PageReaders = {
  readonly [K in ListKind]: (
    cursor: string | undefined,
    request: <T>(method: string, send: Send<T>) => Promise<T>,
  ) => Promise<ListPage<K>>;
};

const pageReaders: PageReaders = {
  async tools(cursor, request) {
    const result = await request('tools/list', ({ client }, options, meta) =>
      client.request({ method: 'tools/list', params: paramsOf(cursor, meta) }, anyObject, options),
    );
    return pageOf(Array.isArray(result['tools']) ? result['tools'] : [], result['nextCursor']);
  },
  async resources(cursor, request) {
    const { resources, nextCursor } = await request('resources/list', ({ client }, options, meta) =>
      client.request({ method: 'resources/list', params: paramsOf(cursor, meta) }, options),
    );
    return pageOf(resources, nextCursor);
  },
  async resourceTemplates(cursor, request) {
    const { resourceTemplates, nextCursor } = await request('resources/templates/list', ({ client }, options, meta) =>
      client.request({ method: 'resources/templates/list', params: paramsOf(cursor, meta) }, options),
    );
    return pageOf(resourceTemplates, nextCursor);
  },
  async prompts(cursor, request) {
    const { prompts, nextCursor } = await request('prompts/list', ({ client }, options, meta) =>
      client.request({ method: 'prompts/list', params: paramsOf(cursor, meta) }, options),
    );
    return pageOf(prompts, nextCursor);
  },
};

/** Every page. A list that does not end, or goes round in circles, is `mcp_response`. */
export async function readList<K extends ListKind>(
  kind: K,
  limits: { readonly maxListPages: number; readonly maxListItems: number; readonly connection: string },
  page: (cursor: string | undefined) => Promise<ListPage<K>>,
): Promise<ListPage<K>['items']> {
  const items: ListItems[K][] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages++) {
    const { items: more, nextCursor } = await page(cursor);
    if (items.length + more.length > limits.maxListItems)
      throw endless(kind, limits.connection, 'maxListItems', limits.maxListItems);
    for (const one of more) items.push(one);
    if (nextCursor === undefined) return items;
    if (pages >= limits.maxListPages || seen.has(nextCursor))
      throw endless(kind, limits.connection, 'maxListPages', limits.maxListPages);
    seen.add(nextCursor);
    cursor = nextCursor;
  }
}

function paramsOf(cursor: string | undefined, meta: RequestMetaData | undefined): Record<string, unknown> {
  return {
    ...(cursor === undefined ? undefined : { cursor }),
    ...(meta === undefined ? undefined : { _meta: { ...meta } }),
  };
}

/** Servers that mean 'no more' by an empty text, or by null, are understood. */
function pageOf<T>(
  items: readonly T[],
  nextCursor: unknown,
): { readonly items: readonly T[]; readonly nextCursor?: string } {
  return typeof nextCursor === 'string' && nextCursor !== '' ? { items, nextCursor } : { items };
}

function endless(kind: ListKind, connection: string, option: string, limit: number): VernalError {
  return new VernalError(
    `The ${kind} of MCP server '${connection}' do not end: raise \`${option}\` (${limit}) if there really are more`,
    {
      code: 'mcp_response',
      subject: option,
      details: { connection },
    },
  );
}
