import { bytesResource } from '@vernal/core';
import { PagePdfDocumentReader, type PagePdfReaderOptions } from '@vernal/readers-pdf';
import { describe, expect, it } from 'vitest';
import { fixture } from './fixture.js';
import { line, lines, type PdfSource, pdf, toUnicode, turned } from './pdf-builder.js';

async function texts(source: PdfSource | Uint8Array, options?: PagePdfReaderOptions): Promise<(string | undefined)[]> {
  const bytes = source instanceof Uint8Array ? source : pdf(source);
  const documents = await new PagePdfDocumentReader(bytesResource(bytes), { worker: false, ...options }).read();
  return documents.map((document) => document.text);
}

const textOf = async (content: string, options?: PagePdfReaderOptions): Promise<string | undefined> =>
  (await texts({ pages: [content] }, options))[0];

describe('columns', () => {
  it('are read one after the other, though their lines are drawn in turns', async () => {
    expect(await texts(await fixture('two-columns.pdf'))).toEqual([
      'Left one starts here left two goes on and left three ends.\n\n' +
        'Right one begins now right two goes on and right three stops.\n\n' +
        'STREET 82\tAmount\n4835 TOWN',
    ]);
  });

  it('stand between a title and a foot, as many as there are', async () => {
    const column = (name: string): string[] =>
      ['one', 'two', 'three', 'four.'].map((row) => `${name} column, its line number ${row}`);
    const content =
      line('A title that stands over all of the columns of this page, from left to right', 20, 370, 12) +
      ['First', 'Second', 'Third'].map((name, at) => lines(column(name), 20 + at * 190, 340)).join('') +
      line('page 7', 280, 20);
    expect(await texts({ pages: [{ content, entries: '/MediaBox [0 0 600 400]' }] })).toEqual([
      [
        'A title that stands over all of the columns of this page, from left to right',
        ...['First', 'Second', 'Third'].map((name) => column(name).join(' ')),
        'page 7',
      ].join('\n\n'),
    ]);
  });

  it('need not be level, and a paragraph goes on in the next one', async () => {
    const left = [
      'The lamps along the river',
      'are lit when it gets dark,',
      'and they are counted by a',
      'woman with a dog who has',
    ];
    const right = [
      'done so for many a year',
      'without ever being asked',
      'by anybody at all in town',
      'for the reason.',
    ];
    const content = lines(left, 20, 300) + lines(right, 160, 306);
    expect(await textOf(content)).toBe([...left, ...right].join(' '));
  });

  it('may hold one line, and begin with a heading each', async () => {
    const left = [
      'Roses',
      'are grown in the valley and',
      'on the hills above it, where',
      'it is warm enough for them.',
    ];
    const heading = line(left[0] ?? '', 20, 316, 13) + lines(left.slice(1), 20, 300);
    const text = `Roses\n\n${left.slice(1).join(' ')}`;
    const one = await textOf(heading + line('This line is all that is left.', 160, 300));
    expect(one).toBe(`${text}\n\nThis line is all that is left.`);
    const two =
      line('Tulips', 160, 316, 13) + lines(['are grown along the sea on', 'flat land, as far as one sees.'], 160, 294);
    expect(await textOf(line('Handbook', 20, 380) + line('Edition', 230, 380) + heading + two)).toBe(
      `Handbook\tEdition\n\n${text}\n\nTulips\n\nare grown along the sea on flat land, as far as one sees.`,
    );
  });

  it('of numbers are a table', async () => {
    const rows = [
      ['Name', 'Amount', 'Price'],
      ['Roses', '12', '3.50'],
      ['Tulips and others', '7', '12.00'],
      ['Lilies', '120', '0.80'],
    ];
    const content = rows
      .map((row, at) => row.map((cell, column) => line(cell, 20 + column * 110, 300 - at * 14)).join(''))
      .join('');
    expect(await textOf(content)).toBe(rows.map((row) => row.join('\t')).join('\n'));
  });
});

describe('paragraphs', () => {
  const first = [
    'Roses are grown in the valley, and they are',
    'red, white and yellow, as their gardeners',
    'want them.',
  ];
  const second = ['Tulips came from far away, and they cost a', 'fortune once, which nobody believes now.'];

  it.each([
    ['stand apart', lines(first, 20, 300) + lines(second, 20, 252), [first.join(' '), second.join(' ')].join('\n\n')],
    [
      'begin further in',
      line('Roses are grown in the valley, and they', 30, 300) +
        lines(['are red, white and yellow, as gardeners like', 'them best.'], 20, 288) +
        line('Tulips came from far away, and they cost', 30, 264) +
        line('fortunes once.', 20, 252),
      'Roses are grown in the valley, and they are red, white and yellow, as gardeners like them best.\n\n' +
        'Tulips came from far away, and they cost fortunes once.',
    ],
    ['stand below a heading', line('Flowers', 20, 320, 14) + lines(first, 20, 300), `Flowers\n\n${first.join(' ')}`],
    [
      'are entries of a list, which hang',
      line('\x95 Roses are grown in the valley, and they', 20, 300) +
        line('are red, white and yellow.', 28, 288) +
        line('\x95 Tulips came from far away.', 20, 276),
      '• Roses are grown in the valley, and they are red, white and yellow.\n• Tulips came from far away.',
    ],
    [
      'are an address, whose lines are short',
      lines(['Garden Ltd', '12 Long Street', 'Townsville'], 20, 200) + lines(first, 20, 320),
      `${first.join(' ')}\n\nGarden Ltd\n12 Long Street\nTownsville`,
    ],
    [
      'are lines of a program, which are short',
      lines(first, 20, 340) +
        line('garden(', 20, 290) +
        line('roses: 12,', 30, 278) +
        line('lilies: 3', 30, 266) +
        line(');', 20, 254),
      `${first.join(' ')}\n\ngarden(\nroses: 12,\nlilies: 3\n);`,
    ],
    [
      'have lines that are shorter than they could be',
      lines(
        [
          'In the valley there are roses in all colours of',
          'the world, so that whoever comes is glad',
          'to be here, and stays.',
        ],
        20,
        300,
      ),
      'In the valley there are roses in all colours of the world, so that whoever comes is glad to be here, and stays.',
    ],
    [
      'are a table of contents',
      line('1 Roses . . . . . . . . . . . . . . . . . . . 3', 20, 300) +
        line('2 Tulips . . . . . . . . . . . . . . . . . . . 7', 20, 288),
      '1 Roses . . . . . . . . . . . . . . . . . . . 3\n2 Tulips . . . . . . . . . . . . . . . . . . . 7',
    ],
  ])('%s', async (_, content, text) => {
    expect(await textOf(content)).toBe(text);
  });

  it('go on over the end of a page in one document', async () => {
    const pages = [
      lines(['Roses are grown in the valley, and they'], 20, 300),
      lines(['are red.'], 20, 300),
      line('Next.', 20, 300),
    ];
    expect(await texts({ pages }, { pagesPerDocument: 0 })).toEqual([
      'Roses are grown in the valley, and they are red.\n\nNext.',
    ]);
  });
});

describe('words', () => {
  it('keep their ligatures, are not cut by kerning, and are joined at the end of a line', async () => {
    const bytes = await fixture('ligatures-and-hyphens.pdf');
    expect(await texts(bytes)).toEqual([
      'An efficient office finds the flow.\n\nWord two AVA\n\nThe information is well-known to all.\n\nRange 10-20 stays.',
    ]);
    expect((await texts(bytes, { joinHyphenated: false }))[0]).toContain('The infor-\nmation is well-\nknown to all.');
  });

  it.each([
    [
      'a word that the page has elsewhere with its hyphen',
      'A re-entry is a re-',
      'entry of old. Again a re-entry.',
      'A re-entry is a re-entry of old. Again a re-entry.',
    ],
    ['a capital', 'We go to Baden-', 'Baden by train.', 'We go to Baden-Baden by train.'],
    ['a hyphen for a word to come', 'It has two-', 'or threefold use.', 'It has two- or threefold use.'],
    ['a dash', 'He came -', 'and went.', 'He came - and went.'],
  ])('keep a hyphen before %s', async (_, above, below, text) => {
    expect(await textOf(lines([above, below], 20, 300))).toBe(text);
  });

  it('are joined where pdf.js drops the soft hyphen of justified text', async () => {
    // 'Courier': six points a letter, so that all lines but the broken one end alike.
    const fonts = { F: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>' };
    const rows = [
      'the gardens are open all the year to',
      'whoever wants to see them and whoe',
      'ver does not is free to go elsewhere',
      'and will be told of what he did miss',
      'by those who went there early enough',
      'to see the lilies.',
    ];
    const content = lines(rows, 20, 300)
      .replace('BT /F 10 Tf 20 288 Td', 'BT /F 10 Tf 0.27 Tc 20 288 Td')
      .replace('BT /F 10 Tf 20 276 Td', 'BT /F 10 Tf 0 Tc 20 276 Td');
    expect((await texts({ pages: [content], fonts }))[0]).toContain('see them and whoever does not');
  });

  it('hold no control characters, and bullets of symbol fonts are bullets', async () => {
    const fonts = { F: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 1000 0 R >>' };
    const codes = { 65: 'a\u0000', 66: 'b', 67: '\u001f', 68: '\uf0b7', 69: '\ufb03', 70: '\u0007' };
    expect(await texts({ pages: [line('ABCFDE', 20, 300)], fonts, objects: { 1000: toUnicode(codes) } })).toEqual([
      'ab•ffi',
    ]);
  });

  it('that are drawn twice to look bold are read once', async () => {
    expect(await textOf(line('Bold', 20, 300) + line('Bold', 20.3, 300) + line('word', 46, 300))).toBe('Bold word');
  });
});

describe('scripts', () => {
  const wide = (name: string, map: string, ordering: string): string =>
    `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /${map} /DescendantFonts [ << /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 4 /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 80 /CapHeight 700 /FontBBox [0 -120 1000 880] >> >> ] >>`;
  const fonts = {
    C: wide('STSong-Light', 'UniGB-UCS2-H', 'GB1'),
    J: wide('HeiseiMin-W3', 'UniJIS-UCS2-H', 'Japan1'),
    V: wide('HeiseiMin-W3', 'UniJIS-UCS2-V', 'Japan1'),
    K: wide('HYSMyeongJo-Medium', 'UniKS-UCS2-H', 'Korea1'),
    T: wide('MSung-Light', 'UniCNS-UCS2-H', 'CNS1'),
    G: wide('STSong-Light', 'GBK-EUC-H', 'GB1'),
  };
  const show = (font: string, text: string, x: number, y: number, spacing = 0): string => {
    const hex = [...text].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('');
    return `BT /${font} 10 Tf ${spacing} Tc ${x} ${y} Td <${hex}> Tj ET\n`;
  };

  it.each([
    [
      'Chinese, whose lines join without a space',
      show('C', '春天来了，花园里的玫瑰都开', 20, 350) + show('C', '了。', 20, 336),
      '春天来了，花园里的玫瑰都开了。',
    ],
    ['Chinese that is set wide', show('C', '春天来了', 20, 350, 2), '春天来了'],
    ['traditional Chinese', show('T', '繁體中文', 20, 240), '繁體中文'],
    ['Chinese in an encoding of its own', 'BT /G 10 Tf 20 300 Td <B4BACCEC> Tj ET\n', '春天'],
    ['Japanese', show('J', '日本語の文章です。カタカナ', 20, 300), '日本語の文章です。カタカナ'],
    [
      'vertical Japanese, from right to left',
      show('V', '縦書きの文章', 250, 350) + show('V', 'です。二行目', 236, 350),
      '縦書きの文章です。二行目',
    ],
    ['Korean, which has spaces', show('K', '안녕하세요 세계', 20, 270), '안녕하세요 세계'],
  ])('reads %s, whose character maps are those of the package', async (_, content, text) => {
    expect(await texts({ pages: [content], fonts })).toEqual([text]);
  });

  it('reads Hebrew and Arabic from right to left, with what runs the other way in it', async () => {
    const letters = [...new Set([...'שלום עולם مرحبا'].filter((letter) => letter !== ' '))];
    const codes = Object.fromEntries(letters.map((letter, at) => [65 + at, letter]));
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 1000 0 R >>';
    /** As programs draw it: from left to right, the last letter first. */
    const drawn = (text: string, x: number, y: number): string => {
      const glyphs = [...text]
        .reverse()
        .map((letter) => (letter === ' ' ? ' ' : String.fromCharCode(65 + letters.indexOf(letter))));
      return `BT /R 10 Tf ${x} ${y} Td (${glyphs.join('').replace(/[\\()]/g, '\\$&')}) Tj ET\n`;
    };
    const pages = [
      drawn('שלום עולם', 200, 300),
      drawn('مرحبا', 200, 300),
      drawn('שלום', 240, 300) + line('Node 20', 190, 300) + drawn('עולם', 150, 300),
    ];
    const fonts = { F: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>', R: font };
    expect(await texts({ pages, fonts, objects: { 1000: toUnicode({ ...codes, 32: ' ' }) } })).toEqual([
      'שלום עולם',
      'مرحبا',
      'שלום Node 20 עולם',
    ]);
  });
});

describe('turned text', () => {
  it.each<[string, PdfSource['pages'][number], string]>([
    [
      'a watermark and lines of the margin',
      line('Upright text of the page', 20, 350) + turned('DRAFT', 45, 100, 100) + turned('in the margin', 90, 292, 50),
      'Upright text of the page\n\nin the margin\n\nDRAFT',
    ],
    [
      'a page that is turned',
      {
        content: turned('A page that is turned', 90, 50, 50) + turned('has its lines in order', 90, 62, 50),
        entries: '/Rotate 90',
      },
      'A page that is turned has its lines in order',
    ],
    [
      'a table that lies on its side',
      turned('A table on its side', 90, 50, 50) + turned('on an upright page', 90, 62, 50),
      'A table on its side on an upright page',
    ],
    [
      'a page upside down',
      {
        content: turned('This one is upside down', 180, 250, 50) + turned('with a second line', 180, 250, 62),
        entries: '/Rotate 180',
      },
      'This one is upside down with a second line',
    ],
    [
      'a scan that is a little askew',
      turned('A scan that is askew', 2, 20, 300) +
        turned('and long', 2, 116, 303.4) +
        turned('has a second line', 2, 20.4, 288),
      'A scan that is askew and long has a second line',
    ],
  ])('reads %s', async (_, page, text) => {
    expect(await texts({ pages: [page] })).toEqual([text]);
  });
});

describe("the layout 'physical'", () => {
  it('puts text where it stands, without padding, and drops nothing', async () => {
    const rows = [
      ['Name', 'Amount', 'Price'],
      ['Roses', '12', '3.50'],
      ['Tulips and others', '7', '12.00'],
    ];
    const content =
      line('The garden shop', 100, 350) +
      rows.map((row, at) => row.map((cell, column) => line(cell, 20 + column * 110, 300 - at * 14)).join('')).join('');
    expect(await textOf(content, { layout: 'physical' })).toBe(
      [
        '                The garden shop',
        '',
        'Name                  Amount                Price',
        'Roses                 12                    3.50',
        'Tulips and others     7                     12.00',
      ].join('\n'),
    );
  });

  it('knows ligatures and kerning, too, and has room for what is too wide', async () => {
    const [text] = await texts(await fixture('ligatures-and-hyphens.pdf'), { layout: 'physical' });
    expect(text).toContain('An efficient office finds the flow.');
    expect(text).toContain('Word two AVA');
    expect(
      await textOf(line('wide', 20, 300, 30) + line('small', 85, 300, 5) + line('x', 98, 300, 5), {
        layout: 'physical',
      }),
    ).toMatch(/^wide +small x$/);
  });
});

describe('what is left out', () => {
  const page = (number: number): string =>
    line('Handbook of roses', 20, 380) +
    line(`Page ${number}`, 250, 380) +
    lines(['First line of text', 'and the second.'], 20, 300) +
    line(String(number), 140, 20);

  it('is what stands in the margins', async () => {
    const rules = { pageTopMargin: 40, pageBottomMargin: 40 };
    expect(await texts({ pages: [page(1)] }, rules)).toEqual(['First line of text and the second.']);
    const turnedPage = { content: turned('head', 90, 10, 50) + turned('text', 90, 100, 50), entries: '/Rotate 90' };
    expect(await texts({ pages: [turnedPage] }, rules)).toEqual(['text']);
  });

  it('are lines at the top and at the bottom, from a page on', async () => {
    const rules = {
      numberOfTopTextLinesToDelete: 1,
      numberOfBottomTextLinesToDelete: 1,
      numberOfTopPagesToSkipBeforeDelete: 1,
    };
    for (const layout of ['reading', 'physical'] as const) {
      const [first, second] = await texts({ pages: [page(1), page(2)] }, { ...rules, layout });
      expect(first).toContain('Handbook');
      expect(second).toBe(`First line of text${layout === 'reading' ? ' ' : '\n'}and the second.`);
    }
  });

  it('is all, where there are no more lines than that', async () => {
    const rules = { numberOfTopTextLinesToDelete: 1, numberOfBottomTextLinesToDelete: 2 };
    expect(
      await texts({ pages: [lines(['one', 'two'], 20, 300), lines(['a', 'b', 'c', 'd'], 20, 300)] }, rules),
    ).toEqual(['b']);
  });

  it('are heads and feet that come again, but for their numbers, if that is asked for', async () => {
    const pages = [page(1), page(2), page(3), line('Another text', 20, 380)];
    const kept = 'First line of text and the second.';
    expect(await texts({ pages }, { dropRepeatedLines: true })).toEqual([kept, kept, kept, 'Another text']);
    expect(await texts({ pages: [page(1)] }, { dropRepeatedLines: true })).toHaveLength(1);
  });
});
