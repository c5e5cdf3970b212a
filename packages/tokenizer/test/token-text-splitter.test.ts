import { document, media, type TokenCountEstimator, VernalError } from '@vernal/core';
import { loadTokenCountEstimator, TokenTextSplitter, type TokenTextSplitterOptions } from '@vernal/tokenizer';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { awkwardText } from './awkward-text.js';

let cl100k: TokenCountEstimator;
beforeAll(async () => {
  cl100k = await loadTokenCountEstimator();
});

interface Chunk {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

async function split(text: string, options?: TokenTextSplitterOptions): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of new TokenTextSplitter(options).transform([document({ id: 'd', text })])) {
    const { chunk_start, chunk_end } = chunk.metadata;
    chunks.push({ text: chunk.text ?? '', start: Number(chunk_start), end: Number(chunk_end) });
  }
  return chunks;
}

const texts = async (text: string, options?: TokenTextSplitterOptions): Promise<string[]> =>
  (await split(text, options)).map((chunk) => chunk.text);

const isOneCharacter = (text: string): boolean => [...text].length === 1;
const hasVisible = (text: string): boolean => /[^\s\u200b\u2060]/.test(text);

function expectSound(text: string, chunks: readonly Chunk[], options: { chunkSize: number; overlap: number }): void {
  let covered = 0;
  for (const { text: chunk, start, end } of chunks) {
    expect(chunk).toBe(text.slice(start, end));
    expect(chunk).toBe(chunk.trim());
    expect(hasVisible(chunk)).toBe(true);
    if (!isOneCharacter(chunk)) expect(cl100k.count(chunk)).toBeLessThanOrEqual(options.chunkSize);
    expect(hasVisible(text.slice(covered, Math.max(covered, start)))).toBe(false);
    if (options.overlap === 0) expect(start).toBeGreaterThanOrEqual(covered);
    expect(end).toBeGreaterThan(covered);
    for (const cut of [start, end])
      expect(/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, cut - 1), cut + 1)) && cut > 0).toBe(false);
    covered = end;
  }
  expect(hasVisible(text.slice(covered))).toBe(false);
}

describe('TokenTextSplitter: nothing is lost', () => {
  const settings = fc.record({
    chunkSize: fc.integer({ min: 1, max: 40 }),
    overlap: fc.integer({ min: 0, max: 12 }),
    minChunkSizeChars: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    minChunkLengthToEmbed: fc.integer({ min: 0, max: 12 }),
  });
  const bounded = settings.map((setting) => ({
    ...setting,
    overlap: Math.min(setting.overlap, setting.chunkSize - 1),
  }));

  it('covers every visible character, within the limit, between characters', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardText, bounded, async (text, options) => {
        expectSound(text, await split(text, options), options);
      }),
      { numRuns: 400 },
    );
  });

  it('does so with an estimator that only counts', async () => {
    await fc.assert(
      fc.asyncProperty(awkwardText, bounded, async (text, options) => {
        const estimator: TokenCountEstimator = { count: (part) => cl100k.count(part) };
        expectSound(text, await split(text, { ...options, estimator }), options);
      }),
      { numRuns: 100 },
    );
  });

  it.each([1, 2, 3, 5, 7, 64])('keeps emoji and CJK whole in chunks of %i tokens', async (chunkSize) => {
    const cases = [
      '猫'.repeat(300),
      '🚀'.repeat(100),
      '👩‍👩‍👧'.repeat(40),
      '你好，世界。'.repeat(50),
      'é'.repeat(90),
      'e\u0301'.repeat(60),
      'a🚀b'.repeat(60),
    ];
    for (const text of cases) {
      const chunks = await split(text, { chunkSize });
      expectSound(text, chunks, { chunkSize, overlap: 0 });
      expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
      for (const overlap of [1, 2]) {
        if (overlap < chunkSize) expectSound(text, await split(text, { chunkSize, overlap }), { chunkSize, overlap });
      }
    }
  });

  it('cuts between what a reader takes for characters where the limit allows it', async () => {
    const family = '👩‍👩‍👧';
    for (const chunk of await texts(family.repeat(40), { chunkSize: 64 })) expect(chunk.length % family.length).toBe(0);
    for (const chunk of await texts('e\u0301'.repeat(60), { chunkSize: 7 }))
      expect(chunk.startsWith('\u0301')).toBe(false);
    for (const chunk of await texts('🇫🇷'.repeat(60), { chunkSize: 21 })) expect(chunk.length % 4).toBe(0);
  });

  it.each([4, 100])('keeps the names of special tokens, chunks of %i', async (chunkSize) => {
    const text = 'Before <|endoftext|> after. Repeat: <|endoftext|><|endoftext|>';
    const chunks = await split(text, { chunkSize });
    expectSound(text, chunks, { chunkSize, overlap: 0 });
    expect(
      chunks
        .map((chunk) => chunk.text)
        .join('')
        .replaceAll(' ', ''),
    ).toBe(text.replaceAll(' ', ''));
  });

  it.each([1, 16, 800])('gives nothing for white space, chunks of %i', async (chunkSize) => {
    for (const blank of [' ', '\n', '\u3000', ' \t\r\n', '\ufeff', '\u200b']) {
      expect(await texts(blank.repeat(5_000), { chunkSize })).toEqual([]);
    }
    expect(await texts(`a${' '.repeat(5_000)}b`, { chunkSize })).toEqual(
      chunkSize === 800 ? [`a${' '.repeat(5_000)}b`] : ['a', 'b'],
    );
  });

  it('is quick on long runs without separators, and joins to the text', async () => {
    const bytes = Uint8Array.from({ length: 150_000 }, (_, index) => (index * 7_919 + (index >> 2)) % 256);
    const runs = [
      'a'.repeat(150_000),
      Buffer.from(bytes).toString('base64'),
      '='.repeat(100_000),
      '7'.repeat(100_000),
      '漢'.repeat(50_000),
    ];
    for (const run of runs) {
      const chunks = await split(run);
      expectSound(run, chunks, { chunkSize: 800, overlap: 0 });
      expect(chunks.map((chunk) => chunk.text).join('')).toBe(run);
    }
  });
});

describe('TokenTextSplitter: where it cuts', () => {
  const sentence = 'The quick brown fox jumps over the lazy dog and runs away.';

  it('leaves a text that fits whole, whatever its length and marks', async () => {
    expect(await texts('Hello')).toEqual(['Hello']);
    expect(await texts('  One. Two. Three.\n\nFour.  ')).toEqual(['One. Two. Three.\n\nFour.']);
  });

  it('cuts after the last sentence that fits', async () => {
    const chunks = await texts(`${sentence} `.repeat(20), { chunkSize: 60, minChunkSizeChars: 10 });
    for (const chunk of chunks) expect(chunk.endsWith('.')).toBe(true);
    expect(chunks.length).toBe(5);
  });

  it('looks for marks in the second half of small windows by default', async () => {
    const chunks = await texts(`${sentence} `.repeat(6), { chunkSize: 20 });
    expect(new Set(chunks)).toEqual(new Set([sentence]));
  });

  it('cuts at Chinese marks', async () => {
    const chunks = await texts('今天天气很好，我们去公园散步。'.repeat(12), { chunkSize: 50 });
    for (const chunk of chunks) expect(chunk.endsWith('。')).toBe(true);
  });

  it.each([
    ['numbers', 'value 3.14159 '],
    ['URLs', 'see https://example.invalid/a.b?c=d.e '],
    ['file names', 'open main.test.ts '],
    ['versions', 'install v1.2.3-rc.4 '],
  ])('does not cut inside %s', async (_, part) => {
    const words = new Set(part.trim().split(' '));
    for (const chunk of await texts(part.repeat(60), { chunkSize: 40, minChunkSizeChars: 0 })) {
      for (const word of chunk.split(' ')) expect(words).toContain(word);
    }
  });

  it.each([
    'We like fruit, e.g. apples and pears. ',
    'A letter of J. Doe came today. ',
    'It is made in the U.S. of wood. ',
  ])('does not take the dots of abbreviations for the end: %s', async (part) => {
    const chunks = await texts(part.repeat(20), { chunkSize: 13, minChunkSizeChars: 0 });
    expect(new Set(chunks)).toEqual(new Set([part.trim()]));
  });

  it('does not take the number of a list item for a sentence', async () => {
    const list = Array.from({ length: 40 }, (_, index) => `${index + 1}. item without a mark`).join('\n');
    for (const chunk of await texts(list, { chunkSize: 30, minChunkSizeChars: 0 })) expect(chunk).not.toMatch(/\d\.$/);
  });

  it('keeps a closing quote with its sentence', async () => {
    const chunks = await texts('He said: "This is quite enough for today." '.repeat(20), { chunkSize: 30 });
    for (const chunk of chunks) expect(chunk.endsWith('."')).toBe(true);
  });

  it('takes marks of its own', async () => {
    const chunks = await texts('alpha beta gamma;; delta epsilon zeta;; '.repeat(10), {
      chunkSize: 20,
      punctuation: [';;'],
    });
    for (const chunk of chunks) expect(chunk.endsWith(';;')).toBe(true);
  });

  it('cuts between words when there is no mark', async () => {
    const words = new Set(['lorem', 'ipsum', 'dolor']);
    for (const chunk of await texts('lorem ipsum dolor '.repeat(100), { chunkSize: 25 })) {
      for (const word of chunk.split(' ')) expect(words).toContain(word);
    }
  });

  it('fills chunks: no more of them than the tokens ask for', async () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ');
    const chunks = await split(text, { chunkSize: 100 });
    expect(chunks.length).toBeLessThanOrEqual(Math.ceil(cl100k.count(text) / 90));
  });

  it('gives a short rest a share of the chunk before it', async () => {
    const text = `${'word '.repeat(99)}end ?`;
    const chunks = await texts(text, { chunkSize: 100, minChunkLengthToEmbed: 5 });
    expect(chunks.length).toBe(2);
    expect(chunks.at(-1)?.length).toBeGreaterThan(5);
    expect(chunks.join(' ')).toBe(text);
  });

  it('repeats about as many tokens as overlap says', async () => {
    const text = Array.from({ length: 600 }, (_, index) => `word${index}`).join(' ');
    const chunks = await split(text, { chunkSize: 100, overlap: 20 });
    for (let index = 1; index < chunks.length; index++) {
      const shared = text.slice(chunks[index]?.start, chunks[index - 1]?.end);
      expect(cl100k.count(shared)).toBeGreaterThanOrEqual(15);
      expect(cl100k.count(shared)).toBeLessThanOrEqual(21);
    }
  });

  it('makes line ends spaces when told not to keep them, and keeps the limit', async () => {
    const text = 'first line\nsecond line\r\nthird line\n'.repeat(30);
    const chunks = await split(text, { chunkSize: 40, keepSeparator: false });
    for (const chunk of chunks) {
      expect(chunk.text).not.toMatch(/[\r\n]/);
      expect(chunk.text).toBe(text.slice(chunk.start, chunk.end).replace(/[\r\n]/g, ' '));
      expect(cl100k.count(chunk.text)).toBeLessThanOrEqual(40);
    }
  });

  it('splits by another encoding', async () => {
    const o200k = await loadTokenCountEstimator('o200k_base');
    const text = 'こんにちは世界。'.repeat(100);
    const [byName, byEstimator] = await Promise.all([
      split(text, { chunkSize: 50, encoding: 'o200k_base' }),
      split(text, { chunkSize: 50, estimator: o200k }),
    ]);
    expect(byName).toEqual(byEstimator);
    expect(byName.length).toBeLessThan((await split(text, { chunkSize: 50 })).length);
    for (const chunk of byName) expect(o200k.count(chunk.text)).toBeLessThanOrEqual(50);
  });
});

describe('TokenTextSplitter: as a transformer', () => {
  it('names parent, place and offsets, and gives the same ids each time', async () => {
    const parent = document({ id: 'p', text: 'One sentence here. '.repeat(20), metadata: { source: 'a.md' } });
    const run = async () => {
      const chunks = [];
      for await (const chunk of new TokenTextSplitter({ chunkSize: 20 }).transform([parent])) chunks.push(chunk);
      return chunks;
    };
    const [first, second] = [await run(), await run()];
    expect(first).toEqual(second);
    expect(first[1]?.metadata).toMatchObject({
      source: 'a.md',
      parent_document_id: 'p',
      chunk_index: 1,
      total_chunks: first.length,
    });
  });

  it('lets media pass', async () => {
    const picture = document({ media: media('image/png', new Uint8Array([1])) });
    const chunks = [];
    for await (const chunk of new TokenTextSplitter().transform([picture])) chunks.push(chunk);
    expect(chunks).toEqual([picture]);
  });

  it('copies the content format unless told not to', async () => {
    const parent = document({ text: 'Body', format: { metadataSeparator: '; ' } });
    for await (const chunk of new TokenTextSplitter().transform([parent]))
      expect(chunk.format).toMatchObject({ metadataSeparator: '; ' });
    for await (const chunk of new TokenTextSplitter({ copyContentFormatter: false }).transform([parent]))
      expect(chunk.format).not.toHaveProperty('metadataSeparator');
  });
});

describe('TokenTextSplitter: what it refuses', () => {
  it('a document of more than maxNumChunks chunks, by name', async () => {
    const error = await split('word '.repeat(100), { chunkSize: 10, maxNumChunks: 3 }).catch(
      (caught: unknown) => caught,
    );
    expect(VernalError.is(error) && [error.code, error.subject]).toEqual(['invalid_argument', 'maxNumChunks']);
    expect(await split('word '.repeat(30), { chunkSize: 10, maxNumChunks: 3 })).toHaveLength(3);
  });

  it.each<[string, TokenTextSplitterOptions]>([
    ['chunkSize', { chunkSize: 0 }],
    ['chunkSize', { chunkSize: 1.5 }],
    ['maxNumChunks', { maxNumChunks: 0 }],
    ['minChunkSizeChars', { minChunkSizeChars: -1 }],
    ['minChunkLengthToEmbed', { minChunkLengthToEmbed: Number.NaN }],
    ['overlap', { overlap: 800 }],
    ['overlap', { overlap: -1 }],
    ['punctuation', { punctuation: [] }],
    ['punctuation', { punctuation: [''] }],
    ['encoding', { encoding: 'gpt2' as 'cl100k_base' }],
    ['encoding', { encoding: 'cl100k_base', estimator: { count: (text) => text.length } }],
  ])('bad %s, at construction', (subject, options) => {
    expect(() => new TokenTextSplitter(options)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });
});

describe('TokenTextSplitter: long documents', () => {
  const page = 'Paragraph with a few words, a number like 3.14 and a link to https://example.invalid/page. ';

  it('splits megabytes; quadratic work would not end in time', async () => {
    const text = page.repeat(30_000);
    const chunks = await split(text);
    expect(chunks.length).toBeGreaterThan(500);
    expect(chunks.at(-1)?.end).toBe(text.trimEnd().length);
  });

  it.each([500, 5_000])('asks an estimator about each character a few times, %i sentences', async (sentences) => {
    let counted = 0;
    const estimator: TokenCountEstimator = {
      count(text) {
        counted += text.length;
        return Math.ceil(text.length / 3.7);
      },
    };
    const text = page.repeat(sentences);
    await split(text, { estimator });
    expect(counted).toBeLessThan(text.length * 6);
  });
});
