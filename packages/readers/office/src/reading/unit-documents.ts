import { type CallContext, type Document, document, type Media, type MetadataInput, type Resource } from '@vernal/core';
import { partIds, readBytes, requireOptionNames, requireResource, sourceMetadata } from '@vernal/core/adapter';
import { type OfficeLimits, type ResolvedLimits, resolveLimits } from './office-limits.js';
import { Reading } from './reading.js';

/** What every reader of this package takes. */
export interface OfficeReaderOptions {
  /** Added to each document; wins over the reader's own. */
  readonly metadata?: MetadataInput | undefined;
  /** How much of a file is read before it is refused. */
  readonly limits?: OfficeLimits | undefined;
}

/** A natural part of a file, which becomes a document: a section, a slide, a sheet, a chapter. Text or media. */
export interface Unit {
  readonly text?: string | undefined;
  readonly media?: Media | undefined;
  readonly metadata: MetadataInput;
}

/** How a reader turns bytes into units; `mimeType` is what it says of its files. */
export interface UnitSource {
  readonly mimeType: string;
  units(bytes: Uint8Array, reading: Reading): AsyncIterable<Unit>;
}

/** For the constructors: refuses what untyped callers may pass. `names` are the options that the reader has beside those of all. */
export function checkReader<T extends OfficeReaderOptions>(
  resource: Resource,
  options: T,
  names: readonly (Exclude<keyof T, keyof OfficeReaderOptions> & string)[],
): ResolvedLimits {
  requireResource(resource);
  requireOptionNames<T>(options, [...names, 'metadata', 'limits']);
  return resolveLimits(options.limits);
}

/** The documents of a file, one for each unit; ids are made of bytes, source and options. */
export async function* unitDocuments(
  resource: Resource,
  options: OfficeReaderOptions,
  context: CallContext | undefined,
  { mimeType, units }: UnitSource,
): AsyncGenerator<Document> {
  const reading = new Reading(resource, resolveLimits(options.limits), context);
  const bytes = await readBytes(resource, reading.limits.maxFileBytes, context);
  if (bytes.length === 0) throw reading.fault('empty', 'is empty');
  const source = sourceMetadata(resource);
  const idOf = await partIds(bytes, { ...source, options: plainOptions(options) });
  let index = 0;
  try {
    for await (const unit of units(bytes, reading)) {
      reading.throwIfAborted();
      const metadata = { ...source, mime_type: mimeType, ...unit.metadata, ...options.metadata };
      yield document({ id: idOf(index++), text: unit.text, media: unit.media, metadata });
    }
  } catch (error) {
    // A limit that was raised beyond what the platform can hold in one text.
    if (error instanceof RangeError) throw reading.tooLarge('maxTextLength', 'gives too much text');
    throw error;
  }
}

/** Functions among the options have no part in an id. */
function plainOptions(options: object): MetadataInput {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== 'function'));
}

/** `read()` is `stream()` to its end. */
export async function collect(documents: AsyncIterable<Document>): Promise<Document[]> {
  const all: Document[] = [];
  for await (const one of documents) all.push(one);
  return all;
}
