import { bytesResource, type Document } from '@vernal/core';
import { type SheetReaderOptions, XlsxReader } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { failure } from './support/failure.js';
import { fixture } from './support/fixture.js';
import { row, type XlsxParts, type XlsxSheet, xlsx } from './support/xlsx.js';
import { zip } from './support/zip.js';

const reader = (bytes: Uint8Array, options?: SheetReaderOptions): XlsxReader =>
  new XlsxReader(bytesResource(bytes, { filename: 'a.xlsx' }), options);
const read = (sheets: readonly XlsxSheet[], parts?: XlsxParts, options?: SheetReaderOptions): Promise<Document[]> =>
  reader(xlsx(sheets, parts), options).read();
const text = async (rows: string, parts?: XlsxParts, options?: SheetReaderOptions): Promise<string | undefined> =>
  (await read([{ name: 'S', rows }], parts, options))[0]?.text;

describe('XlsxReader: sheets', () => {
  it('makes a document of each, in the order of the workbook', async () => {
    const documents = await read([
      { name: 'First', rows: row(1, 'a', 'b') + row(3, 1, 2) },
      { name: 'Chart', rows: '', kind: 'chartsheet' },
      { name: 'Empty', rows: '<row r="1"><c r="A1"/></row>' },
      { name: 'Tom &amp; Ann', rows: row(1, 'x'), state: 'veryHidden' },
    ]);
    const common = {
      source: 'a.xlsx',
      mime_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      unit: 'sheet',
    };
    expect(documents.map((one) => [one.text, one.metadata])).toEqual([
      ['a\tb\n1\t2', { ...common, title: 'First', sheet: 'First', sheet_number: 1, start_row: 3, end_row: 3 }],
      [
        'x',
        { ...common, title: 'Tom & Ann', sheet: 'Tom & Ann', sheet_number: 4, hidden: true, start_row: 1, end_row: 1 },
      ],
    ]);
  });

  it('reads those that are asked for', async () => {
    const sheets = ['A', 'B', 'C'].map((name) => ({
      name,
      rows: row(1, name),
      ...(name === 'B' && { state: 'hidden' }),
    }));
    expect((await read(sheets, {}, { sheets: ['C', 'B'] })).map((one) => one.text)).toEqual(['B', 'C']);
    expect((await read(sheets, {}, { includeHidden: false })).map((one) => one.text)).toEqual(['A', 'C']);
    expect(await read(sheets, {}, { sheets: [] })).toEqual([]);
  });

  it('puts rows together below their header, or names each value', async () => {
    const rows = [row(1, 'name', 'n'), ...[1, 2, 3].map((n) => row(n + 1, `r${n}`, n))].join('');
    const grouped = await read([{ name: 'S', rows }], {}, { rowsPerDocument: 2 });
    expect(grouped.map((one) => [one.text, one.metadata['start_row'], one.metadata['end_row']])).toEqual([
      ['name\tn\nr1\t1\nr2\t2', 2, 3],
      ['name\tn\nr3\t3', 4, 4],
    ]);
    expect(await text(rows, {}, { layout: 'records' })).toBe('name: r1\nn: 1\n\nname: r2\nn: 2\n\nname: r3\nn: 3');
    expect(await text(rows, {}, { layout: 'records', headerRow: false })).toContain(
      'Column 1: name\nColumn 2: n\n\nColumn 1: r1',
    );
  });
});

describe('XlsxReader: cells', () => {
  it.each<[string, string, XlsxParts, string]>([
    [
      'shared strings, also of several runs, without guides to the pronunciation',
      '<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>9</v></c></row>',
      { strings: ['<r><t>ri</t></r><r><t>ch</t></r>', '<t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh>'] },
      'rich\t課',
    ],
    [
      'texts inside the cell',
      '<row><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c><c t="str"><f>A1</f><v>c</v></c></row>',
      {},
      'ab\tc',
    ],
    [
      'truth, errors and dates as text',
      '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2024-05-01T00:00:00</v></c><c t="d"><v>2024-05-01T10:30:00</v></c></row>',
      {},
      'TRUE\tFALSE\t#N/A\t2024-05-01\t2024-05-01 10:30:00',
    ],
    [
      'formulas by their result, else as they are',
      '<row><c><f>SUM(A1:A2)</f><v>3</v></c><c><f>SUM(A1:A2)</f></c></row>',
      {},
      '3\t=SUM(A1:A2)',
    ],
    [
      'places, with gaps',
      '<row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c><c><v>3</v></c></row>',
      {},
      '\t1\t\t2\t3',
    ],
    ['line ends and tabs as spaces', '<row><c t="str"><v>a\n\tb  c</v></c></row>', {}, 'a b  c'],
    [
      'numbers without the noise of binary',
      '<row><c><v>0.30000000000000004</v></c><c><v>1E-3</v></c><c><v>1234567890123</v></c><c><v>-0</v></c></row>',
      {},
      '0.3\t0.001\t1234567890123\t0',
    ],
    ['no places that are none', '<row r="1"><c r="ZZZZ1"><v>1</v></c><c r="!"><v>2</v></c></row>', {}, '1\t2'],
  ])('reads %s', async (_, rows, parts, expected) => {
    expect(await text(rows, parts, { headerRow: false })).toBe(expected);
  });

  it.each<[string | number, number, string, string?]>([
    ['0.00', 1234.5, '1234.50'],
    ['#,##0.00', 1234567.891, '1,234,567.89'],
    ['[$€-407] #,##0.00', 5, '€ 5,00'],
    ['0%', 0.256, '26%'],
    ['# ?/?', 1.5, '1 1/2'],
    ['0&quot; pcs&quot;', 3, '3 pcs'],
    [9, 0.5, '50%'],
    [14, 45413, '2024-05-01', '05-01-24'],
    [22, 45413.5625, '2024-05-01 13:30', '5/1/24 13:30'],
    [31, 45413, '2024-05-01', '2024-05-01'],
    ['dd/mm/yyyy hh:mm:ss', 45413.999988, '2024-05-01 23:59:59', '01/05/2024 23:59:59'],
    ['mmm yyyy', 45413, '2024-05', 'May 2024'],
    ['h:mm', 0.5, '12:00'],
    ['[h]:mm', 1.5, '36:00'],
    ['[[[', 7, '7'],
    ['@', 7.5, '7.5'],
  ])('shows %j of %d as %j', async (format, value, expected, formatted = expected) => {
    const rows = `<row><c s="1"><v>${value}</v></c></row>`;
    expect(await text(rows, { formats: [format] })).toBe(expected);
    expect(await text(rows, { formats: [format] }, { dates: 'formatted' })).toBe(formatted);
  });

  it('does not fail at what is no date', async () => {
    for (const value of ['-5', '1e300', 'NaN', '99999999'])
      expect(await text(`<row><c t="str"><v>a</v></c><c s="1"><v>${value}</v></c></row>`, { formats: [14] })).toMatch(
        /^a/,
      );
  });

  it('counts days from 1904 where the workbook does', async () => {
    expect(await text('<row><c s="1"><v>43951</v></c></row>', { formats: [14], isFrom1904: true })).toBe('2024-05-01');
  });

  it('repeats what is merged over several rows', async () => {
    const rows =
      row(1, 'Region', 'Kind') + row(2, 'EU', 'Cable') + row(3, '', 'Hub') + row(4, '', 'Lamp') + row(5, 'US', 'wide');
    const [sheet] = await read([{ name: 'S', rows, merged: ['A2:A4', 'B5:D5', 'XFE1:A9', 'nonsense'] }]);
    expect(sheet?.text).toBe('Region\tKind\nEU\tCable\nEU\tHub\nEU\tLamp\nUS\twide');
  });

  it('takes any prefix', async () => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const bytes = zip({
      'xl/workbook.xml': `<x:workbook xmlns:x="${main}" xmlns:d="r"><x:sheets><x:sheet name="S" sheetId="1" d:id="q"/></x:sheets></x:workbook>`,
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="q" Type="x/worksheet" Target="s.xml"/></Relationships>',
      'xl/s.xml': `<x:worksheet xmlns:x="${main}"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    });
    expect((await reader(bytes).read())[0]?.text).toBe('1');
  });
});

describe('XlsxReader: files', () => {
  it('reads what LibreOffice wrote', async () => {
    const documents = await new XlsxReader(fixture('prices.xlsx')).read();
    expect(documents.map((one) => [one.metadata['sheet'], one.metadata['hidden'], one.text])).toEqual([
      [
        'Prices',
        undefined,
        'Region\tFlower\tPrice\tSince\tShare\nEU\tRose\t1,234.50\t2024-05-01\t25%\nEU\tTulip & co\t2\nSum\t\t1236.5\t\tTRUE',
      ],
      ['Secret', true, 'hidden sheet'],
    ]);
    expect(documents[0]?.metadata).toMatchObject({ document_title: 'Price list', author: 'Ada Green' });
  });

  it('says that the binary form is another', async () => {
    const bytes = zip({
      '_rels/.rels':
        '<Relationships><Relationship Id="1" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
      'xl/workbook.bin': new Uint8Array(9),
    });
    expect((await failure(reader(bytes).read())).details['reason']).toBe('unsupported_format');
  });
});

describe('XlsxReader: hostile files', () => {
  const limits = { maxTextLength: 1_000_000, maxRatio: 5_000 };

  it('does not repeat a long text a million times', async () => {
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(100_000);
    const bytes = xlsx([{ name: 'S', rows }], { strings: ['x'.repeat(30_000)] });
    const error = await failure(reader(bytes, { limits }).read());
    expect([error.details['reason'], error.details['limit']]).toEqual(['too_large', 'maxTextLength']);
  });

  it('does not fill a sheet from one cell at its end', async () => {
    const rows = Array.from(
      { length: 10_000 },
      (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`,
    ).join('');
    expect((await failure(reader(xlsx([{ name: 'S', rows }]), { limits }).read())).details['limit']).toBe(
      'maxTextLength',
    );
  });

  it('does not fill it by a merged area either', async () => {
    const rows = `<row r="1"><c t="str"><v>${'x'.repeat(30_000)}</v></c></row>${'<row><c r="B9"><v>1</v></c></row>'.repeat(50_000)}`;
    const bytes = xlsx([{ name: 'S', rows, merged: ['A1:A1048576'] }]);
    expect((await failure(reader(bytes, { limits }).read())).details['limit']).toBe('maxTextLength');
  });

  it('keeps a group of rows in memory, and ends where the caller does', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => row(at + 1, at)).join('');
    const seen: string[] = [];
    for await (const one of reader(xlsx([{ name: 'S', rows }]), { rowsPerDocument: 1, headerRow: false }).stream()) {
      seen.push(one.text ?? '');
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['0', '1', '2']);
  });

  it('refuses bad options, at construction', () => {
    for (const [subject, options] of [
      ['dates', { dates: 'us' }],
      ['sheets', { sheets: 'A' }],
      ['layout', { layout: 'x' }],
    ] as const)
      expect(() => reader(new Uint8Array(1), options as unknown as SheetReaderOptions)).toThrow(
        expect.objectContaining({ subject }),
      );
  });
});
