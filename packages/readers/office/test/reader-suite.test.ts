import type { Resource } from '@vernal/core';
import { bytesResource } from '@vernal/core';
import {
  AnyReader,
  CsvReader,
  DocxReader,
  EmlReader,
  EpubReader,
  LegacyOfficeReader,
  OdpReader,
  OdsReader,
  OdtReader,
  PptxReader,
  RtfReader,
  XlsxReader,
} from '@vernal/readers-office';
import type { HostileSample } from '@vernal/testing';
import { describeReader, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { epub } from './support/epub.js';
import { fixture, fixtureBytes } from './support/fixture.js';

const runner = vitestRunner(vitest);
const limits = { maxFileBytes: 10_000 };
const cut = (name: string, length: number): Resource =>
  bytesResource(fixtureBytes(name).subarray(0, length), { filename: name });

/** What no reader of the package may choke on. */
function hostile(name: string): HostileSample[] {
  return [
    { name: 'nothing', resource: bytesResource('', { filename: name }) },
    { name: 'text', resource: bytesResource('Hello', { filename: name }) },
    {
      name: 'a picture',
      resource: bytesResource(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), { filename: name }),
    },
    { name: 'half of it', resource: cut(name, fixtureBytes(name).length / 2) },
    { name: 'its end alone', resource: bytesResource(fixtureBytes(name).slice(-100), { filename: name }) },
    { name: 'no end', resource: cut(name, fixtureBytes(name).length - 1) },
  ];
}

describeReader('DocxReader', (resource) => ({ subject: new DocxReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new DocxReader(resource, { limits }) }),
  samples: [
    {
      name: 'a handbook',
      resource: fixture('garden.docx'),
      text: ['Before any heading.', 'They are red', '- water', 'EU | Moss | 7', 'Prices of 2024.', '2. wait', 'Empty'],
      documents: 5,
      metadata: { source: 'garden.docx', document_title: 'Garden handbook', unit: 'section' },
    },
  ],
  hostile: hostile('garden.docx'),
});

describeReader('CsvReader', (resource) => ({ subject: new CsvReader(resource) }), {
  runner,
  samples: [
    {
      name: 'prices',
      resource: bytesResource('flower;price\nrose;5 €\nrose;5 €\n', { filename: 'prices.csv' }),
      text: ['flower: rose', 'price: 5 €', 'flower: rose'],
      documents: 2,
      metadata: { source: 'prices.csv', mime_type: 'text/csv' },
    },
  ],
  hostile: [
    { name: 'nothing', resource: bytesResource('') },
    { name: 'a quote', resource: bytesResource('"') },
    { name: 'quotes', resource: bytesResource('"'.repeat(99_999)) },
    { name: 'delimiters', resource: bytesResource(','.repeat(99_999)) },
    { name: 'line ends', resource: bytesResource('\r'.repeat(99_999)) },
    { name: 'bytes of no encoding', resource: bytesResource(new Uint8Array([0xff, 0xc0, 0x80, 0xfe])) },
  ],
});

describeReader('XlsxReader', (resource) => ({ subject: new XlsxReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new XlsxReader(resource, { limits }) }),
  samples: [
    {
      name: 'prices',
      resource: fixture('prices.xlsx'),
      text: ['Region\tFlower', '1,234.50\t2024-05-01\t25%', 'Tulip & co', 'hidden sheet'],
      documents: 2,
      metadata: { source: 'prices.xlsx', document_title: 'Price list', unit: 'sheet' },
    },
  ],
  hostile: hostile('prices.xlsx'),
});

describeReader('PptxReader', (resource) => ({ subject: new PptxReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new PptxReader(resource, { limits }) }),
  samples: [
    {
      name: 'a talk',
      resource: fixture('talk.pptx'),
      text: ['Roses', '- water', 'Notes: Say hello first.', 'Tea | 5 €', 'Not shown'],
      documents: 3,
      metadata: { source: 'talk.pptx', document_title: 'Roses in spring', unit: 'slide' },
    },
  ],
  hostile: hostile('talk.pptx'),
});

describeReader('EmlReader', (resource) => ({ subject: new EmlReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new EmlReader(resource, { limits }) }),
  samples: [
    {
      name: 'a mail',
      resource: bytesResource('From: a@b.invalid\r\nSubject: Roses\r\n\r\nThey are red.\r\nGood bye.\r\n', {
        filename: 'a.eml',
      }),
      text: ['They are red.', 'Good bye.'],
      documents: 1,
      metadata: { source: 'a.eml', title: 'Roses', from: 'a@b.invalid', unit: 'message' },
    },
  ],
  hostile: [
    { name: 'nothing', resource: bytesResource('') },
    {
      name: 'a boundary that never ends',
      resource: bytesResource('From: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n'),
    },
    { name: 'half a header', resource: bytesResource('Subject: =?utf-8?q?=C3') },
    { name: 'bytes of no encoding', resource: bytesResource(new Uint8Array([0xff, 0xc0, 0x80, 0xfe])) },
  ],
});

describeReader('OdtReader', (resource) => ({ subject: new OdtReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new OdtReader(resource, { limits }) }),
  samples: [
    {
      name: 'a handbook',
      resource: fixture('garden.odt'),
      text: ['Before any heading.', 'They are red', '- water', 'EU | Moss | 7', 'Prices of 2024.', '2. wait', 'Empty'],
      documents: 5,
      metadata: { source: 'garden.odt', document_title: 'Garden handbook', unit: 'section' },
    },
  ],
  hostile: hostile('garden.odt'),
});

describeReader('OdpReader', (resource) => ({ subject: new OdpReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new OdpReader(resource, { limits }) }),
  samples: [
    {
      name: 'a talk',
      resource: fixture('talk.odp'),
      text: ['Roses', '- water', 'Notes: Say hello first.', 'Tea | 5 €', 'Not shown'],
      documents: 3,
      metadata: { source: 'talk.odp', document_title: 'Roses in spring', unit: 'slide' },
    },
  ],
  hostile: hostile('talk.odp'),
});

describeReader('OdsReader', (resource) => ({ subject: new OdsReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new OdsReader(resource, { limits }) }),
  samples: [
    {
      name: 'prices',
      resource: fixture('prices.ods'),
      text: ['Region\tFlower', '1,234.50\t2024-05-01\t25%', 'Tulip & co', 'hidden sheet'],
      documents: 2,
      metadata: { source: 'prices.ods', document_title: 'Price list', unit: 'sheet' },
    },
  ],
  hostile: hostile('prices.ods'),
});

const book = epub({ chapters: { 'a.xhtml': '<h1>Roses</h1><p>They are red.</p>', 'b.xhtml': '<p>They are red.</p>' } });

describeReader('EpubReader', (resource) => ({ subject: new EpubReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new EpubReader(resource, { limits }) }),
  samples: [
    {
      name: 'a book',
      resource: bytesResource(book, { filename: 'a.epub' }),
      text: ['Roses', 'They are red.', 'They are red.'],
      documents: 2,
      metadata: { source: 'a.epub', unit: 'chapter' },
    },
  ],
  hostile: [
    { name: 'nothing', resource: bytesResource('') },
    { name: 'half of it', resource: bytesResource(book.subarray(0, book.length / 2)) },
    { name: 'no end', resource: bytesResource(book.subarray(0, book.length - 1)) },
    {
      name: 'tags that never close',
      resource: bytesResource(epub({ chapters: { 'a.xhtml': '<div><table><td>'.repeat(1_000) } })),
    },
  ],
});

describeReader('RtfReader', (resource) => ({ subject: new RtfReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new RtfReader(resource, { limits }) }),
  samples: [
    {
      name: 'a handbook',
      resource: fixture('garden.rtf'),
      text: ['Before any heading.', 'They are red', '- water', 'EU | Moss | 7', 'Prices of 2024.', '2. wait', 'Empty'],
      documents: 5,
      metadata: { source: 'garden.rtf', document_title: 'Garden handbook', unit: 'section' },
    },
  ],
  hostile: hostile('garden.rtf'),
});

describeReader('AnyReader', (resource) => ({ subject: new AnyReader(resource) }), {
  runner,
  limited: (resource) => ({ subject: new AnyReader(resource, { limits }) }),
  samples: [
    {
      name: 'a handbook',
      resource: fixture('garden.docx'),
      text: ['Before any heading.', 'They are red', 'Empty'],
      documents: 5,
      metadata: { source: 'garden.docx', unit: 'section' },
    },
    {
      name: 'a text',
      resource: bytesResource('Just text.', { filename: 'a.txt' }),
      text: ['Just text.'],
      documents: 1,
    },
  ],
  hostile: [...hostile('garden.docx'), ...hostile('garden.rtf'), ...hostile('garden.doc'), ...hostile('prices.ods')],
});

// Stands for LibreOffice, which need not be there.
const convert = async (): Promise<Uint8Array> => fixtureBytes('garden.docx');

describeReader('LegacyOfficeReader', (resource) => ({ subject: new LegacyOfficeReader(resource, { convert }) }), {
  runner,
  limited: (resource) => ({ subject: new LegacyOfficeReader(resource, { convert, limits }) }),
  samples: [
    {
      name: 'a handbook',
      resource: fixture('garden.doc'),
      text: ['Before any heading.', 'They are red', 'Empty'],
      documents: 5,
      metadata: { source: 'garden.doc', mime_type: 'application/msword' },
    },
  ],
  hostile: hostile('garden.doc'),
});
