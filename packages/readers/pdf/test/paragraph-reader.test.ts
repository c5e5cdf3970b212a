import { bytesResource, type Document, VernalError } from '@vernal/core';
import { ParagraphPdfDocumentReader, type ParagraphPdfReaderOptions } from '@vernal/readers-pdf';
import { describe, expect, it } from 'vitest';
import { fixture } from './fixture.js';
import { line, lines, type PdfSource, pageObject, pdf } from './pdf-builder.js';

const read = (bytes: Uint8Array, options?: ParagraphPdfReaderOptions): Promise<Document[]> =>
  new ParagraphPdfDocumentReader(bytesResource(bytes, { filename: 'b.pdf' }), { worker: false, ...options }).read();
const sections = async (bytes: Uint8Array, options?: ParagraphPdfReaderOptions): Promise<unknown[]> =>
  (await read(bytes, options)).map(({ text, metadata }) => [metadata['title'], text]);

interface Entry {
  readonly title: string;
  /** What stands behind `/Dest`. */
  readonly to: string;
  readonly below?: readonly Entry[];
}

/** A file with an outline. */
function withOutline(pages: PdfSource['pages'], entries: readonly Entry[], more: Partial<PdfSource> = {}): Uint8Array {
  const objects: Record<number, string> = {};
  let next = 1001;
  const write = (list: readonly Entry[], parent: number): string => {
    const numbers = list.map(() => next++);
    list.forEach(({ title, to, below = [] }, at) => {
      const number = numbers[at] ?? 0;
      const children = below.length === 0 ? '' : write(below, number);
      objects[number] =
        `<< /Title (${title}) /Parent ${parent} 0 R ${to === '' ? '' : `/Dest ${to}`} ${at + 1 < numbers.length ? `/Next ${numbers[at + 1]} 0 R` : ''} ${children} >>`;
    });
    return `/First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R /Count ${numbers.length}`;
  };
  objects[1000] = `<< /Type /Outlines ${write(entries, 1000)} >>`;
  return pdf({
    pages,
    ...more,
    objects: { ...objects, ...more.objects },
    catalog: `/Outlines 1000 0 R ${more.catalog ?? ''}`,
  });
}
const to = (page: number, kind: string): string => `[ ${pageObject(page)} 0 R ${kind} ]`;

describe('sections', () => {
  const pages = [
    line('Before all', 20, 380) +
      line('1 Roses', 20, 350, 14) +
      lines(['are red.'], 20, 330) +
      line('1.1 Thorns', 20, 300, 12) +
      line('are sharp.', 20, 285),
    line('More of thorns.', 20, 380) + line('2 Tulips', 20, 200, 14) + line('are dear.', 20, 180),
    line('And cheap.', 20, 380),
  ];
  const bytes = withOutline(pages, [
    { title: 'Roses', to: to(1, '/XYZ 0 364 0'), below: [{ title: '1.1 Thorns', to: to(1, '/XYZ 20 312 null') }] },
    { title: 'Tulips', to: to(2, '/FitH 214') },
  ]);

  it('go from the place of an entry to that of the next one, over pages', async () => {
    const documents = await read(bytes);
    expect(documents.map(({ text }) => text)).toEqual([
      'Before all',
      '1 Roses\n\nare red.',
      '1.1 Thorns\n\nare sharp.\n\nMore of thorns.',
      '2 Tulips\n\nare dear.\n\nAnd cheap.',
    ]);
    expect(
      documents.map(({ metadata: { page_number, end_page_number, level, headings } }) => [
        page_number,
        end_page_number,
        level,
        headings,
      ]),
    ).toEqual([
      [1, 1, undefined, undefined],
      [1, 1, 0, ['Roses']],
      [1, 2, 1, ['Roses', '1.1 Thorns']],
      [2, 3, 0, ['Tulips']],
    ]);
    expect(documents[2]?.metadata).toMatchObject({ source: 'b.pdf', title: '1.1 Thorns', total_pages: 3 });
    expect(new Set(documents.map(({ id }) => id)).size).toBe(4);
  });

  it('go down as far as they are wanted', async () => {
    expect((await sections(bytes, { maxLevel: 0 })).map((section) => (section as unknown[])[0])).toEqual([
      undefined,
      'Roses',
      'Tulips',
    ]);
  });

  it('hold their lines as they stand on the page, if that is asked for', async () => {
    expect((await sections(bytes, { layout: 'physical' }))[1]).toEqual(['Roses', '1 Roses\nare red.']);
  });

  it.each([
    ['a whole page', '/Fit'],
    ['no place on it', '/XYZ null null null'],
    ['a place above the heading', '/XYZ 0 240 0'],
    ['the top of its page', '/XYZ 0 400 0'],
    ['a place in its last line', '/XYZ 0 190 0'],
    ['a rectangle', '/FitR 0 100 300 214'],
  ])('begin at their heading, though the entry leads to %s', async (_, kind) => {
    const page = line('Text before', 20, 300) + line('Tulips', 20, 200, 14) + line('are dear.', 20, 180);
    expect(await sections(withOutline([page], [{ title: '2. Tulips', to: to(1, kind) }]))).toEqual([
      [undefined, 'Text before'],
      ['2. Tulips', 'Tulips\n\nare dear.'],
    ]);
  });

  it('are cut in columns, too', async () => {
    const left = [
      'Roses are grown in the valley',
      'and in the hills above it, too,',
      'where it is neither too warm',
      'nor too cold for them to grow.',
    ];
    const right = [
      'Tulips are grown on the fields',
      'along the sea, which are flat.',
      'Lilies are grown in gardens of',
      'people who have the time to.',
    ];
    const outline = [
      { title: 'Of roses', to: to(1, '/XYZ 20 310 0') },
      { title: 'Of tulips', to: to(1, '/XYZ 160 310 0') },
      { title: 'Of lilies', to: to(1, '/XYZ 160 285 0') },
    ];
    expect(await sections(withOutline([lines(left, 20, 300) + lines(right, 160, 300)], outline))).toEqual([
      ['Of roses', left.join(' ')],
      ['Of tulips', right.slice(0, 2).join(' ')],
      ['Of lilies', right.slice(2).join(' ')],
    ]);
  });

  it('are found by names, and in the order of the pages', async () => {
    const named = withOutline(
      ['one', 'two'].map((name) => line(`Text of page ${name}`, 20, 300)),
      [
        { title: 'Second', to: '(second)' },
        { title: 'First', to: '/first' },
        { title: 'Nowhere', to: '(nowhere)' },
      ],
      {
        catalog: `/Names << /Dests 2000 0 R >> /Dests << /first ${to(1, '/Fit')} >>`,
        objects: { 2000: `<< /Names [ (second) << /D ${to(2, '/Fit')} >> ] >>` },
      },
    );
    expect(await sections(named)).toEqual([
      ['First', 'Text of page one'],
      ['Second', 'Text of page two'],
    ]);
  });

  it('without text make no document, but stay among the headings', async () => {
    const outline = [{ title: 'Part', to: to(1, '/Fit'), below: [{ title: 'Chapter', to: to(1, '/Fit') }] }];
    const documents = await read(withOutline([line('Text', 20, 300)], outline));
    expect(documents.map(({ text, metadata }) => [text, metadata['headings']])).toEqual([
      ['Text', ['Part', 'Chapter']],
    ]);
  });

  it('tell of broken pages', async () => {
    const broken = withOutline(
      [line('One', 20, 300), `${line('Two', 20, 300)}/Missing Do`],
      [{ title: 'All', to: to(1, '/Fit') }],
    );
    const [all] = await read(broken);
    expect([all?.text, all?.metadata['page_errors']]).toEqual(['One\n\nTwo', [{ page_number: 2, reason: 'damaged' }]]);
  });
});

describe('outlines of other files', () => {
  it('with entries that lead nowhere, to missing names and to the web lose no text', async () => {
    expect(await sections(await fixture('outline-odd-targets.pdf'))).toEqual([
      ['Chapter A', 'Chapter A text alpha'],
      ['ÄÖÜ 🚀', 'Chapter B text beta'],
      ['Chapter C last', 'Chapter C text gamma'],
    ]);
  });

  it('that run in a circle end', async () => {
    expect(await sections(await fixture('outline-loop.pdf'))).toEqual([
      ['Chapter A', 'Chapter A text alpha'],
      ['ÄÖÜ 🚀', 'Chapter B text beta\n\nChapter C text gamma'],
    ]);
  });

  it('that are not there, or lead nowhere, are an error or pages', async () => {
    for (const bytes of [
      await fixture('no-outline.pdf'),
      withOutline([line('Text', 20, 300)], [{ title: 'x', to: '' }]),
    ]) {
      const error = await read(bytes).catch((caught: unknown) => caught);
      if (!VernalError.is(error)) throw error;
      expect([error.code, error.subject, error.details]).toEqual(['resource', 'b.pdf', { reason: 'no_outline' }]);
      expect(error.message).toContain("withoutOutline: 'pages'");
      const [page] = await read(bytes, { withoutOutline: 'pages' });
      expect(page?.metadata).toMatchObject({ page_number: 1 });
      expect(page?.metadata).not.toHaveProperty('title');
    }
  });

  it('have options that are checked', () => {
    const make = (options: ParagraphPdfReaderOptions) => () =>
      new ParagraphPdfDocumentReader(bytesResource(''), options);
    expect(make({ maxLevel: -1 })).toThrow(expect.objectContaining({ subject: 'maxLevel' }));
    expect(make({ withoutOutline: 'guess' as 'pages' })).toThrow(
      expect.objectContaining({ subject: 'withoutOutline' }),
    );
  });
});
