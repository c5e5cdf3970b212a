import { bytesResource, type Document, type DocumentReader, type Resource } from '@vernal/core';
import {
  DocxReader,
  OdpReader,
  OdsReader,
  OdtReader,
  type OdtReaderOptions,
  PptxReader,
  type SheetReaderOptions,
  type SlideReaderOptions,
  XlsxReader,
} from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { failure } from './support/failure.js';
import { fixture } from './support/fixture.js';
import { type OdfParts, odf } from './support/odf.js';
import { packedSpaces, rawZip } from './support/raw-zip.js';
import { zip } from './support/zip.js';

const odt = (body: string, parts?: OdfParts, options?: OdtReaderOptions): Promise<Document[]> =>
  new OdtReader(bytesResource(odf('text', body, parts), { filename: 'a.odt' }), options).read();
const text = async (body: string, parts?: OdfParts, options?: OdtReaderOptions): Promise<string | undefined> =>
  (await odt(body, parts, { splitByHeadings: false, ...options }))[0]?.text;
const p = (content: string): string => `<text:p>${content}</text:p>`;

describe('the readers of OpenDocument', () => {
  it.each<[string, (resource: Resource) => DocumentReader, string, (resource: Resource) => DocumentReader, string]>([
    ['texts', (file) => new OdtReader(file), 'garden.odt', (file) => new DocxReader(file), 'garden.docx'],
    ['slides', (file) => new OdpReader(file), 'talk.odp', (file) => new PptxReader(file), 'talk.pptx'],
    ['sheets', (file) => new OdsReader(file), 'prices.ods', (file) => new XlsxReader(file), 'prices.xlsx'],
  ])(
    'read %s as those of Office read what LibreOffice made of the same page',
    async (_, of, name, other, otherName) => {
      const content = async (reader: DocumentReader) =>
        (await reader.read()).map(
          ({
            text: found,
            metadata: { source: _source, mime_type: _type, created: _created, modified: _modified, ...rest },
          }) => [found, rest],
        );
      expect(await content(of(fixture(name)))).toEqual(await content(other(fixture(otherName))));
      expect((await of(fixture(name)).read()).length).toBeGreaterThan(1);
    },
  );

  it('say what they cannot read', async () => {
    const fault = async (reader: DocumentReader) => (await failure(reader.read())).details['reason'];
    const sheet = bytesResource(odf('spreadsheet', ''), { filename: 'a.odt' });
    expect(await fault(new OdtReader(sheet))).toBe('wrong_type');
    expect(await fault(new OdtReader(bytesResource(zip({ 'a.txt': 'x' }))))).toBe('wrong_type');
    expect(
      await fault(new OdtReader(bytesResource(zip({ mimetype: 'application/vnd.oasis.opendocument.text' })))),
    ).toBe('damaged');
    const manifest = '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>';
    expect(await fault(new OdtReader(bytesResource(odf('text', '', { manifest }))))).toBe('encrypted');
    const doctype = '<!DOCTYPE manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"><manifest/>';
    expect((await new OdtReader(bytesResource(odf('text', p('a'), { manifest: doctype }))).read())[0]?.text).toBe('a');
    const laughs = '<!DOCTYPE x [<!ENTITY a "b">]><manifest/>';
    expect(await fault(new OdtReader(bytesResource(odf('text', p('a'), { manifest: laughs }))))).toBe('unsafe_xml');
    const bomb = rawZip([{ name: 'content.xml', packed: packedSpaces('<a><body>', 64) }]);
    expect(await fault(new OdsReader(bytesResource(bomb)))).toBe('too_large');
  });
});

describe('OdtReader', () => {
  it.each([
    ['white space as it is meant', p(' a \n  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e '), 'a b   c\td\ne'],
    ['spans', p('wo<text:span>r</text:span>d <text:span> x</text:span>'), 'word x'],
    [
      'no comments, no guides to the pronunciation, no descriptions of drawings',
      p(
        'a<office:annotation><text:p>COMMENT</text:p></office:annotation><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby><draw:frame><svg:title>TITLE</svg:title><svg:desc>DESC</svg:desc></draw:frame>',
      ),
      'a漢',
    ],
    ['the title as a field', p('On <text:title>Roses</text:title>'), 'On Roses'],
    [
      'boxes behind their paragraph',
      p('be<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>side') + p('after'),
      'beside\n\nboxed\n\nafter',
    ],
    [
      'tables in tables',
      '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><table:table><table:table-row><table:table-cell><text:p>b</text:p></table:table-cell><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table></table:table-cell></table:table-row></table:table>',
      'a | [b | c]',
    ],
    [
      'lists without a style',
      '<text:list><text:list-item><text:p>a</text:p><text:p>b</text:p></text:list-item><text:list-header><text:p>h</text:p></text:list-header></text:list>',
      '- a\n  b\nh',
    ],
  ])('reads %s', async (_, body, expected) => {
    expect(await text(body)).toBe(expected);
  });

  it('leaves out what is hidden, and knows the title by its style', async () => {
    const automatic =
      '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>' +
      '<style:style style:name="HP" style:family="paragraph"><style:text-properties text:display="none"/></style:style>' +
      '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/><style:style style:name="L" style:family="paragraph" style:parent-style-name="L"/>';
    const body =
      '<text:p text:style-name="P1">Handbook</text:p><text:p text:style-name="L">a<text:span text:style-name="H">HIDDEN</text:span></text:p><text:p text:style-name="HP">HIDDEN</text:p>';
    const [only] = await odt(body, { automatic });
    expect([only?.text, only?.metadata['headings'], only?.metadata['category']]).toEqual(['a', ['Handbook'], 'title']);
  });

  it('numbers lists and headings as they are numbered', async () => {
    const level = (at: number, format: string, more = ''): string =>
      `<text:list-level-style-number text:level="${at}" style:num-format="${format}" ${more}/>`;
    const styles =
      `<text:list-style style:name="N">${level(1, '1', 'style:num-suffix="."')}${level(2, 'a', 'style:num-prefix="(" style:num-suffix=")"')}${level(3, 'I', 'text:display-levels="3" text:start-value="4"')}</text:list-style>` +
      '<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>';
    const list = (items: string, attributes = ''): string => `<text:list ${attributes}>${items}</text:list>`;
    const item = (content: string, nested = '', attributes = ''): string =>
      `<text:list-item ${attributes}>${content === '' ? '' : p(content)}${nested}</text:list-item>`;
    const body =
      '<text:h text:outline-level="1">A</text:h><text:h text:outline-level="2">B</text:h>' +
      list(
        item('one', list(item('x') + item('y', list(item('deep'))))) +
          item('', list(item('z'))) +
          item('two') +
          item('seven', '', 'text:start-value="7"'),
        'text:style-name="N"',
      ) +
      p('between') +
      list(item('eight'), 'text:style-name="N" text:continue-numbering="true"') +
      list(item('one again'), 'text:style-name="N"') +
      '<text:h text:outline-level="1">C</text:h><text:h text:outline-level="2" text:is-list-header="true">D</text:h><text:h text:outline-level="2">E</text:h>';
    expect(await text(body, { styles })).toBe(
      '1 A\n\n1.1 B\n\n1. one\n  (a) x\n  (b) y\n    1.b.IV deep\n  (a) z\n2. two\n7. seven\n\nbetween\n\n8. eight\n1. one again\n\n2 C\n\nD\n\n2.1 E',
    );
  });

  it('keeps notes out of the list that refers to them', async () => {
    const note = (kind: string, content: string): string =>
      `<text:note text:note-class="${kind}"><text:note-citation>9</text:note-citation><text:note-body>${p(content)}</text:note-body></text:note>`;
    const body = `<text:list><text:list-item>${p(`item${note('footnote', 'below')}`)}</text:list-item></text:list>${p(`end${note('endnote', 'last')}`)}`;
    expect(await text(body)).toBe('- item[^1]\n\nend[^e1]\n\n[^1]: below\n[^e1]: last');
    expect(await text(body, {}, { includeNotes: false })).toBe('- item\n\nend');
  });
});

describe('OdpReader', () => {
  const odp = async (body: string, parts?: OdfParts, options?: SlideReaderOptions) =>
    (await new OdpReader(bytesResource(odf('presentation', body, parts)), options).read()).map((one) => [
      one.text,
      one.metadata['title'],
      one.metadata['slide_number'],
      one.metadata['hidden'],
    ]);
  const frame = (kind: string, content: string): string =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${p(content)}</draw:text-box></draw:frame>`;

  it('puts the title first, and leaves out what stands on every slide', async () => {
    const automatic =
      '<style:style style:name="h" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const body =
      `<draw:page>${frame('outline', 'body')}${frame('title', 'Title')}${frame('footer', 'FOOT')}<draw:g><draw:custom-shape>${p('shape')}</draw:custom-shape></draw:g><presentation:notes>${frame('page-number', '7')}${frame('notes', 'said')}${frame('title', 'no title')}</presentation:notes></draw:page>` +
      `<draw:page/><draw:page draw:style-name="h">${p('hidden')}</draw:page>`;
    expect(await odp(body, { automatic })).toEqual([
      ['Title\n\nbody\n\nshape\n\nNotes: said\n\nno title', 'Title', 1, undefined],
      ['hidden', undefined, 3, true],
    ]);
    expect(await odp(body, { automatic }, { includeNotes: false, includeHidden: false })).toEqual([
      ['Title\n\nbody\n\nshape', 'Title', 1, undefined],
    ]);
  });
});

describe('OdsReader', () => {
  const ods = (body: string, options?: SheetReaderOptions): Promise<Document[]> =>
    new OdsReader(bytesResource(odf('spreadsheet', body)), options).read();
  const sheet = (rows: string): string => `<table:table table:name="S">${rows}</table:table>`;
  const cell = (content: string, attributes = ''): string =>
    `<table:table-cell ${attributes}>${content === '' ? '' : p(content)}</table:table-cell>`;
  const row = (cells: string, attributes = ''): string => `<table:table-row ${attributes}>${cells}</table:table-row>`;
  const only = async (rows: string, options?: SheetReaderOptions): Promise<string | undefined> =>
    (await ods(sheet(rows), { headerRow: false, ...options }))[0]?.text;

  it('reads cells as they are shown, dates by option', async () => {
    const rows = row(
      cell('1,50', 'office:value-type="float" office:value="1.5"') +
        cell('1.5.24', 'office:value-type="date" office:date-value="2024-05-01T00:00:00"') +
        cell('', 'office:value-type="float" office:value="7"') +
        `<table:table-cell><office:annotation>${p('COMMENT')}</office:annotation>${p('a')}${p('b')}</table:table-cell>`,
    );
    expect(await only(rows)).toBe('1,50\t2024-05-01\t7\ta b');
    expect(await only(rows, { dates: 'formatted' })).toBe('1,50\t1.5.24\t7\ta b');
  });

  it('repeats what is said to be there several times, and what covers several rows', async () => {
    const rows =
      row(cell('x', 'table:number-columns-repeated="2"') + cell('', 'table:number-columns-repeated="2"') + cell('y')) +
      row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"') +
      row(cell('z'), 'table:number-rows-repeated="2"') +
      row(
        cell('m', 'table:number-rows-spanned="2" table:number-columns-spanned="2"') +
          '<table:covered-table-cell/>' +
          cell('1'),
      ) +
      row(`<table:covered-table-cell table:number-columns-repeated="2"/>${cell('2')}`);
    expect(await only(rows)).toBe('x\tx\t\t\ty\nz\nz\nm\t\t1\nm\t\t2');
    expect((await ods(sheet(rows), { headerRow: false }))[0]?.metadata).toMatchObject({
      start_row: 1,
      end_row: 1048005,
    });
  });

  it('reads the sheets that are asked for', async () => {
    const body = ['A', 'B']
      .map((name) => `<table:table table:name="${name}">${row(cell(name))}</table:table>`)
      .join('');
    expect((await ods(body, { sheets: ['B'] })).map((one) => [one.text, one.metadata['sheet_number']])).toEqual([
      ['B', 2],
    ]);
  });

  it('does not make a sheet of gigabytes of one cell', async () => {
    for (const rows of [
      row(cell('x', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"'),
      row(cell('x'.repeat(1_000)), 'table:number-rows-repeated="1048576"'),
      row('<table:covered-table-cell table:number-columns-repeated="16384"/>').repeat(3_000),
      row(cell('x', 'table:number-columns-repeated="999999999"')),
    ]) {
      const error = await failure(
        new OdsReader(bytesResource(odf('spreadsheet', sheet(rows))), {
          limits: { maxTextLength: 10_000_000, maxRatio: 5_000 },
        }).read(),
      );
      expect(error.details['limit']).toBe('maxTextLength');
    }
  });
});
