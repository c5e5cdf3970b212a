import { bytesResource, type Document, type Resource, type ResourceOptions, VernalError } from '@vernal/core';
import { PagePdfDocumentReader, type PagePdfReaderOptions, PdfWorkerPool } from '@vernal/readers-pdf';
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from './fixture.js';
import { line, pageObject, pdf } from './pdf-builder.js';

const pool = new PdfWorkerPool();
afterAll(() => pool.close());

const read = (bytes: Uint8Array, options?: PagePdfReaderOptions, resource?: ResourceOptions): Promise<Document[]> =>
  new PagePdfDocumentReader(bytesResource(bytes, resource), { worker: pool, ...options }).read();
const pagesOf = (documents: readonly Document[]): unknown[] =>
  documents.map(({ metadata }) => [metadata['page_number'], metadata['end_page_number']]);
const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};

const five = pdf({ pages: ['one', 'two', 'three', 'four', 'five'].map((name) => line(`Page ${name}`, 20, 300)) });
/** The second page breaks off in the middle of its content; the third has a content that is not there. */
const broken = pdf({
  pages: [
    line('Page one', 20, 300),
    `${line('What comes before', 20, 300)}/Missing Do ${line('and after', 20, 288)}`,
    line('Page three', 20, 300),
  ],
  resources: '/XObject << /Other 2000 0 R >>',
});

describe('documents', () => {
  it('are the pages, with their numbers', async () => {
    const documents = await read(five, {}, { uri: 'file:///shop/five.pdf', filename: 'five.pdf' });
    expect(documents.map(({ text }) => text)).toEqual(['Page one', 'Page two', 'Page three', 'Page four', 'Page five']);
    expect(documents[1]?.metadata).toEqual({
      source: 'file:///shop/five.pdf',
      file_name: 'five.pdf',
      page_number: 2,
      total_pages: 5,
    });
  });

  it.each<[number, unknown[]]>([
    [
      2,
      [
        [1, 2],
        [3, 4],
        [5, undefined],
      ],
    ],
    [
      3,
      [
        [1, 3],
        [4, 5],
      ],
    ],
    [0, [[1, 5]]],
    [9, [[1, 5]]],
  ])('hold %i pages', async (pagesPerDocument, pages) => {
    expect(pagesOf(await read(five, { pagesPerDocument }))).toEqual(pages);
  });

  it('are not made of empty pages, which keep their numbers', async () => {
    const bytes = await fixture('empty-pages.pdf');
    const documents = await read(bytes);
    expect(documents.map(({ text, metadata }) => [text, metadata['page_number']])).toEqual([
      ['Page one text', 1],
      ['Page five text', 5],
    ]);
    expect(pagesOf(await read(bytes, { pagesPerDocument: 2 }))).toEqual([
      [1, 2],
      [5, undefined],
    ]);
    expect(await read(pdf({ pages: ['', ''] }))).toEqual([]);
  });

  it('are those of the ranges, and end where pages are left out', async () => {
    const pageRanges = [
      { start: 4, end: 99 },
      { start: 1, end: 2 },
      { start: 2, end: 2 },
    ];
    expect(pagesOf(await read(five, { pageRanges, pagesPerDocument: 0 }))).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(pagesOf(await read(five, { pageRanges: [{ start: 6, end: 8 }] }))).toEqual([]);
  });

  it('have the same ids each time, which do not tell of the password', async () => {
    const bytes = await fixture('encrypted-aes256.pdf');
    const ids = async (options: PagePdfReaderOptions): Promise<string[]> =>
      (await read(bytes, options)).map(({ id }) => id);
    const once = await ids({ password: 's3cret' });
    expect(new Set(once).size).toBe(2);
    expect(await ids({ password: 's3cret', worker: false })).toEqual(once);
    expect(await ids({ password: 's3cret', layout: 'physical' })).not.toEqual(once);
  });
});

describe('metadata', () => {
  it('are what the file says of itself, labels of pages, and what the caller adds', async () => {
    const made = await PDFDocument.create();
    made.setTitle('Roses ü 🌹');
    made.setAuthor('Ann');
    made.setKeywords(['red', 'thorn']);
    made.setCreationDate(new Date('2024-05-06T07:08:09Z'));
    made.addPage().drawText('Preface');
    made.addPage().drawText('Text');
    const labels = made.context.obj({ Nums: [0, { S: 'r' }, 1, { S: 'D', St: 7 }] });
    made.catalog.set(made.context.obj('PageLabels') as never, labels);
    made.catalog.set(made.context.obj('Lang') as never, made.context.obj('en'));
    const [preface, text] = await read(await made.save(), { metadata: { author: 'Bob', shelf: 3 } });
    expect(preface?.metadata).toMatchObject({
      document_title: 'Roses ü 🌹',
      author: 'Bob',
      shelf: 3,
      keywords: 'red thorn',
      creation_date: '2024-05-06T07:08:09.000Z',
      page_label: 'i',
    });
    expect(text?.metadata['page_label']).toBe('7');
  });

  it('list the images of a page when asked to', async () => {
    const gray = (size: number): [string, Uint8Array] => [
      `/Type /XObject /Subtype /Image /Width ${size} /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8`,
      new Uint8Array(size * 2),
    ];
    const bytes = pdf({
      pages: [
        line('Beside', 20, 300),
        `q 100 0 0 50 20 300 cm /I Do Q\n/X Do\n${line('below', 20, 200)}`,
        { content: 'q 100 0 0 50 0 0 cm /I Do Q', entries: '/Rotate 90' },
      ],
      objects: {
        1000: gray(4),
        1001: [
          '/Type /XObject /Subtype /Form /BBox [0 0 300 400] /Matrix [2 0 0 2 0 0] /Resources << /XObject << /I 1000 0 R >> >>',
          '10 0 0 10 5 5 cm /I Do',
        ],
      },
      resources: '/XObject << /I 1000 0 R /X 1001 0 R >>',
    });
    const documents = await read(bytes, { images: true });
    expect(documents.map(({ text, metadata }) => [text, metadata['images']])).toEqual([
      ['Beside', undefined],
      [
        'below',
        [
          { page_number: 2, x: 20, y: 50, width: 100, height: 50, pixel_width: 4, pixel_height: 2 },
          { page_number: 2, x: 10, y: 370, width: 20, height: 20, pixel_width: 4, pixel_height: 2 },
        ],
      ],
      ['', [{ page_number: 3, x: 0, y: 0, width: 50, height: 100, pixel_width: 4, pixel_height: 2 }]],
    ]);
    expect((await read(bytes)).map(({ metadata }) => metadata['images'])).toEqual([undefined, undefined]);
  });
});

describe('an encrypted file', () => {
  it.each([
    ['encrypted-aes256.pdf', 's3cret'],
    ['encrypted-rc4.pdf', 'päss'],
  ])('%s is read with its password, and says what is wrong without', async (name, password) => {
    const bytes = await fixture(name);
    expect((await read(bytes, { password })).map(({ text }) => text)).toEqual(['Secret page one', 'Secret page two']);
    for (const worker of [pool, false]) {
      const without = await failure(read(bytes, { worker }, { filename: name }));
      expect([without.code, without.subject, without.details]).toEqual([
        'resource',
        name,
        { reason: 'password_required' },
      ]);
      const wrong = await failure(read(bytes, { worker, password: 'tops3cret' }, { filename: name }));
      expect([wrong.code, wrong.details]).toEqual(['resource', { reason: 'password_wrong' }]);
      expect(JSON.stringify([wrong, wrong.message, wrong.stack, String(wrong.cause)])).not.toContain('tops3cret');
    }
  });
});

describe('a broken page', () => {
  it('keeps what can be read of it, and the others', async () => {
    for (const worker of [pool, false]) {
      const documents = await read(broken, { worker });
      expect(documents.map(({ text, metadata }) => [text, metadata['page_errors']])).toEqual([
        ['Page one', undefined],
        ['What comes before and after', [{ page_number: 2, reason: 'damaged' }]],
        ['Page three', undefined],
      ]);
    }
  });

  it('is told of in the document that it belongs to', async () => {
    const [all] = await read(broken, { pagesPerDocument: 0 });
    expect(all?.metadata['page_errors']).toEqual([{ page_number: 2, reason: 'damaged' }]);
  });

  it.each([
    ['its object is cut', `${pageObject(3)} 0 obj\n<<`, `${pageObject(3)} 0 obj\n%<`],
    ['its object is not there', `${pageObject(3)} 0 obj\n<<`, `${pageObject(9)} 0 obj\n<<`],
    ['it leads to nothing', `${pageObject(3)} 0 R ${pageObject(4)}`, `999 0 R ${pageObject(4)}`],
  ])('is an empty document where %s, and loses none behind it', async (_, from, to) => {
    const bytes = Buffer.from(Buffer.from(five).toString('latin1').replace(from, to), 'latin1');
    const documents = await read(bytes);
    expect(documents.map(({ text }) => text)).toEqual(['Page one', 'Page two', '', 'Page four', 'Page five']);
    expect(documents[2]?.metadata).toMatchObject({
      page_number: 3,
      total_pages: 5,
      page_errors: [{ page_number: 3, reason: 'damaged' }],
    });
  });

  it('ends the reading if that is asked for, after the pages before it', async () => {
    for (const worker of [pool, false]) {
      const texts: unknown[] = [];
      const run = async (): Promise<void> => {
        const reader = new PagePdfDocumentReader(bytesResource(broken, { filename: 'b.pdf' }), {
          worker,
          onPageError: 'throw',
        });
        for await (const { text } of reader.stream()) texts.push(text);
      };
      const error = await failure(run());
      expect([error.code, error.subject, error.details]).toEqual(['resource', 'b.pdf', { reason: 'damaged', page: 2 }]);
      expect(error.message).toContain('Page 2 of b.pdf is damaged');
      expect(texts).toEqual(['Page one']);
    }
  });
});

describe('bad input', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'empty'],
    ['a text', 'Roses are red.', 'wrong_type'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), 'wrong_type'],
    ['a header alone', '%PDF-1.7\n', 'damaged'],
    ['half a file', five.slice(0, 300), 'damaged'],
  ])('%s is an error that names the file', async (_, content, reason) => {
    for (const worker of [pool, false]) {
      const reader = new PagePdfDocumentReader(bytesResource(content, { filename: 'a.pdf' }), { worker });
      const error = await failure(reader.read());
      expect([error.code, error.subject, error.details]).toEqual(['resource', 'a.pdf', { reason }]);
      expect(error.message).toMatch(/^a\.pdf /);
    }
  });

  it('is left as soon as it shows that it is too large', async () => {
    let taken = 0;
    let closed = 0;
    const endless: Resource = {
      filename: 'endless.pdf',
      bytes: () => Promise.reject(new Error('never')),
      async *stream() {
        try {
          for (;;) {
            taken++;
            yield new Uint8Array(1_000);
          }
        } finally {
          closed++;
        }
      },
    };
    const limits = { maxFileBytes: 10_000 };
    const tooLarge = { reason: 'too_large', limit: 'maxFileBytes', most: 10_000 };
    expect((await failure(new PagePdfDocumentReader(endless, { limits }).read())).details).toEqual(tooLarge);
    expect([taken, closed]).toEqual([11, 1]);
    expect((await failure(read(new Uint8Array(10_001), { limits }))).details).toEqual(tooLarge);
    expect(await read(five, { limits: { maxFileBytes: Number.POSITIVE_INFINITY } })).toHaveLength(5);
    expect((await failure(read(five, { limits: { maxPages: 4 } }))).details).toEqual({ reason: 'too_many_pages' });
  });

  it('does not stop the files after it, and leaves the bytes of the caller alone', async () => {
    const bytes = five.slice();
    for (const content of [new Uint8Array([1]), bytes, new Uint8Array(0), bytes]) {
      const documents = await read(content).catch((error: unknown) => [error]);
      expect(documents).toHaveLength(content === bytes ? 5 : 1);
    }
    expect(bytes).toEqual(five);
  });

  it('reads what comes in pieces', async () => {
    const resource: Resource = {
      bytes: () => Promise.reject(new Error('never')),
      async *stream() {
        for (let at = 0; at < five.length; at += 7) yield five.subarray(at, at + 7);
      },
    };
    expect(await new PagePdfDocumentReader(resource, { worker: pool }).read()).toHaveLength(5);
  });

  it.each<[PagePdfReaderOptions, string]>([
    [{ pagesPerDocument: -1 }, 'pagesPerDocument'],
    [{ pagesPerDocument: 1.5 }, 'pagesPerDocument'],
    [{ pageRanges: [{ start: 0, end: 1 }] }, 'pageRanges[0].start'],
    [{ pageRanges: [{ start: 3, end: 2 }] }, 'pageRanges[0].end'],
    [{ pageTopMargin: -1 }, 'pageTopMargin'],
    [{ pageBottomMargin: Number.NaN }, 'pageBottomMargin'],
    [{ numberOfTopTextLinesToDelete: -1 }, 'numberOfTopTextLinesToDelete'],
    [{ layout: 'wild' as 'reading' }, 'layout'],
    [{ onPageError: 'ignore' as 'throw' }, 'onPageError'],
    [{ worker: 'yes' as never }, 'worker'],
    [{ password: 7 as never }, 'password'],
    [{ limits: { maxHeapMb: 0 } }, 'limits.maxHeapMb'],
    [{ limits: { maxPage: 9 } as never }, 'maxPage'],
    [{ pagesPerDocuments: 2 } as never, 'pagesPerDocuments'],
    [{ withoutOutline: 'pages' } as never, 'withoutOutline'],
  ])('%o is refused when the reader is made', (options, subject) => {
    expect(() => new PagePdfDocumentReader(bytesResource(''), options)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
    expect(() => new PagePdfDocumentReader('a.pdf' as never)).toThrow(expect.objectContaining({ subject: 'resource' }));
  });
});
