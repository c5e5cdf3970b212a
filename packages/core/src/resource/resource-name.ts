import type { Resource } from './resource.js';

/** What errors call a resource: its file name, else its URI. */
export function resourceName(resource: Pick<Resource, 'uri' | 'filename'> | undefined): string {
  return resource?.filename ?? resource?.uri ?? 'The resource';
}
