import type { Document, TextSplitter } from '@vernal/core';
import { document } from '@vernal/core';
import { MarkdownTextSplitter, RecursiveTextSplitter, SemanticTextSplitter, SentenceTextSplitter } from '@vernal/etl';
import { describeTransformer, hashingEmbeddingModel, vitestRunner } from '@vernal/testing';
import fc from 'fast-check';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';

const runner = vitestRunner(vitest);
const embeddingModel = hashingEmbeddingModel();
const makers = {
  RecursiveTextSplitter: (size = {}) => new RecursiveTextSplitter(size),
  SentenceTextSplitter: (size = {}) => new SentenceTextSplitter(size),
  MarkdownTextSplitter: (size = {}) => new MarkdownTextSplitter(size),
  SemanticTextSplitter: (size = {}) => new SemanticTextSplitter({ embeddingModel, ...size }),
};

for (const [name, make] of Object.entries(makers))
  describeTransformer(name, () => ({ subject: make({ chunkSize: 60 }) }), { runner });

async function chunksOf(splitter: TextSplitter, text: string | Document): Promise<Document[]> {
  const chunks: Document[] = [];
  for await (const chunk of splitter.transform([typeof text === 'string' ? document(text) : text])) chunks.push(chunk);
  return chunks;
}
const textsOf = async (splitter: TextSplitter, text: string) => (await chunksOf(splitter, text)).map((one) => one.text);
const words = { count: (text: string): number => text.split(/\s+/).filter((word) => word !== '').length };

const anyText = fc
  .array(
    fc.constantFrom(
      'a',
      'word ',
      'A sentence. ',
      'Is it? ',
      '\n',
      '\n\n',
      '# Head\n',
      '```\n',
      '---\n',
      '  ',
      '\t',
      '狐。',
      '東京',
      '👨‍👩‍👧',
      'x'.repeat(50),
      '\u200b',
      '\ud83d',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe.each(Object.entries(makers))('%s', (_, make) => {
  it('loses nothing, keeps to its size, and repeats no more than it may', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 1, max: 80 }),
        fc.nat(30),
        fc.boolean(),
        async (text, chunkSize, wanted, byWords) => {
          const overlap = Math.min(wanted, chunkSize - 1);
          const measure = byWords ? words.count : (one: string) => one.length;
          const chunks = await chunksOf(make({ chunkSize, overlap, ...(byWords && { estimator: words }) }), text);
          let covered = 0;
          for (const { text: chunk = '', metadata } of chunks) {
            const [start, end] = [Number(metadata['chunk_start']), Number(metadata['chunk_end'])];
            expect(chunk).toBe(text.slice(start, end));
            expect(chunk).toBe(chunk.trim());
            expect(chunk).not.toBe('');
            // One character that the reader sees may be larger than a chunk.
            if (measure(chunk) > chunkSize) expect([...new Intl.Segmenter('en').segment(chunk)]).toHaveLength(1);
            expect(text.slice(covered, Math.max(covered, start)).trim()).toBe('');
            expect(end).toBeGreaterThan(covered);
            if (start < covered) expect(measure(text.slice(start, covered))).toBeLessThanOrEqual(Math.max(overlap, 1));
            covered = end;
          }
          expect(text.slice(covered).trim()).toBe('');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('takes time in proportion to the text', async () => {
    let counted = 0;
    const estimator = {
      count: (text: string): number => {
        counted += text.length;
        return text.length / 4;
      },
    };
    const text = 'Ten words are in this sentence of ten words here. '.repeat(2_000);
    await chunksOf(make({ estimator, chunkSize: 100 }), text);
    expect(counted).toBeLessThan(text.length * 12);
  });

  it('refuses sizes that cannot be', () => {
    for (const size of [
      { chunkSize: 0 },
      { chunkSize: 2.5 },
      { overlap: -1 },
      { chunkSize: 5, overlap: 5 },
      { estimator: {} },
    ])
      expect(() => make(size)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('RecursiveTextSplitter', () => {
  it('cuts at the largest joints that there are, and puts together what fits', async () => {
    const text = 'One two.\n\nThree four. Five six.\nSeven.\n\nEight.';
    expect(await textsOf(new RecursiveTextSplitter({ chunkSize: 100 }), text)).toEqual([text]);
    expect(await textsOf(new RecursiveTextSplitter({ chunkSize: 30 }), text)).toEqual([
      'One two.',
      'Three four. Five six.\nSeven.',
      'Eight.',
    ]);
    expect(await textsOf(new RecursiveTextSplitter({ chunkSize: 12 }), text)).toEqual([
      'One two.',
      'Three four.',
      'Five six.',
      'Seven.',
      'Eight.',
    ]);
  });

  it('takes separators of one’s own', async () => {
    const code = 'const a = 1;\nfunction f() {\n  return 1;\n}\nfunction g() {\n  return 2;\n}\n';
    const splitter = new RecursiveTextSplitter({ separators: ['}\n', '\n'], chunkSize: 42 });
    expect(await textsOf(splitter, code)).toEqual([
      'const a = 1;\nfunction f() {\n  return 1;\n}',
      'function g() {\n  return 2;\n}',
    ]);
    for (const separators of [[], ['']]) expect(() => new RecursiveTextSplitter({ separators })).toThrow(/separators/);
  });
});

describe('SentenceTextSplitter', () => {
  it('keeps sentences whole, in every script, and repeats whole ones', async () => {
    const text = 'First one. Second one! Third one? 第四句。第五句。';
    const splitter = new SentenceTextSplitter({ chunkSize: 23, overlap: 11 });
    expect(await textsOf(splitter, text)).toEqual([
      'First one. Second one!',
      'Second one! Third one?',
      'Third one? 第四句。第五句。',
    ]);
  });
});

describe('MarkdownTextSplitter', () => {
  const text = [
    'Before any heading.',
    '',
    '# Guide',
    '',
    '## Install',
    '',
    'Run it.',
    '',
    '```sh',
    '# no heading',
    '',
    'npm install',
    '```',
    '',
    'Use',
    '---',
    '',
    'Call it.',
    '### Deep #',
    'Down.',
    '# Next',
    'Over.',
  ].join('\n');

  it('cuts at headings, but not in code, and notes under which ones a chunk stands', async () => {
    const chunks = await chunksOf(new MarkdownTextSplitter(), text);
    expect(chunks.map(({ metadata }) => metadata['headings'])).toEqual([
      undefined,
      ['Guide', 'Install'],
      ['Guide', 'Use'],
      ['Guide', 'Use', 'Deep'],
      ['Next'],
    ]);
    expect(chunks[1]?.text).toBe('# Guide\n\n## Install\n\nRun it.\n\n```sh\n# no heading\n\nnpm install\n```');
    expect(chunks.map(({ text: one }) => one).at(-1)).toBe('# Next\nOver.');
  });

  it('takes headings up to a level', async () => {
    const chunks = await chunksOf(new MarkdownTextSplitter({ maxLevel: 1 }), text);
    expect(chunks.map(({ metadata }) => metadata['headings'])).toEqual([undefined, ['Guide'], ['Next']]);
    expect(() => new MarkdownTextSplitter({ maxLevel: 7 })).toThrow(/maxLevel/);
  });

  it('puts its headings behind those that the document has', async () => {
    const [chunk] = await chunksOf(new MarkdownTextSplitter(), document('# In\ntext', { headings: ['Above'] }));
    expect(chunk?.metadata['headings']).toEqual(['Above', 'In']);
  });

  it('cuts a large section between blocks, and code only when it must', async () => {
    const section = `# Head\n\n${'A paragraph of words. '.repeat(3)}\n\n\`\`\`js\nlet a;\n\nlet b;\n\`\`\`\n\nThe end.`;
    const texts = await textsOf(new MarkdownTextSplitter({ chunkSize: 80 }), section);
    expect(texts).toEqual([
      `# Head\n\n${'A paragraph of words. '.repeat(3).trim()}`,
      '```js\nlet a;\n\nlet b;\n```\n\nThe end.',
    ]);
  });
});

describe('SemanticTextSplitter', () => {
  const cats = 'The cat sleeps on the cat bed. A cat plays with the other cat. Cats and kittens eat cat food.';
  const rates = 'Interest rates of the bank rise. The bank raised interest rates. Higher rates cost the bank.';

  it('cuts where the subject changes', async () => {
    const splitter = new SemanticTextSplitter({ embeddingModel, context: 0, percentile: 80, minChunkSize: 40 });
    expect(await textsOf(splitter, `${cats} ${rates}`)).toEqual([cats, rates]);
  });

  it('does not ask the model about a single sentence, and passes the signal on', async () => {
    const asked: string[] = [];
    const watched = {
      ...embeddingModel,
      embed: async (texts: readonly string[]) => {
        asked.push(...texts);
        return embeddingModel.embed(texts);
      },
    };
    await textsOf(new SemanticTextSplitter({ embeddingModel: watched }), 'One sentence.');
    expect(asked).toEqual([]);
    const chunks = new SemanticTextSplitter({ embeddingModel }).transform([document(cats)], {
      signal: AbortSignal.abort(),
    });
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'aborted' });
  });

  it('refuses what cannot be', () => {
    for (const options of [{ embeddingModel: undefined }, { percentile: 101 }, { context: 11 }, { minChunkSize: 5000 }])
      expect(() => new SemanticTextSplitter({ embeddingModel, ...options } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
  });
});
