import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import {
  contentId,
  document,
  invalidArgument,
  resourceName,
  streamText,
  throwIfAborted,
  VernalError,
} from '@vernal/core';
import { requireEncoding, requireOptionNames, requireResource, sourceMetadata } from '@vernal/core/adapter';
import { collect } from '../reading/unit-documents.js';
import { checkRowOptions, type RowGroup, RowGroups, type RowOptions } from '../text/row-groups.js';
import { csvRows, LONGEST_ROW } from './csv-rows.js';

/** How rows become documents. Left out: a document for each row, `name: value` a line. */
export interface CsvReaderOptions extends RowOptions {
  /** Between fields. Default the one of comma, tab, semicolon and vertical bar that fits the first rows. */
  readonly delimiter?: string | undefined;
  /** A label of the WHATWG Encoding Standard. A byte order mark outweighs it. Default the charset of the MIME type, else 'utf-8'. */
  readonly encoding?: string | undefined;
  /** Added to each document; wins over the reader's own. */
  readonly metadata?: MetadataInput | undefined;
}

const DEFAULTS = { layout: 'records', headerRow: true, rowsPerDocument: 1 } as const;

/**
 * Reads comma-separated values and their kin. Rows are given as they are read, so that a file may have any length; the longest row is
 * 2,000,000 characters. Empty rows are left out.
 *
 * Metadata: `source`, `file_name`, `mime_type`, `unit` 'rows', `start_row` and `end_row` (from 1, the header is a row). Ids are made of
 * text and metadata.
 *
 * Source: Spring AI's `TikaDocumentReader`; RFC 4180.
 *
 * @throws VernalError `invalid_argument` for a bad option; `resource` with `details.reason` 'empty', 'undecodable', 'binary', or 'damaged'
 * for a quote that is never closed, with its row in `details.row`
 *
 * @example
 * const [rose] = await new CsvReader(bytesResource('name,price\nrose,5')).read(); // text 'name: rose\nprice: 5'
 */
export class CsvReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: CsvReaderOptions;

  constructor(resource: Resource, options: CsvReaderOptions = {}) {
    requireResource(resource);
    requireOptionNames(options, ['layout', 'headerRow', 'rowsPerDocument', 'delimiter', 'encoding', 'metadata']);
    requireEncoding(options.encoding);
    checkRowOptions(options);
    const { delimiter } = options;
    if (delimiter !== undefined && (delimiter.length !== 1 || /["\r\n]/.test(delimiter)))
      throw invalidArgument('delimiter', 'must be one character, and not a quote or a line end');
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  async *stream(options?: CallContext): AsyncGenerator<Document> {
    throwIfAborted(options?.signal);
    const { delimiter, encoding } = this.#options;
    const groups = new RowGroups(this.#options, DEFAULTS);
    let mimeType = 'text/csv';
    let number = 0;
    const pieces = streamText(this.#resource, { ...options, encoding });
    const onDelimiter = (found: string): void => {
      if (found === '\t') mimeType = 'text/tab-separated-values';
    };
    for await (const cells of csvRows(pieces, delimiter, onDelimiter, (row) =>
      this.#fault(
        'damaged',
        `has a row of more than ${LONGEST_ROW} characters: close its quote, or give the right delimiter`,
        { row },
      ),
    )) {
      throwIfAborted(options?.signal);
      const group = groups.add({ number: ++number, cells });
      if (group !== undefined) yield await this.#document(group, mimeType);
    }
    if (number === 0) throw this.#fault('empty', 'is empty', {});
    const last = groups.end();
    if (last !== undefined) yield await this.#document(last, mimeType);
  }

  async #document({ text, startRow, endRow }: RowGroup, mimeType: string): Promise<Document> {
    const metadata = {
      ...sourceMetadata(this.#resource),
      mime_type: mimeType,
      unit: 'rows',
      start_row: startRow,
      end_row: endRow,
      ...this.#options.metadata,
    };
    return document({ id: await contentId(text, metadata), text, metadata });
  }

  #fault(reason: string, fault: string, place: { readonly row?: number }): VernalError {
    const name = resourceName(this.#resource);
    return new VernalError(`${name} ${fault}`, { code: 'resource', subject: name, details: { reason, ...place } });
  }
}
