import {
  bytesResource,
  type CallContext,
  type Document,
  type DocumentReader,
  invalidArgument,
  type Resource,
} from '@vernal/core';
import { readBytes, sourceMetadata } from '@vernal/core/adapter';
import { DOC, PPT, XLS } from '../any/mime-types.js';
import { DocxReader } from '../docx/docx-reader.js';
import { PptxReader } from '../pptx/pptx-reader.js';
import { resolveLimits } from '../reading/office-limits.js';
import { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions } from '../reading/unit-documents.js';
import { XlsxReader } from '../xlsx/xlsx-reader.js';
import { isOle } from './ole-directory.js';
import { oleType } from './ole-type.js';

/** A file in a format of before 2007. */
export interface LegacyFile {
  readonly format: 'doc' | 'ppt' | 'xls';
  readonly bytes: Uint8Array;
  readonly filename: string | undefined;
}

/** How an old file becomes one that can be read. */
export interface LegacyOfficeReaderOptions extends OfficeReaderOptions {
  /** Makes .docx of .doc, .pptx of .ppt and .xlsx of .xls; gives the bytes of the new file. Default none: such a file is an error. */
  readonly convert?: ((file: LegacyFile, context?: CallContext) => Promise<Uint8Array>) | undefined;
}

type Format = LegacyFile['format'];

const FORMATS: Readonly<Record<string, Format>> = { [DOC]: 'doc', [PPT]: 'ppt', [XLS]: 'xls' };
const TYPES: Readonly<Record<Format, string>> = { doc: DOC, ppt: PPT, xls: XLS };

/**
 * Reads files of Word, PowerPoint and Excel from before 2007 (.doc, .ppt, .xls) by way of a converter, such as LibreOffice: no library that
 * is kept reads them. Documents and metadata are those of the reader of the new format, with `mime_type` of the old one.
 *
 * Source: Spring AI's `TikaDocumentReader`.
 *
 * @throws VernalError `resource` with `details.reason` 'unsupported_format' without a converter, with the conversion in the message;
 * 'wrong_type', 'encrypted', 'empty', 'too_large'; what the converter throws
 *
 * @example
 * const reader = new LegacyOfficeReader(fileResource('old.doc'), { convert: ({ format, bytes }) => withLibreOffice(format, bytes) });
 */
export class LegacyOfficeReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: LegacyOfficeReaderOptions;

  constructor(resource: Resource, options: LegacyOfficeReaderOptions = {}) {
    checkReader(resource, options, ['convert']);
    if (options.convert !== undefined && typeof options.convert !== 'function')
      throw invalidArgument('convert', 'must be a function');
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  async *stream(options?: CallContext): AsyncGenerator<Document> {
    const { convert, limits, metadata } = this.#options;
    const reading = new Reading(this.#resource, resolveLimits(limits), options);
    const bytes = await readBytes(this.#resource, reading.limits.maxFileBytes, options);
    if (bytes.length === 0) throw reading.fault('empty', 'is empty');
    const format = isOle(bytes) ? FORMATS[oleType(bytes, reading)] : undefined;
    if (format === undefined)
      throw reading.fault(
        'wrong_type',
        'is no file of Office from before 2007; use readAny, which looks at the content',
      );
    if (convert === undefined) {
      const fault =
        `is in the old .${format} format, which is not read here: save it as .${format}x in Office, ` +
        `run "soffice --headless --convert-to ${format}x", or pass convert`;
      throw reading.fault('unsupported_format', fault, { mime_type: TYPES[format] });
    }
    const converted = await convert({ format, bytes, filename: this.#resource.filename }, options);
    reading.throwIfAborted();
    const { uri, filename } = this.#resource;
    const file = bytesResource(converted, { uri, filename });
    const added = { ...sourceMetadata(this.#resource), mime_type: TYPES[format], ...metadata };
    yield* readerOf(format, file, { metadata: added, limits }).stream(options);
  }
}

function readerOf(format: Format, file: Resource, options: OfficeReaderOptions): DocumentReader {
  if (format === 'doc') return new DocxReader(file, options);
  return format === 'ppt' ? new PptxReader(file, options) : new XlsxReader(file, options);
}
