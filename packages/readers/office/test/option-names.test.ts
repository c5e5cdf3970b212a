import { bytesResource, type DocumentReader, type Resource } from '@vernal/core';
import * as office from '@vernal/readers-office';
import { expect, it } from 'vitest';

type ReaderClass = new (resource: Resource, options: never) => DocumentReader;

it.each<[string, ReaderClass, object]>([
  ['AnyReader', office.AnyReader, { readers: [], includeAttachments: true, urlTimeoutMs: 1 }],
  [
    'CsvReader',
    office.CsvReader,
    { layout: 'rows', headerRow: true, rowsPerDocument: 2, delimiter: ';', encoding: 'utf-8' },
  ],
  [
    'DocxReader',
    office.DocxReader,
    { splitByHeadings: true, includeNotes: true, includeHeadersAndFooters: true, includeLinkUrls: true, limits: {} },
  ],
  [
    'EmlReader',
    office.EmlReader,
    { attachments: () => undefined, onBadAttachment: () => {}, includeLinkUrls: true, limits: {} },
  ],
  ['EpubReader', office.EpubReader, { includeLinkUrls: true, limits: {} }],
  ['LegacyOfficeReader', office.LegacyOfficeReader, { convert: async () => new Uint8Array(), limits: {} }],
  ['OdpReader', office.OdpReader, { includeNotes: true, includeHidden: true, includeLinkUrls: true, limits: {} }],
  [
    'OdsReader',
    office.OdsReader,
    {
      layout: 'rows',
      headerRow: true,
      rowsPerDocument: 2,
      dates: 'iso',
      sheets: ['a'],
      includeHidden: true,
      limits: {},
    },
  ],
  ['OdtReader', office.OdtReader, { splitByHeadings: true, includeNotes: true, includeLinkUrls: true, limits: {} }],
  ['PptxReader', office.PptxReader, { includeNotes: true, includeHidden: true, includeLinkUrls: true, limits: {} }],
  ['RtfReader', office.RtfReader, { splitByHeadings: true, includeNotes: true, includeLinkUrls: true, limits: {} }],
  [
    'XlsxReader',
    office.XlsxReader,
    {
      layout: 'rows',
      headerRow: true,
      rowsPerDocument: 2,
      dates: 'iso',
      sheets: ['a'],
      includeHidden: true,
      limits: {},
    },
  ],
])('%s takes its options, and refuses a name that is none', (_, Reader, options) => {
  const resource = bytesResource('');
  expect(new Reader(resource, { ...options, metadata: { a: 1 } } as never)).toBeInstanceOf(Reader);
  expect(() => new Reader(resource, { ...options, metdata: { a: 1 } } as never)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject: 'metdata' }),
  );
});
