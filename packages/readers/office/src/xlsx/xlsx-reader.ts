import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import { coreProperties } from '../ooxml/core-properties.js';
import { OoxmlPackage, type Relationship } from '../ooxml/ooxml-package.js';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type Unit, unitDocuments } from '../reading/unit-documents.js';
import type { SheetRow } from '../text/row-groups.js';
import { checkSheetOptions, isWanted, type SheetReaderOptions, SheetUnits } from '../text/sheet-units.js';
import { readXml, xmlItems } from '../xml/xml-items.js';
import { attribute, relationshipId } from '../xml/xml-names.js';
import { childOf, childrenOf, type XmlElement } from '../xml/xml-tree.js';
import { CellFormats } from './cell-formats.js';
import { MergedCells } from './merged-cells.js';
import { SharedStrings } from './shared-strings.js';
import { SheetRows } from './sheet-rows.js';

/**
 * Reads Excel workbooks (.xlsx, .xlsm, .xltx), sheet by sheet and row by row. Numbers are as their cells show them, dates by option; of a
 * formula its last result, or itself when nobody has calculated it. A cell merged over several rows is repeated in each. Left out: charts,
 * comments, pictures, pivot definitions.
 *
 * Metadata: `source`, `file_name`, `mime_type`, `unit` 'sheet', `title` and `sheet` (its name), `sheet_number`, `start_row` and `end_row`
 * (as in the sheet, without the header), `hidden`, and `document_title`, `author`, `created`, `modified` … of the file.
 *
 * Source: Spring AI's `TikaDocumentReader`; ECMA-376.
 *
 * @throws VernalError as `DocxReader` does
 *
 * @example
 * const reader = new XlsxReader(fileResource('prices.xlsx'), { layout: 'records', rowsPerDocument: 20 });
 */
export class XlsxReader implements DocumentReader {
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

  /** With `rowsPerDocument` no more rows than these are kept; strings that cells share are kept in any case. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      units: (bytes, reading) => xlsxUnits(bytes, reading, this.#options),
    });
  }
}

async function* xlsxUnits(bytes: Uint8Array, reading: Reading, options: SheetReaderOptions): AsyncGenerator<Unit> {
  const file = new OoxmlPackage(bytes, reading);
  const main = await file.mainPart('workbook', 'xl/workbook.xml');
  const workbook = await file.tree(main);
  const properties = await coreProperties(file);
  const related = await file.relationships(main);
  const partOf = (type: string): string | undefined =>
    related.find((one) => one.type === type && file.archive.has(one.target))?.target;
  const strings = await sharedStrings(file, partOf('sharedStrings'), reading);
  const styles = partOf('styles');
  // Who reads no workbooks does not load it.
  const numfmt = await import('numfmt');
  const formats = new CellFormats(
    numfmt,
    styles === undefined ? undefined : await file.tree(styles),
    countsFrom1904(workbook),
    options.dates ?? 'iso',
  );
  let number = 0;
  for (const { attributes } of childrenOf(childOf(workbook, 'sheets'), 'sheet')) {
    number++;
    const name = attribute(attributes, 'name') ?? '';
    const isHidden = (attribute(attributes, 'state') ?? 'visible') !== 'visible';
    const part = worksheetOf(related, relationshipId(attributes));
    if (part === undefined || !file.archive.has(part) || !isWanted(options, name, isHidden)) continue;
    const sheet = new SheetUnits({ name, number, isHidden }, options, properties);
    for await (const row of rowsOf(part)) yield* sheet.add(row);
    yield* sheet.end();
  }

  async function* rowsOf(part: string): AsyncGenerator<SheetRow> {
    const merged = await MergedCells.in(file.archive.chunks(part, false), reading);
    const sheet = new SheetRows(reading, strings, formats, merged);
    yield* xmlItems(reading, { name: part, chunks: file.archive.chunks(part) }, sheet, sheet.rows);
  }
}

async function sharedStrings(
  file: OoxmlPackage,
  part: string | undefined,
  reading: Reading,
): Promise<readonly string[]> {
  if (part === undefined) return [];
  const strings = new SharedStrings(reading, part);
  await readXml(reading, { name: part, chunks: file.archive.chunks(part) }, strings);
  return strings.texts;
}

/** A sheet of charts or dialogs has no rows. */
function worksheetOf(related: readonly Relationship[], id: string | undefined): string | undefined {
  return related.find((one) => one.id === id && one.type === 'worksheet')?.target;
}

function countsFrom1904(workbook: XmlElement): boolean {
  const properties = childOf(workbook, 'workbookPr');
  return ['1', 'true'].includes(attribute(properties?.attributes ?? {}, 'date1904') ?? '0');
}
