import type {
  Resource as ListedResource,
  ReadResourceResult,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { Media, Resource } from '@vernal/core';
import { decodeText, isRecord, mediaBase64, media as toMedia } from '@vernal/core';
import type { ServerParts } from './build-server.js';
import { featureError, invalidParams } from './feature-error.js';
import { usableResource } from './find-resource.js';
import type { McpListedResource, McpResourceDefinition, McpResourceReturn } from './mcp-resource.js';
import { page } from './page.js';
import { issuesText, readWithSchema } from './schema-value.js';
import type { ServingServer } from './serving-server.js';

/** `resources/list`, `resources/templates/list`, `resources/read`, `resources/subscribe` and `resources/unsubscribe`. */
export function serveResources(server: ServingServer, parts: ServerParts, subscriptions: Set<string>): void {
  const { features, runner, access, pageSize, maxSubscriptions } = parts;
  const { server: sdk } = server;
  sdk.setRequestHandler('resources/list', ({ params }, context) =>
    runner.list(server, context, 'resources/list', async (call) => {
      const visible = await access.visible('resource', await features.resources(), call);
      const lists = await Promise.all(
        visible.map(async ([, resource]) =>
          resource.template === undefined
            ? [listed(resource)]
            : ((await resource.list?.(call)) ?? []).map((item) => listedItem(resource, item)),
        ),
      );
      const { items, nextCursor } = page(lists.flat(), params?.cursor, pageSize);
      return { resources: items, ...(nextCursor === undefined ? undefined : { nextCursor }) };
    }),
  );
  sdk.setRequestHandler('resources/templates/list', ({ params }, context) =>
    runner.list(server, context, 'resources/templates/list', async (call) => {
      const visible = await access.visible('resource', await features.resources(), call);
      const templates = visible.flatMap(([, resource]) =>
        resource.template === undefined ? [] : [template(resource)],
      );
      const { items, nextCursor } = page(templates, params?.cursor, pageSize);
      return { resourceTemplates: items, ...(nextCursor === undefined ? undefined : { nextCursor }) };
    }),
  );
  sdk.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    runner.run(server, context, { method: 'resources/read', uri }, async (call) => {
      const found = await usableResource(parts, uri, call);
      if (found === undefined) throw new ResourceNotFoundError(uri);
      const { resource, variables } = found;
      const read = resource.input === undefined ? undefined : await readWithSchema(resource.input, variables);
      if (read?.issues !== undefined)
        throw invalidParams(`The variables of ${resource.uri} do not fit its schema: ${issuesText(read.issues)}`);
      try {
        // What the schema made of the variables is what `read` was typed with.
        const value = (read === undefined ? variables : read.value) as never;
        return await contents(await resource.read(value, { ...call, uri }), uri, resource.mimeType);
      } catch (error) {
        throw featureError(error, `Resource ${resource.name}`);
      }
    }),
  );
  sdk.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) =>
    runner.list(server, context, 'resources/subscribe', async (call) => {
      if ((await usableResource(parts, uri, call)) === undefined) throw new ResourceNotFoundError(uri);
      if (subscriptions.size >= maxSubscriptions && !subscriptions.has(uri))
        throw invalidParams(
          `At most ${maxSubscriptions} resources are watched at a time: unsubscribe from others first`,
        );
      subscriptions.add(uri);
      return {};
    }),
  );
  sdk.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.delete(uri);
    return {};
  });
}

function listed(resource: McpResourceDefinition): ListedResource {
  const { uri, size } = resource;
  return { uri, ...described(resource), ...(size === undefined ? undefined : { size }) };
}

function template(resource: McpResourceDefinition): ResourceTemplateType {
  return { uriTemplate: resource.uri, ...described(resource) };
}

function described(resource: McpResourceDefinition): Omit<ListedResource, 'uri'> {
  const { name, title, description, mimeType, annotations, icons, meta } = resource;
  return {
    name,
    ...(title === undefined ? undefined : { title }),
    ...(description === undefined ? undefined : { description }),
    ...(mimeType === undefined ? undefined : { mimeType }),
    ...(annotations === undefined ? undefined : { annotations }),
    ...(icons === undefined ? undefined : { icons: [...icons] }),
    ...(meta === undefined ? undefined : { _meta: { ...meta } }),
  };
}

function listedItem(resource: McpResourceDefinition, item: McpListedResource): ListedResource {
  const own = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
  const { mimeType, annotations, icons } = resource;
  return {
    ...(mimeType === undefined ? undefined : { mimeType }),
    ...(annotations === undefined ? undefined : { annotations }),
    ...(icons === undefined ? undefined : { icons: [...icons] }),
    ...own,
    uri: item.uri,
    name: item.name,
  };
}

async function contents(
  given: McpResourceReturn,
  uri: string,
  mimeType: string | undefined,
): Promise<ReadResourceResult> {
  if (given === undefined) throw new ResourceNotFoundError(uri);
  if (typeof given === 'string') return one({ uri, mimeType: mimeType ?? 'text/plain', text: given });
  if (given instanceof Uint8Array) return bytes(uri, given, mimeType ?? 'application/octet-stream');
  if (isReadResult(given)) return given;
  if (isMedia(given)) return one({ uri, mimeType: mimeType ?? given.mimeType, blob: mediaBase64(given) });
  if (isResource(given)) {
    const content = await given.bytes();
    const type = mimeType ?? given.mimeType ?? 'application/octet-stream';
    if (/^text\/|[/+](json|xml|yaml)\b/.test(type)) return one({ uri, mimeType: type, text: decodeText(content).text });
    return bytes(uri, content, type);
  }
  return one({ uri, mimeType: mimeType ?? 'application/json', text: JSON.stringify(given) });
}

function bytes(uri: string, content: Uint8Array, mimeType: string): ReadResourceResult {
  return one({ uri, mimeType, blob: mediaBase64(toMedia('application/octet-stream', content)) });
}

function one(content: ReadResourceResult['contents'][number]): ReadResourceResult {
  return { contents: [content] };
}

function isReadResult(given: object): given is ReadResourceResult {
  return isRecord(given) && Array.isArray(given['contents']);
}

function isMedia(given: object): given is Media {
  return isRecord(given) && typeof given['mimeType'] === 'string' && isRecord(given['source']);
}

function isResource(given: object): given is Resource {
  return typeof Reflect.get(given, 'bytes') === 'function';
}
