import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type Unit, unitDocuments } from '../reading/unit-documents.js';
import { checkSheetOptions, isWanted, type SheetReaderOptions, SheetUnits } from '../text/sheet-units.js';
import { OdfContent } from './odf-content.js';
import { OdfPackage } from './odf-package.js';
import { OdsSheets } from './ods-sheets.js';

/**
 * Reads OpenDocument spreadsheets (.ods, .ots) as `XlsxReader` reads those of Excel, with the same metadata.
 *
 * Source: Spring AI's `TikaDocumentReader`; OpenDocument 1.3.
 *
 * @throws VernalError as `DocxReader` does
 *
 * @example
 * const [prices] = await new OdsReader(fileResource('prices.ods'), { sheets: ['Prices'] }).read();
 */
export class OdsReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: SheetReaderOptions;

  constructor(resource: Resource, options: SheetReaderOptions = {}) {
    checkReader(resource, options, ['layout', 'headerRow', 'rowsPerDocument', 'dates', 'sheets', 'includeHidden']);
    checkSheetOptions(options);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** With `rowsPerDocument` no more rows than these are kept. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/vnd.oasis.opendocument.spreadsheet',
      units: (bytes, reading) => odsUnits(bytes, reading, this.#options),
    });
  }
}

async function* odsUnits(bytes: Uint8Array, reading: Reading, options: SheetReaderOptions): AsyncGenerator<Unit> {
  const file = new OdfPackage(bytes, reading);
  await file.open('spreadsheet');
  const properties = await file.properties();
  const found = new OdsSheets(reading, file.styles, options.dates ?? 'iso');
  let current: SheetUnits | undefined;
  for await (const item of file.content(new OdfContent(file.styles, found), found.items)) {
    if ('row' in item) {
      if (current !== undefined) yield* current.add(item.row);
      continue;
    }
    if (current !== undefined) yield* current.end();
    const { sheet } = item;
    current = isWanted(options, sheet.name, sheet.isHidden) ? new SheetUnits(sheet, options, properties) : undefined;
  }
  if (current !== undefined) yield* current.end();
}
