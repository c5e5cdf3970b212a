import { deflateSync } from 'node:zlib';
import { bytesResource, type Document, VernalError } from '@vernal/core';
import {
  PagePdfDocumentReader,
  type PagePdfReaderOptions,
  ParagraphPdfDocumentReader,
  PdfWorkerPool,
} from '@vernal/readers-pdf';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from './fixture.js';
import { line, lines, type PdfSource, pdf } from './pdf-builder.js';

const pool = new PdfWorkerPool();
afterAll(() => pool.close());

/** Documents, or an error of ours; anything else is thrown. */
async function outcome(bytes: Uint8Array, options?: PagePdfReaderOptions): Promise<readonly Document[] | VernalError> {
  const resource = bytesResource(bytes, { filename: 'hostile.pdf' });
  const readers = [
    new PagePdfDocumentReader(resource, { worker: pool, ...options }),
    new ParagraphPdfDocumentReader(resource, { worker: pool, withoutOutline: 'pages', ...options }),
  ];
  let last: readonly Document[] | VernalError = [];
  for (const reader of readers) {
    try {
      last = await reader.read();
    } catch (error) {
      if (!VernalError.is(error)) throw error;
      expect(['resource']).toContain(error.code);
      last = error;
    }
  }
  return last;
}

const before = line('before', 20, 300);
const after = line('after', 20, 300);
/** What becomes of the page between two others. */
async function middlePage(source: PdfSource, options?: PagePdfReaderOptions): Promise<unknown> {
  const documents = await new PagePdfDocumentReader(bytesResource(pdf(source)), { worker: pool, ...options }).read();
  expect(documents[0]?.text).toBe('before');
  expect(documents.at(-1)?.text).toBe('after');
  return documents.length === 3 ? [documents[1]?.text, documents[1]?.metadata['page_errors']] : undefined;
}
const fault = (reason: string): unknown => ['', [{ page_number: 2, reason }]];

describe('a page that unpacks to far more than it is', () => {
  const spaces = new Uint8Array(8_000_000).fill(32);

  it.each([
    ['once', deflateSync(spaces), '/Filter /FlateDecode'],
    ['twice', deflateSync(deflateSync(spaces)), '/Filter [ /FlateDecode /FlateDecode ]'],
    [
      'by lengths of runs',
      new Uint8Array(200_000).map((_, at) => (at % 2 === 0 ? 129 : 32)),
      '/Filter /RunLengthDecode',
    ],
  ])('%s is left, and the others are read', async (_, content, streamEntries) => {
    const source = { pages: [before, { content, streamEntries }, after] };
    expect(await middlePage(source, { limits: { maxStreamBytes: 4_000_000 } })).toEqual(fault('too_large'));
    expect(await middlePage(source)).toBeUndefined();
  });

  it('in text is left, too', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => `1 0 0 1 20 ${at % 400} Tm (word ${at}) Tj`);
    const source = { pages: [before, `BT /F 1 Tf ${rows.join('\n')} ET`, after] };
    for (const worker of [pool, false])
      expect(await middlePage(source, { worker, limits: { maxPageTextLength: 20_000 } })).toEqual(fault('too_large'));
  });
});

describe('a page that does not end', () => {
  /** Each form draws the next one ten times. */
  const laughs: PdfSource = {
    pages: [before, '/X Do', after],
    resources: '/XObject << /X 1000 0 R >>',
    objects: Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        1000 + at,
        [
          `/Type /XObject /Subtype /Form /BBox [0 0 300 400] /Resources << /Font << /F 10 0 R >> /XObject << /X ${1001 + at} 0 R >> >>`,
          at === 11 ? line('ha', 20, 300) : '/X Do '.repeat(10),
        ],
      ]),
    ),
  };

  it('is left after its time, and the others are read', async () => {
    for (const worker of [pool, false])
      expect(await middlePage(laughs, { worker, limits: { maxPageSeconds: 1 } })).toEqual(fault('too_slow'));
  });

  it('takes its thread with it where nothing else helps, and the error says so', async () => {
    const endless = deflateSync(Buffer.alloc(60_000_000, 'q Q '));
    const bytes = pdf({ pages: [before, { content: endless, streamEntries: '/Filter /FlateDecode' }] });
    const reader = new PagePdfDocumentReader(bytesResource(bytes), { worker: pool, limits: { maxPageSeconds: 1 } });
    const error = await reader.read().catch((caught: unknown) => caught);
    if (!VernalError.is(error)) throw error;
    expect(error.details).toEqual({ reason: 'too_slow', page: 2 });
  });

  it('draws itself', async () => {
    const self = [
      '/Type /XObject /Subtype /Form /BBox [0 0 300 400] /Resources << /XObject << /X 1000 0 R >> >>',
      '/X Do /X Do',
    ] as const;
    const source = {
      pages: [before, `${line('text', 20, 300)}/X Do`, after],
      objects: { 1000: self },
      resources: '/XObject << /X 1000 0 R >>',
    };
    expect(await middlePage(source)).toEqual(['text', [{ page_number: 2, reason: 'damaged' }]]);
  });
});

describe('a list of pages', () => {
  it('that names itself, lies about its length or branches without end is an error or pages', async () => {
    const good = Buffer.from(pdf({ pages: [before, after] })).toString('latin1');
    const from = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
    for (const text of [
      good.replace('/Kids [ 100 0 R', '/Kids [ 2 0 R 100 0 R'),
      good.replace('/Count 2', '/Count 99999999'),
      good.replace('/Count 2', '/Count -1'),
      good.replace('/Kids', '/Sons'),
    ]) {
      const result = await outcome(from(text));
      expect(Array.isArray(result) || VernalError.is(result)).toBe(true);
    }
    const nodes = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        3000 + at,
        `<< /Type /Pages /Kids [ ${`${3001 + at} 0 R `.repeat(10)} ] /Count ${10 ** (9 - at)} >>`,
      ]),
    );
    const tree = pdf({
      pages: [before],
      objects: { ...nodes, 3009: '<< /Type /Page /MediaBox [0 0 9 9] >>' },
      catalog: '/Pages 3000 0 R',
    });
    expect(await outcome(tree)).toMatchObject({ details: { reason: 'too_many_pages' } });
  });
});

describe('any bytes', () => {
  const whole = pdf({
    pages: [lines(['Roses are', 'red.'], 20, 300), lines(['Tulips are', 'dear.'], 20, 300)],
    objects: {
      1000: '<< /Type /Outlines /First 1001 0 R /Last 1001 0 R >>',
      1001: '<< /Title (Roses) /Parent 1000 0 R /Dest [ 100 0 R /Fit ] >>',
    },
    catalog: '/Outlines 1000 0 R',
  });

  it('of a file that is cut anywhere give documents or an error', async () => {
    const files = [whole, await fixture('encrypted-aes256.pdf'), await fixture('ligatures-and-hyphens.pdf')];
    for (const file of files) {
      for (let part = 0; part < 12; part++) {
        const cut = Math.floor((file.length * part) / 12);
        await outcome(file.slice(0, cut), { password: 's3cret' });
      }
    }
  });

  it('of a file that is changed anywhere give documents or an error, and nothing is left unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const change = fc.record({
      at: fc.nat({ max: whole.length - 1 }),
      cut: fc.nat({ max: 60 }),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .constantFrom('obj', 'endobj', '<<', '>>', '[', 'R', '/Kids', '-1', '99999999999', 'stream', '(', 'null')
          .map((text) => new Uint8Array(Buffer.from(text))),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let bytes = whole;
        for (const { at, cut, put } of changes)
          bytes = new Uint8Array(Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]));
        await outcome(bytes);
      }),
      { numRuns: 60 },
    );
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
