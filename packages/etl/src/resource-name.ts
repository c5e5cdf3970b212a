import type { MetadataInput, Resource } from '@vernal/core';
import { VernalError } from '@vernal/core';

/** What errors call a resource. */
export function resourceName(resource: Resource): string {
  return resource.filename ?? resource.uri ?? 'The resource';
}

/** `source` is the URI, which tells equal file names in different folders apart, else the file name; with a URI, `file_name` too. */
export function sourceMetadata(resource: Resource): MetadataInput {
  const { uri, filename } = resource;
  return uri === undefined ? { source: filename } : { source: uri, file_name: filename };
}

/** Refuses what untyped callers may pass. */
export function requireResource(resource: Resource): void {
  if (typeof resource?.bytes === 'function') return;
  throw new VernalError('resource: pass a Resource, made by bytesResource, urlResource or fileResource', {
    code: 'invalid_argument',
    subject: 'resource',
  });
}
