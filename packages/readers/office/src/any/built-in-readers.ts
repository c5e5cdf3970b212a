import type { DocumentReader, Resource } from '@vernal/core';
import { CsvReader } from '../csv/csv-reader.js';
import { DocxReader } from '../docx/docx-reader.js';
import { EmlReader, type EmlReaderOptions } from '../eml/eml-reader.js';
import { EpubReader } from '../epub/epub-reader.js';
import { LegacyOfficeReader, type LegacyOfficeReaderOptions } from '../legacy/legacy-office-reader.js';
import { OdpReader } from '../odf/odp-reader.js';
import { OdsReader } from '../odf/ods-reader.js';
import { OdtReader } from '../odf/odt-reader.js';
import { PptxReader } from '../pptx/pptx-reader.js';
import type { OfficeReaderOptions } from '../reading/unit-documents.js';
import { RtfReader } from '../rtf/rtf-reader.js';
import { XlsxReader } from '../xlsx/xlsx-reader.js';
import * as types from './mime-types.js';
import { PlainTextReader } from './plain-text-reader.js';

/** What the readers of this package are given by `readAny`. */
export interface BuiltInOptions extends OfficeReaderOptions {
  readonly convert?: LegacyOfficeReaderOptions['convert'];
  readonly attachments?: EmlReaderOptions['attachments'];
  readonly onBadAttachment?: EmlReaderOptions['onBadAttachment'];
}

/** The reader of this package for a type, with its defaults; undefined when there is none. */
export function builtInReader(type: string, file: Resource, options: BuiltInOptions): DocumentReader | undefined {
  const { metadata, limits, convert, attachments, onBadAttachment } = options;
  const common = { metadata, limits };
  switch (type) {
    case types.DOCX:
      return new DocxReader(file, common);
    case types.PPTX:
      return new PptxReader(file, common);
    case types.XLSX:
    case types.XLSB:
      return new XlsxReader(file, common);
    case types.ODT:
      return new OdtReader(file, common);
    case types.ODP:
      return new OdpReader(file, common);
    case types.ODS:
      return new OdsReader(file, common);
    case types.EPUB:
      return new EpubReader(file, common);
    case types.RTF:
      return new RtfReader(file, common);
    case types.EML:
      return new EmlReader(file, { ...common, attachments, onBadAttachment });
    case types.CSV:
    case types.TSV:
      return new CsvReader(file, { metadata });
    case types.DOC:
    case types.PPT:
    case types.XLS:
      return new LegacyOfficeReader(file, { ...common, convert });
    case types.PLAIN:
      return new PlainTextReader(file, common);
    default:
      return undefined;
  }
}
