import { bytesResource, type Document } from '@vernal/core';
import { PptxReader, type SlideReaderOptions } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { fixture } from './support/fixture.js';
import { type PptxSlide, pptx, shape } from './support/pptx.js';

const read = (
  slides: readonly PptxSlide[],
  options?: SlideReaderOptions,
  order?: readonly number[],
): Promise<Document[]> => new PptxReader(bytesResource(pptx(slides, order), { filename: 'a.pptx' }), options).read();
const text = async (shapes: string, options?: SlideReaderOptions): Promise<string | undefined> =>
  (await read([{ shapes, links: { l: 'https://l.invalid/' } }], options))[0]?.text;

describe('PptxReader', () => {
  it('makes a document of each slide, in the order in which they are shown', async () => {
    const slides = [
      {
        shapes:
          shape(['body']) +
          shape(['The', 'title'], 'title') +
          shape(['7'], 'sldNum') +
          shape(['May'], 'dt') +
          shape(['foot'], 'ftr'),
      },
      { shapes: '' },
      { shapes: shape(['hidden']), isHidden: true },
      { shapes: shape(['NEVER']) },
    ];
    const common = {
      source: 'a.pptx',
      mime_type: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      unit: 'slide',
    };
    const documents = await read(slides, {}, [2, 1, 0, 2, 2, 9]);
    expect(documents.map((one) => [one.text, one.metadata])).toEqual([
      ['hidden', { ...common, slide_number: 1, hidden: true }],
      ['The title\n\nbody', { ...common, slide_number: 3, title: 'The title' }],
    ]);
    expect((await read(slides, { includeHidden: false }, [2, 0])).map((one) => one.metadata['slide_number'])).toEqual([
      2,
    ]);
  });

  it.each([
    [
      'runs, breaks and fields',
      shape([
        '<a:p><a:r><a:t>on</a:t></a:r><a:r><a:t>e</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:fld type="datetime1"><a:t> May</a:t></a:fld></a:p>',
      ]),
      'one\ntwo May',
    ],
    [
      'groups',
      `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1" name=""/></p:nvGrpSpPr>${shape(['in'])}<p:grpSp>${shape(['side'])}</p:grpSp></p:grpSp>`,
      'in\n\nside',
    ],
    ['the paragraphs of a shape as its lines', shape(['a', 'b']) + shape(['c']), 'a\nb\n\nc'],
    ['no hidden shapes', shape(['HIDDEN']).replace('name="x"', 'name="x" hidden="1"') + shape(['seen']), 'seen'],
    [
      'one of two forms of a shape',
      `<mc:AlternateContent xmlns:mc="m"><mc:Choice>${shape(['new'])}</mc:Choice><mc:Fallback>${shape(['new'])}</mc:Fallback></mc:AlternateContent>`,
      'new',
    ],
    [
      'lists',
      shape(
        [
          ['', '<a:buAutoNum type="arabicPeriod"/>', 'one'],
          [' lvl="1"', '<a:buAutoNum type="alphaLcParenR"/>', 'sub'],
          [' lvl="1"', '<a:buAutoNum type="alphaLcParenR"/>', 'sub'],
          ['', '<a:buAutoNum type="arabicPeriod"/>', 'two'],
          [' lvl="1"', '<a:buAutoNum type="alphaLcParenR"/>', 'again'],
          ['', '<a:buChar char="•"/>', 'bullet'],
          ['', '<a:buAutoNum type="romanUcParenBoth" startAt="4"/>', 'four'],
          [' lvl="2"', '', 'deep'],
          [' lvl="2"', '<a:buNone/>', 'none'],
        ].map(
          ([level, bullet, content]) => `<a:p><a:pPr${level}>${bullet}</a:pPr><a:r><a:t>${content}</a:t></a:r></a:p>`,
        ),
      ),
      '1. one\n  a) sub\n  b) sub\n2. two\n  a) again\n- bullet\n(IV) four\n    - deep\nnone',
    ],
  ])('reads %s', async (_, shapes, expected) => {
    expect(await text(shapes)).toBe(expected);
  });

  it('keeps rows of tables on their line', async () => {
    const cell = (content: string, attributes = ''): string =>
      `<a:tc${attributes}><a:txBody><a:p><a:r><a:t>${content}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const rows = [
      cell('Region') + cell('Kind') + cell('n'),
      cell('EU', ' rowSpan="2"') + cell('wide', ' gridSpan="2"') + cell('', ' hMerge="1"'),
      cell('', ' vMerge="1"') + cell('Hub') + cell('7'),
    ];
    const table = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl>${rows.map((one) => `<a:tr>${one}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    expect(await text(shape(['before']) + table + shape(['after']))).toBe(
      'before\n\nRegion | Kind | n\nEU | wide\nEU | Hub | 7\n\nafter',
    );
  });

  it('adds notes and the texts of diagrams', async () => {
    const slides = [
      {
        shapes: shape(['slide']),
        notes: shape(['9'], 'sldNum') + shape([''], 'sldImg') + shape(['say this', 'and that'], 'body'),
        diagram: '<dgm:pt><dgm:t><a:p><a:r><a:t>box</a:t></a:r></a:p></dgm:t></dgm:pt>',
      },
      { shapes: '', notes: shape(['only notes'], 'body') },
    ];
    expect((await read(slides)).map((one) => one.text)).toEqual([
      'slide\n\nbox\n\nNotes: say this\nand that',
      'Notes: only notes',
    ]);
    expect((await read(slides, { includeNotes: false })).map((one) => one.text)).toEqual(['slide\n\nbox']);
  });

  it('writes targets behind links when asked to', async () => {
    const linked = shape([
      '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>here</a:t></a:r><a:r><a:t> too</a:t></a:r></a:p>',
    ]);
    expect(await text(linked)).toBe('here too');
    expect(await text(linked, { includeLinkUrls: true })).toBe('here (https://l.invalid/) too');
  });

  it('reads slides whose files are in another order, the notes of the right one, and none that is not in the deck', async () => {
    const documents = await new PptxReader(fixture('slides-out-of-order.pptx')).read();
    expect(documents.map((one) => [one.metadata['slide_number'], one.text])).toEqual([
      [1, 'Summary first'],
      [2, 'Second: split run\n\nQ | Rev\nQ1 | 100\n\nNotes: Note for second'],
      [3, 'Third intro'],
    ]);
  });

  it('reads what LibreOffice wrote', async () => {
    const documents = await new PptxReader(fixture('talk.pptx')).read();
    expect(documents.map((one) => [one.metadata['slide_number'], one.metadata['hidden'], one.text])).toEqual([
      [1, undefined, 'Roses\n\n- water\n  - in the morning\n- prune\n\nNotes: Say hello first.'],
      [2, undefined, 'Kind | Price\nTea | 5 €\n\nA shape'],
      [4, true, 'Not shown'],
    ]);
  });
});
