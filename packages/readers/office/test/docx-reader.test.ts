import { bytesResource, type Document } from '@vernal/core';
import { DocxReader, type DocxReaderOptions } from '@vernal/readers-office';
import mammoth from 'mammoth';
import { describe, expect, it } from 'vitest';
import { type DocxParts, docx, heading, p, table } from './support/docx.js';
import { fixture, fixtureBytes } from './support/fixture.js';

const read = (body: string, parts?: DocxParts, options?: DocxReaderOptions): Promise<Document[]> =>
  new DocxReader(bytesResource(docx(body, parts), { filename: 'a.docx' }), options).read();
const text = async (body: string, parts?: DocxParts, options?: DocxReaderOptions): Promise<string | undefined> =>
  (await read(body, parts, { splitByHeadings: false, ...options }))[0]?.text;
const run = (content: string): string => `<w:p><w:r>${content}</w:r></w:p>`;

describe('DocxReader: sections', () => {
  it('makes a document of each heading, with its place', async () => {
    const documents = await read(
      [
        p('Before'),
        heading(1, 'A'),
        p('a'),
        heading(2, 'B'),
        p('b1'),
        p('b2'),
        heading(3, 'Empty'),
        heading(2, 'C'),
        p('c'),
      ].join(''),
      {
        core: '<dc:title>Handbook</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2024-05-01T10:00:00Z</dcterms:created><dc:subject> </dc:subject>',
      },
    );
    const common = {
      source: 'a.docx',
      mime_type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      document_title: 'Handbook',
      author: 'Ada',
      created: '2024-05-01T10:00:00Z',
      unit: 'section',
    };
    expect(documents.map((one) => [one.text, one.metadata])).toEqual([
      ['Before', { ...common, title: 'Handbook' }],
      ['a', { ...common, title: 'A', headings: ['A'], level: 1, category: 'header_1' }],
      ['b1\n\nb2', { ...common, title: 'B', headings: ['A', 'B'], level: 2, category: 'header_2' }],
      ['Empty', { ...common, title: 'Empty', headings: ['A', 'B', 'Empty'], level: 3, category: 'header_3' }],
      ['c', { ...common, title: 'C', headings: ['A', 'C'], level: 2, category: 'header_2' }],
    ]);
  });

  it('knows headings by the English name of their style, whatever its id, by what the style is based on, and by outline', async () => {
    const styles =
      '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
      '<w:style w:styleId="Own"><w:name w:val="Chapter"/><w:basedOn w:val="berschrift1"/></w:style>' +
      '<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>' +
      '<w:style w:styleId="Toc"><w:name w:val="TOC Heading"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>' +
      '<w:style w:styleId="Loop"><w:name w:val="x"/><w:basedOn w:val="Loop"/></w:style>';
    const styled = (id: string): string => p(id, `<w:pStyle w:val="${id}"/>`) + p(`below ${id}`);
    const documents = await read(['Titel', 'berschrift1', 'Own', 'Toc', 'Loop', 'Heading2'].map(styled).join(''), {
      styles,
    });
    expect(documents.map(({ metadata }) => [metadata['headings'], metadata['category']])).toEqual([
      [['Titel'], 'title'],
      [['Titel', 'berschrift1'], 'header_1'],
      [['Titel', 'Own'], 'header_1'],
      [['Titel', 'Own', 'Heading2'], 'header_2'],
    ]);
    expect(documents[2]?.text).toBe('below Own\n\nToc\n\nbelow Toc\n\nLoop\n\nbelow Loop');
  });

  it('is one document when asked to', async () => {
    const documents = await read(
      heading(1, 'A') + p('a'),
      { core: '<dc:title>T</dc:title>' },
      { splitByHeadings: false },
    );
    expect(documents.map((one) => [one.text, one.metadata['title'], one.metadata['unit']])).toEqual([
      ['A\n\na', 'T', 'document'],
    ]);
  });

  it('makes nothing of a page without text', async () => {
    expect(await read('')).toEqual([]);
    expect(await read(`${p(' ')}${table(['', ' '])}`)).toEqual([]);
  });
});

describe('DocxReader: text', () => {
  it.each([
    [
      'tabs and breaks',
      run(
        '<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t><w:noBreakHyphen/><w:t>e</w:t><w:softHyphen/><w:t>f</w:t>',
      ),
      'a\tb\nc\nd-ef',
    ],
    [
      'no tab of a tab stop',
      `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`,
      'a',
    ],
    ['runs that join', '<w:p><w:r><w:t>wor</w:t></w:r><w:proofErr/><w:r><w:t>d</w:t></w:r></w:p>', 'word'],
    [
      'changes',
      '<w:p><w:del><w:r><w:delText>GONE</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>OLD</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo></w:p>',
      'newmoved',
    ],
    [
      'deleted rows',
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>GONE</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
      'a',
    ],
    [
      'hidden runs',
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>HIDDEN</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>seen</w:t></w:r></w:p>',
      'seen',
    ],
    [
      'a hidden paragraph mark',
      '<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>seen</w:t></w:r></w:p>',
      'seen',
    ],
    [
      'fields',
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>NO</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="DATE"><w:r><w:t> May</w:t></w:r></w:fldSimple></w:p>',
      '7 May',
    ],
    [
      'symbols',
      run(
        '<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Unknown" w:char="E000"/><w:sym w:font="Arial" w:char="00e9"/><w:sym w:char="zz"/>',
      ),
      '🗹αé',
    ],
    [
      'phonetic guides',
      run('<w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby>'),
      '漢',
    ],
    [
      'content controls',
      '<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>',
      'a',
    ],
    [
      'formulas',
      '<w:p><m:oMath xmlns:m="m"><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>',
      '1/2',
    ],
    ['characters of all planes', p('Größe 日本 🌷 &amp; &#x1F680; &lt;'), 'Größe 日本 🌷 & 🚀 <'],
  ])('%s', async (_, body, expected) => {
    expect(await text(body)).toBe(expected);
  });

  it('puts text boxes behind their paragraph, once', async () => {
    const box = (content: string): string => `<w:txbxContent>${p(content)}${p('more')}</w:txbxContent>`;
    const body = `<w:p><w:r><w:t>be</w:t></w:r><w:r><mc:AlternateContent xmlns:mc="m"><mc:Choice>${box('boxed')}</mc:Choice><mc:Fallback>${box('boxed')}</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>side</w:t></w:r></w:p>${p('after')}`;
    expect(await text(body)).toBe('beside\n\nboxed\n\nmore\n\nafter');
    expect(
      await text(
        '<w:p><w:r><mc:AlternateContent xmlns:mc="m"><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>',
      ),
    ).toBe('old');
  });

  it('writes targets behind links when asked to', async () => {
    const body =
      '<w:p><w:hyperlink r:id="l1"><w:r><w:t>here</w:t></w:r></w:hyperlink><w:hyperlink w:anchor="x"><w:r><w:t> there</w:t></w:r></w:hyperlink>' +
      '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> HYPERLINK "https://f.invalid/" </w:instrText><w:fldChar w:fldCharType="separate"/><w:t> field</w:t><w:fldChar w:fldCharType="end"/></w:r></w:p>';
    const parts = { links: { l1: 'https://l.invalid/?a=1&amp;b=2' } };
    expect(await text(body, parts)).toBe('here there field');
    expect(await text(body, parts, { includeLinkUrls: true })).toBe(
      'here (https://l.invalid/?a=1&b=2) there field (https://f.invalid/)',
    );
  });

  it('numbers lists as Word does', async () => {
    const level = (at: number, format: string, marker: string, start = 1, more = ''): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${marker}"/>${more}</w:lvl>`;
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'upperRoman', '%1.%3', 3)}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1', 1, '<w:pStyle w:val="H"/>')}${level(1, 'decimal', '%1.%2', 1, '<w:pStyle w:val="H2"/>')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
      '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>';
    const styles =
      '<w:style w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>';
    const item = (list: number, at: number, content: string): string =>
      p(content, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
    const body = [
      p('First', '<w:pStyle w:val="H"/>'),
      item(1, 0, 'a'),
      item(1, 1, 'b'),
      item(1, 2, 'c'),
      item(1, 1, 'd'),
      item(1, 0, 'e'),
      item(1, 1, 'f'),
      p('Second', '<w:pStyle w:val="H2"/>'),
      item(2, 0, 'bullet'),
      item(3, 0, 'five'),
      item(3, 0, 'six'),
      item(0, 0, 'none'),
      p('Third', '<w:pStyle w:val="H2"/>'),
      p('Fourth', '<w:pStyle w:val="H"/>'),
    ].join('');
    expect(await text(body, { numbering, styles })).toBe(
      '1 First\n\n1. a\n  a) b\n    1.III c\n  b) d\n2. e\n  a) f\n\n1.1 Second\n\n- bullet\n5. five\n6. six\n\nnone\n\n1.2 Third\n\n2 Fourth',
    );
  });

  it('keeps rows on their line, and repeats what is merged over several', async () => {
    const merged = (kind: string, content: string): string => `<w:tcPr><w:vMerge${kind}/></w:tcPr>${p(content)}`;
    const wide = `<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p('wide')}`;
    const body =
      table(
        ['Region', 'Kind', 'Units'],
        [merged(' w:val="restart"', 'EU'), 'Cable', p('1') + p('2')],
        [merged('', ''), 'Hub', '7'],
        [wide, 'x'],
        ['US', '', 'y'],
      ) + table(['other', table(['in', 'side'], ['two', 'rows'])]);
    expect(await text(body)).toBe(
      'Region | Kind | Units\nEU | Cable | 1 2\nEU | Hub | 7\nwide |  | x\nUS |  | y\n\nother | [in | side; two | rows]',
    );
  });

  it('puts notes at the end of their section', async () => {
    const ref = (kind: string, id: number): string =>
      `<w:p><w:r><w:t>see</w:t><w:${kind}Reference w:id="${id}"/></w:r></w:p>`;
    const parts = {
      footnotes: `<w:footnote w:type="separator" w:id="-1">${p('SEPARATOR')}</w:footnote><w:footnote w:id="2">${p('one')}${p('two')}</w:footnote><w:footnote w:id="3">${p('NEVER')}</w:footnote>`,
      endnotes: `<w:endnote w:id="2">${p('end')}</w:endnote>`,
    };
    const body =
      heading(1, 'A') +
      ref('footnote', 2) +
      p('more') +
      ref('footnote', 9) +
      heading(1, 'B') +
      table([ref('endnote', 2)]);
    expect((await read(body, parts)).map((one) => one.text)).toEqual([
      'see[^1]\n\nmore\n\nsee\n\n[^1]: one two',
      'see[^e1]\n\n[^e1]: end',
    ]);
    expect((await read(body, parts, { includeNotes: false })).map((one) => one.text)).toEqual([
      'see\n\nmore\n\nsee',
      'see',
    ]);
  });

  it('repeats no note that is referred to twice', async () => {
    const ref = '<w:r><w:t>see</w:t><w:footnoteReference w:id="2"/></w:r>';
    expect(
      await text(`<w:p>${ref}${ref}</w:p>`, { footnotes: `<w:footnote w:id="2">${p('below')}</w:footnote>` }),
    ).toBe('see[^1]see[^1]\n\n[^1]: below');
  });

  it('leaves headers and footers out unless asked for', async () => {
    const parts = { header: p('HEAD'), footer: p('FOOT') };
    expect(await text(p('body'), parts)).toBe('body');
    expect(await text(p('body'), parts, { includeHeadersAndFooters: true })).toBe('HEAD\n\nbody\n\nFOOT');
  });
});

describe('DocxReader: files', () => {
  it('reads rows, a deletion, a tab and a line break of a file that broke others', async () => {
    const documents = await new DocxReader(fixture('rows-and-deletions.docx')).read();
    expect(documents.map((one) => [one.metadata['title'], one.text])).toEqual([
      [
        'Report',
        'Intro paragraph.\n\nRegion | Product | Units\nEU | Cable | 12\nUS | Hub | 7\n\nClosing paragraph.\n\nKept inserted\ttab\nnewline',
      ],
    ]);
  });

  it('reads what LibreOffice wrote', async () => {
    const documents = await new DocxReader(fixture('garden.docx')).read();
    expect(documents.map((one) => [one.metadata['headings'], one.text])).toEqual([
      [undefined, 'Before any heading.'],
      [
        ['Roses'],
        'They are red,\tmostly.\nSee the page on them.[^1]\n\n- water\n  - in the morning\n- prune\n\n[^1]: Some are white.',
      ],
      [
        ['Roses', 'Prices'],
        'Region | Kind | Units\nEU | Tea | 12\nEU | Moss | 7\n\nAfter the table.[^e1]\n\n[^e1]: Prices of 2024.',
      ],
      [['Tulips'], '1. plant\n  a) deep\n  b) apart\n2. wait\n\nGröße 5 €, 日本語 🌷.'],
      [['Empty'], 'Empty'],
    ]);
    expect(documents[0]?.metadata).toMatchObject({
      document_title: 'Garden handbook',
      author: 'Ada Green',
      keywords: 'roses',
      created: '2024-05-01T10:00:00Z',
    });
  });

  it('finds every word that mammoth finds, in its order', async () => {
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(fixtureBytes('garden.docx')) });
    const [whole] = await new DocxReader(fixture('garden.docx'), {
      splitByHeadings: false,
      includeNotes: false,
    }).read();
    // Markers are ours; a cell over two rows is repeated.
    const words = (found: string): string[] =>
      (found.match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word, at, all) => all.indexOf(word) === at);
    expect(words(whole?.text ?? '')).toEqual(words(value));
  });
});
