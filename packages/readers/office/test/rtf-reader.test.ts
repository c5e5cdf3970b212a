import { bytesResource, type Document } from '@vernal/core';
import { DocxReader, RtfReader, type RtfReaderOptions } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { failure } from './support/failure.js';
import { fixture } from './support/fixture.js';

/** The bytes of a text without characters beyond Latin-1. */
const bytes = (rtf: string): Uint8Array => new Uint8Array(Buffer.from(rtf, 'latin1'));
const read = (body: string, options?: RtfReaderOptions): Promise<Document[]> =>
  new RtfReader(bytesResource(bytes(`{\\rtf1\\ansi\\ansicpg1252 ${body}}`), { filename: 'a.rtf' }), options).read();
const text = async (body: string, options?: RtfReaderOptions): Promise<string | undefined> =>
  (await read(body, { splitByHeadings: false, ...options }))[0]?.text;

describe('RtfReader', () => {
  it.each([
    ['line ends that are none', 'a\r\nb\\par\nc', 'ab\n\nc'],
    ['breaks, tabs and dashes', 'a\\line b\\tab c\\emdash d\\~e\\_f\\-g\\page h', 'a\nb\tc—d e-fg\nh'],
    ['escapes', "\\{a\\}\\\\b\\'e9", '{a}\\bé'],
    ['a line end behind a backslash', 'a\\\nb', 'a\n\nb'],
    ['quotes', '\\ldblquote a\\rdblquote  \\lquote b\\rquote', '“a” ‘b’'],
    [
      'Unicode with fallbacks of any length',
      "\\uc1\\u26085?\\u26412\\'93 \\uc2\\u8364EU{\\uc0\\u233}\\u-3913?? \\u55356 ??\\u57146 ??",
      '日本 €é 🌺',
    ],
    [
      'the code page of a font',
      "{\\fonttbl{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Gothic;}{\\f3\\fcharset0 Arial;}}{\\f1 \\'cf\\'f0\\'e8}{\\f2 \\'93\\'fa\\'96{}{}}{\\f2 \\'93\\'fa\\'96\\'7b}{\\f3 \\'80}",
      'При日�日本€',
    ],
    ['the code page of the file', "\\ansicpg1251 \\'cf", 'П'],
    [
      'fonts of symbols',
      "{\\fonttbl{\\f1\\fcharset2 Wingdings;}{\\f2\\fcharset2 Symbol;}}{\\f1 \\'fe}{\\f2 a}{\\f1\\u-3842?}",
      '🗹α🗹',
    ],
    ['no hidden and no deleted text', 'a{\\v HIDDEN}{\\deleted GONE}\\v HIDDEN\\v0 b\\v x\\plain c', 'abc'],
    [
      'no pictures, objects, headers, comments',
      'a{\\pict\\wmetafile8 0102}{\\pict\\bin5 {{{}}}{\\object{\\objdata 01}{\\result res}}{\\header HEAD}{\\*\\annotation COMMENT}{\\*\\unknown NO}{\\xe{index}}b',
      'ab',
    ],
    [
      'text boxes behind their paragraph',
      'be{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt boxed\\par more\\par}}{\\shprslt NO}}side\\par after',
      'beside\n\nboxed\n\nmore\n\nafter',
    ],
    [
      'lists',
      "{\\listtext\\pard\\plain 1.\\tab}\\ilvl0 one\\par{\\listtext\\'b7\\tab}\\ilvl1 two\\par\\pard{\\pntext\\f1\\'B7\\tab}old\\par{\\listtext \\u61623\\'3f\\tab}unknown\\par",
      '1. one\n  - two\n- old\n- unknown',
    ],
    ['words of any length', `a\\${'x'.repeat(10_000)}5 b`, `a${'x'.repeat(10_000 - 32)}5 b`],
    ['numbers of any size', 'a\\u99999999999999999999?\\li-99999999999999 b', 'ab'],
    ['half a character', 'a\\u55356?b', 'a\ufffdb'],
  ])('reads %s', async (_, body, expected) => {
    expect(await text(body)).toBe(expected);
  });

  it('knows headings by the outline, and by the names of styles', async () => {
    const styles =
      '{\\stylesheet{\\s0 Normal;}{\\s1\\sbasedon0 heading 1;}{\\s2\\outlinelevel1 Own;}{\\s3 Title;}{\\*\\cs9 Chars;}}';
    const documents = await read(
      `${styles}{\\info{\\title Hand{\\b book}}{\\author \\u197?da}{\\creatim\\yr2024\\mo5\\dy1\\hr9\\min5}{\\revtim\\yr0}{\\operator X}}\\pard\\s3 T\\par\\pard\\s1{\\listtext 1.\\tab}A\\par\\pard a\\par\\pard\\s2 B\\par\\pard b\\par\\pard\\s2\\outlinelevel9 no\\par\\pard\\outlinelevel3 C\\par`,
    );
    expect(documents.map(({ text: found, metadata }) => [found, metadata['headings'], metadata['level']])).toEqual([
      ['a', ['T', '1. A'], 1],
      ['b\n\nno', ['T', '1. A', 'B'], 2],
      ['C', ['T', '1. A', 'B', 'C'], 4],
    ]);
    expect(documents[0]?.metadata).toMatchObject({
      source: 'a.rtf',
      mime_type: 'application/rtf',
      unit: 'section',
      document_title: 'Handbook',
      author: 'Åda',
      created: '2024-05-01T09:05',
    });
    expect(documents[0]?.metadata['modified']).toBeUndefined();
  });

  it('keeps rows on their line, and repeats what is merged over several', async () => {
    const row = (definition: string, ...cells: readonly string[]): string =>
      `\\trowd ${definition} ${cells.map((cell) => `\\pard\\intbl ${cell}\\cell`).join('')}\\row `;
    const body = `before\\par${row('\\cellx1\\cellx2\\cellx3', 'R', 'K', 'n')}${row('\\clvmgf\\cellx1\\clmgf\\cellx2\\clmrg\\cellx3', 'EU', 'wide', '')}${row('\\clvmrg\\cellx1\\cellx2\\cellx3', '', 'a\\par b', '7')}\\pard after\\par${row('\\cellx1', 'new')}`;
    expect(await text(body)).toBe('before\n\nR | K | n\nEU | wide\nEU | a b | 7\n\nafter\n\nnew');
    expect(
      await text(
        '\\pard\\intbl x\\pard\\intbl\\itap2 a\\nestcell b\\nestcell{\\*\\nesttableprops\\trowd\\cellx1\\nestrow}\\pard\\intbl\\cell\\row',
      ),
    ).toContain('a');
  });

  it('puts notes at the end of their section, and targets behind links', async () => {
    const body =
      'see{\\super\\chftn{\\footnote\\pard\\chftn  one\\par two}} and{\\footnote\\ftnalt last}\\par{\\field{\\*\\fldinst{HYPERLINK "https://l.invalid/"}}{\\fldrslt here}}{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}';
    expect(await text(body)).toBe('see[^1] and[^e1]\n\nhere7\n\n[^1]: one two\n[^e1]: last');
    expect(await text(body, { includeNotes: false, includeLinkUrls: true })).toBe(
      'see and\n\nhere (https://l.invalid/)7',
    );
  });

  it('reads what LibreOffice wrote as it reads what LibreOffice made of the same page for Word', async () => {
    const content = (documents: readonly Document[]) =>
      documents.map(({ text: found, metadata }) => [
        found,
        metadata['headings'],
        metadata['document_title'],
        metadata['author'],
      ]);
    expect(content(await new RtfReader(fixture('garden.rtf')).read())).toEqual(
      content(await new DocxReader(fixture('garden.docx')).read()),
    );
  });

  it('says that a file is another, or cut off', async () => {
    const reason = async (content: string) =>
      (await failure(new RtfReader(bytesResource(bytes(content))).read())).details['reason'];
    expect(await reason('Hello')).toBe('wrong_type');
    expect(await reason('{\\rtf1 a{\\b b}')).toBe('damaged');
    expect(await reason(`{\\rtf1 ${'{'.repeat(10_000)}`)).toBe('too_large');
    expect((await new RtfReader(bytesResource(bytes('{\\rtf1 a}}}\0\0trailing'))).read())[0]?.text).toBe('atrailing');
  });
});
