import {
  bytesResource,
  type CallContext,
  type Document,
  invalidArgument,
  type Resource,
  type UrlResourceOptions,
  urlResource,
  VernalError,
} from '@vernal/core';
import { AnyReader, type AnyReaderOptions } from './any-reader.js';

/** A path or an address as text, an address, bytes, or a resource. */
export type ReadAnyInput = string | URL | Uint8Array | Resource;

/** Where inputs come from, beside what `AnyReader` takes. */
export interface ReadAnyOptions extends AnyReaderOptions, CallContext {
  /** Makes the resource of a path or a `file:` URL: `fileResource` of `@vernal/node`. Default none: paths are an error. */
  readonly file?: ((path: string | URL) => Resource) | undefined;
  /** How web addresses are fetched: size, headers, private addresses. Redirects are 10 at most. */
  readonly url?: UrlResourceOptions | undefined;
  /** The name of bytes, for errors and metadata. */
  readonly filename?: string | undefined;
  /** Called for each input that cannot be read; the others go on. Without it such an input is the error. */
  readonly onError?: ((error: VernalError, input: ReadAnyInput) => void) | undefined;
}

/**
 * The documents of one input or of several, each read by what it is and not by its name. A stream: nothing is read before it is iterated,
 * leaving it closes what was opened.
 *
 * Source: Spring AI's `TikaDocumentReader`.
 *
 * @throws VernalError `invalid_argument` for a bad option, or for a path without `file`; what `AnyReader` throws, unless `onError` is given
 *
 * @example
 * for await (const document of readAny(['handbook.docx', 'https://example.com/prices.xlsx'], { file: fileResource })) use(document);
 */
export async function* readAny(
  input: ReadAnyInput | readonly ReadAnyInput[],
  options: ReadAnyOptions = {},
): AsyncGenerator<Document> {
  const { file, url, filename, onError, signal, ...readerOptions } = options;
  for (const one of Array.isArray(input) ? (input as readonly ReadAnyInput[]) : [input as ReadAnyInput]) {
    try {
      const resource = resourceOf(one, { file, url, filename });
      yield* new AnyReader(resource, readerOptions).stream({ signal });
    } catch (error) {
      if (onError === undefined || signal?.aborted || !VernalError.is(error)) throw error;
      onError(error, one);
    }
  }
}

function resourceOf(
  input: ReadAnyInput,
  { file, url, filename }: Pick<ReadAnyOptions, 'file' | 'url' | 'filename'>,
): Resource {
  if (input instanceof Uint8Array) return bytesResource(input, { filename });
  if (typeof input === 'object' && 'bytes' in input && typeof input.bytes === 'function') return input;
  if (typeof input !== 'string' && !(input instanceof URL))
    throw invalidArgument('input', 'must be a path, a URL, bytes or a Resource');
  if (/^https?:/i.test(String(input))) return urlResource(input, url);
  if (file === undefined)
    throw invalidArgument('input', 'is a path: pass file: fileResource, which is in @vernal/node');
  return file(typeof input === 'string' && /^file:/i.test(input) ? new URL(input) : input);
}
