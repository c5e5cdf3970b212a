import {
  bytesResource,
  type CallContext,
  charsetOf,
  type Document,
  type DocumentReader,
  invalidArgument,
  joinBytes,
  type Resource,
  resourceName,
  resourcePieces,
  VernalError,
  withDocument,
} from '@vernal/core';
import { RequestTimeout, readBytes } from '@vernal/core/adapter';
import type { EmlReaderOptions } from '../eml/eml-reader.js';
import type { LegacyOfficeReaderOptions } from '../legacy/legacy-office-reader.js';
import { resolveLimits } from '../reading/office-limits.js';
import { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions } from '../reading/unit-documents.js';
import { builtInReader } from './built-in-readers.js';
import { detectType, HEAD_BYTES, isContainer } from './detect-mime-type.js';
import { HTML, JSON_LINES, JSON_TYPE, MARKDOWN, PDF } from './mime-types.js';
import { isChosen, type ReaderChoice } from './reader-choice.js';

/** Which readers there are beside those of this package, and what they are given. */
export interface AnyReaderOptions extends OfficeReaderOptions {
  /** Readers of other packages, and others for what this one reads; the first that fits is taken. Default none. */
  readonly readers?: readonly ReaderChoice[] | undefined;
  /** Reads what is attached to a mail, too; kinds of files that nobody reads are left out. Default false. */
  readonly includeAttachments?: boolean | undefined;
  /** Called for each attachment that cannot be read, which is then left out. Without it such an attachment is the error. */
  readonly onBadAttachment?: EmlReaderOptions['onBadAttachment'];
  /** Makes new files of those from before 2007. Default none: such a file is an error. */
  readonly convert?: LegacyOfficeReaderOptions['convert'];
  /** Milliseconds until all of a web address must be there. Default 60,000. */
  readonly urlTimeoutMs?: number | undefined;
}

/** Mails inside mails. */
const DEEPEST_ATTACHMENT = 5;
const URL_TIMEOUT_MS = 60_000;
const PACKAGES: Readonly<Record<string, string>> = {
  [PDF]: 'PagePdfDocumentReader of @vernal/readers-pdf',
  [HTML]: 'HtmlReader of @vernal/readers-html',
  [MARKDOWN]: 'MarkdownReader of @vernal/readers-markdown',
  [JSON_TYPE]: 'JsonReader of @vernal/etl',
  [JSON_LINES]: 'JsonReader of @vernal/etl',
};

/**
 * Reads whatever a resource turns out to be, by its content and not by its name: with the readers of this package, and with those of
 * others that it is given. Documents are those of the reader.
 *
 * Source: Spring AI's `TikaDocumentReader`.
 *
 * @throws VernalError `invalid_argument` for a bad option; `resource` with `details.reason` 'unsupported_format' and `details.mime_type` for
 * a kind of file that nobody reads; `timeout` for a web address that takes too long; what the reader throws
 *
 * @example
 * const html: ReaderChoice = { mimeTypes: ['text/html'], open: (file) => new HtmlReader(file) };
 * const { written } = await etl(new AnyReader(fileResource('inbox/1'), { readers: [html] })).write(vectorStore);
 */
export class AnyReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: AnyReaderOptions;
  /** Mails that it is attached to. */
  #depth = 0;

  constructor(resource: Resource, options: AnyReaderOptions = {}) {
    checkReader(resource, options, ['readers', 'includeAttachments', 'onBadAttachment', 'convert', 'urlTimeoutMs']);
    const { readers = [], urlTimeoutMs } = options;
    if (!readers.every((one) => Array.isArray(one?.mimeTypes) && typeof one.open === 'function'))
      throw invalidArgument('readers', 'must be a list of { mimeTypes, open }');
    if (urlTimeoutMs !== undefined && !(urlTimeoutMs > 0)) throw invalidArgument('urlTimeoutMs', 'must be above 0');
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** Reads the beginning, or all of an archive, and then what the reader of that kind reads. */
  async *stream(options?: CallContext): AsyncGenerator<Document> {
    const reading = new Reading(this.#resource, resolveLimits(this.#options.limits), options);
    reading.throwIfAborted();
    const { type, file } = await this.#sniff(reading, options);
    const chosen = this.#options.readers?.find((one) => isChosen(one, type));
    if (chosen !== undefined) {
      const { metadata } = this.#options;
      for await (const one of (await chosen.open(file)).stream(options)) {
        yield metadata === undefined ? one : withDocument(one, { metadata });
      }
      return;
    }
    const reader = builtInReader(type, file, { ...this.#options, attachments: this.#attachments() });
    if (reader === undefined) throw unsupported(type, reading);
    yield* reader.stream(options);
  }

  async #sniff(
    reading: Reading,
    context: CallContext | undefined,
  ): Promise<{ readonly type: string; readonly file: Resource }> {
    const resource = this.#resource;
    const isRemote = /^https?:/i.test(resource.uri ?? '');
    let bytes: Uint8Array | undefined;
    if (isRemote) bytes = await this.#fetched(reading, context);
    else if (resource.stream === undefined) bytes = await readBytes(resource, reading.limits.maxFileBytes, context);
    const head = bytes ?? (await headOf(resource, context));
    if (head.length === 0) throw reading.fault('empty', 'is empty');
    if (bytes === undefined && isContainer(head))
      bytes = await readBytes(resource, reading.limits.maxFileBytes, context);
    // Asked now: that of a web address knows its type once its bytes came.
    const { filename, mimeType } = resource;
    const content = bytes ?? head;
    const isWhole = content.length <= HEAD_BYTES && (bytes !== undefined || head.length < HEAD_BYTES);
    const type = await detectType(content, isWhole, { filename, mimeType }, reading);
    if (type === undefined) throw reading.fault('unsupported_format', 'is of a kind that is not known');
    return { type, file: bytes === undefined ? retyped(resource, type) : held(resource, bytes, type) };
  }

  async #fetched(reading: Reading, context: CallContext | undefined): Promise<Uint8Array> {
    const ms = this.#options.urlTimeoutMs ?? URL_TIMEOUT_MS;
    const timeout = new RequestTimeout(ms, context?.signal);
    try {
      const { maxFileBytes } = reading.limits;
      return await timeout.within(readBytes(this.#resource, maxFileBytes, { ...context, signal: timeout.signal }));
    } catch (error) {
      reading.throwIfAborted();
      if (!timeout.late) throw error;
      const name = resourceName(this.#resource);
      throw new VernalError(`${name} was not there within ${ms} ms; raise urlTimeoutMs`, {
        code: 'timeout',
        subject: name,
        retryable: true,
      });
    } finally {
      timeout.stop();
    }
  }

  #attachments(): EmlReaderOptions['attachments'] {
    if (this.#options.includeAttachments !== true || this.#depth >= DEEPEST_ATTACHMENT) return undefined;
    return (file) => {
      const inner = new AnyReader(file, { ...this.#options, metadata: undefined });
      inner.#depth = this.#depth + 1;
      return knownOnly(inner);
    };
  }
}

/** Leaves out kinds of files that nobody reads: most mails have a picture. */
function knownOnly(reader: DocumentReader): DocumentReader {
  const stream = async function* (options?: CallContext): AsyncGenerator<Document> {
    try {
      yield* reader.stream(options);
    } catch (error) {
      if (!VernalError.is(error) || error.details['reason'] !== 'unsupported_format') throw error;
    }
  };
  return { stream, read: (options) => collect(stream(options)) };
}

/** The first bytes; the rest is not read. */
async function headOf(resource: Resource, context: CallContext | undefined): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of resourcePieces(resource, context)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= HEAD_BYTES) break;
  }
  return joinBytes(pieces);
}

/** What was read already need not be read again. */
function held({ uri, filename, mimeType }: Resource, bytes: Uint8Array, type: string): Resource {
  return bytesResource(bytes, { uri, filename, mimeType: typeWithCharset(type, mimeType) });
}

function retyped(resource: Resource, type: string): Resource {
  const { uri, filename, mimeType, stream } = resource;
  return {
    ...(uri !== undefined && { uri }),
    ...(filename !== undefined && { filename }),
    mimeType: typeWithCharset(type, mimeType),
    bytes: (context) => resource.bytes(context),
    ...(stream !== undefined && { stream: (context?: CallContext) => stream.call(resource, context) }),
  };
}

function typeWithCharset(type: string, declared: string | undefined): string {
  const charset = charsetOf(declared);
  return charset === undefined ? type : `${type}; charset=${charset}`;
}

function unsupported(type: string, reading: Reading): VernalError {
  const reader = Object.hasOwn(PACKAGES, type) ? PACKAGES[type] : undefined;
  const fix = `pass readers: [{ mimeTypes: ['${type}'], open: (file) => … }]${reader === undefined ? '' : ` with ${reader}`}`;
  return reading.fault('unsupported_format', `is ${type}, for which there is no reader; ${fix}`, { mime_type: type });
}
