import type { CallContext, DocumentReader, Resource } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { resourceVersion } from './resource-version.js';

/** What is ingested, and deleted, as a whole: a file, a page, a row. */
export interface IngestSource {
  /** Names it for good, and nothing else: a path below the folder, an address, a key. */
  readonly id: string;
  /** Changes when the content does: a hash, an ETag, a number. Asked in every run; documents are read only when it is another one. */
  version(context?: CallContext): Promise<string> | string;
  /** Gives the same documents in the same order as long as the version is the same. */
  readonly reader: Pick<DocumentReader, 'stream'>;
}

/** What the resource does not say itself. */
export interface ResourceSourceOptions {
  /** Default the resource's URI, else its file name. */
  readonly id?: string | undefined;
}

/**
 * A resource as a source: its version is a hash of its bytes, which are read for that, but not parsed, split or embedded.
 *
 * @throws VernalError `invalid_argument` when neither the resource nor the options name it
 * @example
 * ```ts
 * const resource = fileResource('handbook/leave.md');
 * resourceSource(resource, new MarkdownReader(resource), { id: 'leave.md' });
 * ```
 */
export function resourceSource(
  resource: Resource,
  reader: Pick<DocumentReader, 'stream'>,
  options: ResourceSourceOptions = {},
): IngestSource {
  const id = options.id ?? resource.uri ?? resource.filename;
  if (typeof id !== 'string' || id === '') throw invalidArgument('id', 'name the source, as its resource has no name');
  return { id, version: (context) => resourceVersion(resource, context), reader };
}
