import { MAX_URI_LENGTH } from './bounded-template.js';
import type { ServerParts } from './build-server.js';
import type { McpCallContext } from './mcp-exchange.js';
import type { McpResourceDefinition } from './mcp-resource.js';

/** A resource at an address, with the template's variables, decoded. */
export interface FoundResource {
  readonly resource: McpResourceDefinition;
  readonly variables: Readonly<Record<string, string | readonly string[]>>;
}

/** A fixed address wins, then the first template that fits. */
export function findResource(
  resources: ReadonlyMap<string, McpResourceDefinition>,
  uri: string,
): FoundResource | undefined {
  const fixed = resources.get(uri);
  if (fixed !== undefined && fixed.template === undefined) return { resource: fixed, variables: {} };
  for (const resource of resources.values()) {
    const variables = matched(resource, uri);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}

/** What a caller may use at an address; undefined: to this caller there is nothing. Throws for a caller over HTTP who lacks scopes. */
export async function usableResource(
  { features, access }: Pick<ServerParts, 'features' | 'access'>,
  uri: string,
  call: McpCallContext,
): Promise<FoundResource | undefined> {
  if (uri.length > MAX_URI_LENGTH) return undefined;
  const found = findResource(await features.resources(), uri);
  if (found === undefined) return undefined;
  const { uri: name, scopes } = found.resource;
  return (await access.mayUse('resource', name, scopes, call)) ? found : undefined;
}

function matched(resource: McpResourceDefinition, uri: string): FoundResource['variables'] | undefined {
  try {
    const match = resource.template?.match(uri);
    if (match === null || match === undefined) return undefined;
    return Object.fromEntries(
      Object.entries(match).map(([name, value]) => [
        name,
        typeof value === 'string' ? decodeURIComponent(value) : value.map(decodeURIComponent),
      ]),
    );
  } catch {
    // Longer than a URI may be, or escapes that are none: it fits nothing.
    return undefined;
  }
}
