import { bytesResource, type Document, type Resource } from '@vernal/core';
import { CsvReader, type CsvReaderOptions } from '@vernal/readers-office';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { failure } from './support/failure.js';

const read = (csv: string | Uint8Array, options?: CsvReaderOptions): Promise<Document[]> =>
  new CsvReader(bytesResource(csv, { filename: 'a.csv' }), options).read();
const texts = async (csv: string, options?: CsvReaderOptions): Promise<(string | undefined)[]> =>
  (await read(csv, options)).map(({ text }) => text);
/** The same bytes in pieces. */
const inPieces = (csv: string, length: number): Resource => ({
  filename: 'a.csv',
  bytes: async () => new TextEncoder().encode(csv),
  async *stream() {
    const bytes = new TextEncoder().encode(csv);
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  },
});

describe('CsvReader', () => {
  it('makes a document of each row, with its place', async () => {
    const documents = await read('name,price\r\nrose,"5, or 6"\r\n\r\ntulip,\r\n,\r\n"a ""b"" c","two\nlines"');
    expect(documents.map((one) => [one.text, one.metadata])).toEqual(
      [
        ['name: rose\nprice: 5, or 6', 2],
        ['name: tulip', 4],
        ['name: a "b" c\nprice: two lines', 6],
      ].map(([text, row]) => [
        text,
        { source: 'a.csv', mime_type: 'text/csv', unit: 'rows', start_row: row, end_row: row },
      ]),
    );
  });

  it('puts rows together below their header', async () => {
    const csv = 'a;b\n1;2\n3;4\n5;6\n';
    expect(await texts(csv, { layout: 'rows', rowsPerDocument: 2 })).toEqual(['a\tb\n1\t2\n3\t4', 'a\tb\n5\t6']);
    expect(await texts(csv, { layout: 'records', rowsPerDocument: Number.POSITIVE_INFINITY })).toEqual([
      'a: 1\nb: 2\n\na: 3\nb: 4\n\na: 5\nb: 6',
    ]);
    expect(await texts(csv, { headerRow: false, layout: 'rows', rowsPerDocument: 9 })).toEqual([
      'a\tb\n1\t2\n3\t4\n5\t6',
    ]);
    expect(
      (await read(csv, { layout: 'rows', rowsPerDocument: 2 })).map(({ metadata }) => [
        metadata['start_row'],
        metadata['end_row'],
      ]),
    ).toEqual([
      [2, 3],
      [4, 4],
    ]);
  });

  it.each([
    ['commas', 'a,b\n1,2', ['a: 1\nb: 2']],
    ['tabs', 'a\tb\n1\t2', ['a: 1\nb: 2']],
    ['semicolons', 'a;b\n1,5;2', ['a: 1,5\nb: 2']],
    ['bars', 'a|b\n1|2', ['a: 1\nb: 2']],
    ['one column', 'a\n1\n2', ['a: 1', 'a: 2']],
    ['rows of other lengths', 'a,b\n1\n1,2,3', ['a: 1', 'a: 1\nb: 2\nColumn 3: 3']],
    ['old line ends', 'a,b\r1,2\r', ['a: 1\nb: 2']],
    ['a mark at its beginning', '\ufeffa,b\n1,2', ['a: 1\nb: 2']],
    ['a header alone', 'a,b\n', ['a\tb']],
    ['a quote inside a field', 'a,b\n5" pipe,x', ['a: 5" pipe\nb: x']],
    ['names that every object has', 'constructor,__proto__\n1,2', ['constructor: 1\n__proto__: 2']],
    ['characters of all planes', '名,価\n🌹,5 €', ['名: 🌹\n価: 5 €']],
  ])('reads %s', async (_, csv, expected) => {
    expect(await texts(csv)).toEqual(expected);
  });

  it('says whether it is separated by tabs', async () => {
    expect((await read('a\tb\n1\t2'))[0]?.metadata['mime_type']).toBe('text/tab-separated-values');
    expect((await read('a,b\n1,2', { delimiter: ';' }))[0]?.text).toBe('a,b: 1,2');
  });

  it('decodes by option, and refuses what is not text', async () => {
    const latin = new Uint8Array(Buffer.from('gr\xfcn\n1', 'latin1'));
    expect((await read(latin, { encoding: 'windows-1252' }))[0]?.text).toBe('grün: 1');
    expect((await failure(read(latin))).details['reason']).toBe('undecodable');
    expect((await failure(read(new Uint8Array([65, 0, 66])))).details['reason']).toBe('binary');
    const empty = await failure(read(''));
    expect([empty.code, empty.subject, empty.details]).toEqual(['resource', 'a.csv', { reason: 'empty' }]);
  });

  it('gives the rows that Papa Parse gives of the whole, wherever the bytes are cut', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'ü', '🌹', ',', '"', '\n', ' ', ';'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(field, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, length) => {
          const csv = Papa.unparse(rows, { newline: '\r\n' });
          const reader = new CsvReader(inPieces(csv, length), { headerRow: false, layout: 'rows', delimiter: ',' });
          const expected = rows
            .map((cells) => cells.map((cell) => cell.replace(/\s*[\r\n\t]\s*/g, ' ').trim()))
            .filter((cells) => cells.some((cell) => cell !== ''))
            .map((cells) => cells.join('\t').trimEnd());
          const found = csv === '' ? [] : await reader.read();
          expect(found.map(({ text }) => text)).toEqual(expected);
        },
      ),
    );
  });

  it('keeps one row in memory, whatever the length of the file', async () => {
    const row = new TextEncoder().encode(`${'x'.repeat(99)},y\n`.repeat(1_000));
    let given = 0;
    const endless: Resource = {
      bytes: async () => new Uint8Array(0),
      async *stream() {
        for (;;) {
          given++;
          yield row;
        }
      },
    };
    let count = 0;
    for await (const _ of new CsvReader(endless).stream()) if (++count === 3_000) break;
    expect(given).toBeLessThan(10);
  });

  it('gives up at a quote that is never closed, and says where', async () => {
    const error = await failure(read(`a,b\n1,2\n"${'x,y\n'.repeat(600_000)}`));
    expect([error.code, error.details]).toEqual(['resource', { reason: 'damaged', row: 3 }]);
    expect(await texts('a,b\n"x\ny')).toEqual(['a: x y']);
  });

  it('refuses bad options, at construction', () => {
    const make = (options: object) => () => new CsvReader(bytesResource(''), options);
    for (const [subject, options] of [
      ['delimiter', { delimiter: '::' }],
      ['delimiter', { delimiter: '"' }],
      ['layout', { layout: 'json' }],
      ['rowsPerDocument', { rowsPerDocument: 0 }],
      ['encoding', { encoding: 'klingon' }],
    ] as const)
      expect(make(options)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });

  it('honours the signal in the middle', async () => {
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of new CsvReader(bytesResource('a\n1\n2\n3')).stream({ signal: controller.signal }))
        controller.abort();
    };
    expect((await failure(run())).code).toBe('aborted');
  });
});
