import { invalidArgument, type MetadataInput, type Resource } from '@vernal/core';

/**
 * Where a reader's documents come from. `source` is the URI, which tells equal file names in different folders apart, else the file name;
 * beside a URI there is `file_name`, too.
 */
export function sourceMetadata({ uri, filename }: Pick<Resource, 'uri' | 'filename'>): MetadataInput {
  return uri === undefined ? { source: filename } : { source: uri, file_name: filename };
}

/**
 * For the constructors of readers: refuses what untyped callers may pass in place of a resource, a path above all.
 *
 * @throws VernalError `invalid_argument` with subject 'resource'
 */
export function requireResource(resource: Resource): void {
  if (typeof resource?.bytes === 'function') return;
  throw invalidArgument('resource', 'pass a Resource, made by bytesResource, urlResource or fileResource');
}
