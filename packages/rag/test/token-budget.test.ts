import type { Document } from '@vernal/core';
import { document, media } from '@vernal/core';
import type { OmittedDocuments } from '@vernal/rag';
import { query, renderDocuments, tokenBudget } from '@vernal/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const docs = (...texts: string[]): Document[] => texts.map((text, i) => document({ id: `${i}`, text }));
const ids = (found: readonly Document[]): string[] => found.map(({ id }) => id);
const texts = (found: readonly Document[]): (string | undefined)[] => found.map(({ text }) => text);
const words = { count: (text: string): number => text.split(/\s+/).filter((word) => word !== '').length };
const letters = { count: (text: string): number => text.length };
/** Joins up to four characters of a kind into one token, as tokenizers do: two texts together may have fewer tokens than apart. */
const pieces = { count: (text: string): number => text.match(/\w{1,4}|\s{1,4}|[^\w\s]{1,4}/g)?.length ?? 0 };
const q = query('q');
const budget = (maxTokens: number, given: readonly Document[], estimator = words) =>
  tokenBudget({ maxTokens, estimator }).process(q, given) as Document[];

describe('tokenBudget', () => {
  it('keeps in their order what fits, leaves out what does not, and tries those behind it', () => {
    const given = docs('one two three', 'one two three four', 'one', 'one two', 'one');
    expect(ids(budget(100, given))).toEqual(['0', '1', '2', '3', '4']);
    expect(ids(budget(5, given))).toEqual(['0', '2', '4']);
    expect(budget(5, given)[0]).toBe(given[0]);
    expect(budget(3, [])).toEqual([]);
  });

  it.each([
    ['no number', () => Number.NaN],
    ['what is below 0', () => -1],
    ['a promise', async () => 1],
  ])('says so when an estimator gives %s, and does not keep all', (_, count) => {
    const estimator = { count } as unknown as typeof words;
    expect(() => budget(3, docs('one two three four', 'five'), estimator)).toThrow(
      expect.objectContaining({ code: 'invalid_state', subject: 'estimator' }),
    );
  });

  it('gives up no text for documents of white space, which no model is shown', () => {
    expect(texts(budget(2, docs('ab', ' ', ' '), pieces))).toEqual(['ab', ' ', ' ']);
    expect(texts(budget(1, docs('    ', '\n', 'abc', 'd'), pieces))).toEqual(['    ', '\n', 'abc']);
  });

  it('cuts only the first when it is too large by itself: behind a sentence, a word or a character', () => {
    const text = 'One two. Three four five! Six seven eight nine.';
    const cut = (maxTokens: number, estimator = words) => texts(budget(maxTokens, docs(text), estimator));
    expect(cut(8)).toEqual(['One two. Three four five!']);
    expect(cut(4)).toEqual(['One two.']);
    expect(cut(1)).toEqual(['One']);
    expect(cut(2, letters)).toEqual(['On']);
    expect(texts(budget(3, docs('👨‍👩‍👧‍👦👨‍👩‍👧‍👦'), letters))).toEqual([]);
    expect(texts(budget(11, docs('👨‍👩‍👧‍👦👨‍👩‍👧‍👦'), letters))).toEqual(['👨‍👩‍👧‍👦']);
    expect(texts(budget(6, docs('すばやい狐。東京都の犬。'), letters))).toEqual(['すばやい狐。']);
    expect(ids(budget(3, docs('a b c d', 'a b c d e', 'a')))).toEqual(['0']);
    expect(texts(budget(4, docs('A b. C d e f.', 'x y z', 'x y')))).toEqual(['A b.', 'x y']);
  });

  it('keeps the rest of a document that it cuts', () => {
    const [found] = budget(2, [document({ id: 'a', text: 'One two. Three.', metadata: { source: 'x' }, score: 0.4 })]);
    expect(found).toEqual({ id: 'a', text: 'One two.', metadata: { source: 'x' }, score: 0.4 });
  });

  it('keeps documents without text, which take nothing, and cuts the first that has one', () => {
    const picture = document({ id: 'p', media: media('image/png', new Uint8Array([1])) });
    expect(texts(budget(1, [picture, ...docs('One two.'), picture]))).toEqual([undefined, 'One', undefined]);
  });

  it('counts marks, numbers and sources when it is told to', () => {
    const given = docs('one', 'two', 'three').map((one) => ({ ...one, metadata: { source: 'file.md' } }));
    const exactly = letters.count(renderDocuments(given.slice(0, 2)));
    const keep = (maxTokens: number) =>
      tokenBudget({ maxTokens, estimator: letters, countMarks: true }).process(q, given) as Document[];
    expect(ids(keep(exactly))).toEqual(['0', '1']);
    expect(ids(keep(exactly - 1))).toEqual(['0']);
    expect(ids(keep(letters.count(renderDocuments(given))))).toEqual(['0', '1', '2']);
    expect(ids(keep(10))).toEqual([]);
  });

  it('never exceeds the budget, and never cuts another one than the first', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bcdefg', '. ', ' ', '\n', '<document>', '狐', '👨‍👩‍👧', '...'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 8 }),
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom(words, letters, pieces),
        fc.boolean(),
        (given, maxTokens, estimator, countMarks) => {
          const documents = docs(...given);
          const found = tokenBudget({ maxTokens, estimator, countMarks }).process(q, documents) as Document[];
          const used = countMarks
            ? estimator.count(renderDocuments(found))
            : found.reduce((sum, { text: one = '' }) => sum + (one.trim() === '' ? 0 : estimator.count(one)), 0);
          expect(used).toBeLessThanOrEqual(maxTokens);
          const first = documents.find((one) => (one.text ?? '').trim() !== '');
          for (const one of found) {
            const whole = documents.find(({ id }) => id === one.id);
            if (whole !== first) expect(one).toBe(whole);
            else expect(whole?.text?.startsWith(one.text ?? '-')).toBe(true);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('tells what it left out and what it cut, and only then', () => {
    const told: OmittedDocuments[] = [];
    const tellingBudget = tokenBudget({
      maxTokens: 4,
      estimator: words,
      onOmitted: (omitted) => void told.push(omitted),
    });
    const given = docs('A b. C d e f.', 'x y z', 'x y');
    tellingBudget.process(q, given);
    tellingBudget.process(q, docs('a b', 'c d'));
    expect(told).toEqual([{ leftOut: [given[1]], cut: given[0] }]);
    const failing = tokenBudget({
      maxTokens: 1,
      estimator: words,
      onOmitted: () => {
        throw new Error('broken');
      },
    });
    expect(texts(failing.process(q, docs('a', 'b')) as Document[])).toEqual(['a']);
  });

  it('takes back the last text when all together have more tokens than apart, and no picture', () => {
    const picture = document({ id: 'p', media: media('image/png', new Uint8Array([1])) });
    // One token more for each line end, of which a text by itself has none.
    const estimator = {
      count: (text: string): number => words.count(text.replace(/[<>]/g, ' ')) + text.split('\n').length,
    };
    const given = [...docs('a', 'b'), picture];
    const all = estimator.count(renderDocuments(given));
    const keep = tokenBudget({ maxTokens: all - 1, estimator, countMarks: true }).process(q, given) as Document[];
    expect(ids(keep)).toEqual(['0', 'p']);
  });

  it('cuts at the last sentence, word or character that fits, in any script', () => {
    const piece = fc.constantFrom(
      'One two. ',
      'three',
      ' ',
      '\n',
      '! ',
      'é',
      'e\u0301',
      '👩🏽‍🚀',
      '🇩🇪',
      '狐。',
      'ラーメン',
      'สวัสดีชาวโลก',
      'नमस्ते',
    );
    const cutAt = (text: string, most: number): string => {
      let rest = text;
      for (const granularity of ['sentence', 'word', 'grapheme'] as const) {
        const found = Array.from(new Intl.Segmenter('en', { granularity }).segment(rest), ({ segment }) => segment);
        const beginnings = found.map((_, at) =>
          found
            .slice(0, at + 1)
            .join('')
            .trimEnd(),
        );
        const fitting = beginnings.filter((beginning) => beginning.length <= most).at(-1) ?? '';
        if (fitting !== '') return fitting;
        rest = beginnings.find((beginning) => beginning !== '') ?? '';
      }
      return '';
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (all, most) => {
        const text = all.join('');
        const expected = text.trim() === '' || text.length <= most ? text : cutAt(text, most);
        expect(texts(budget(most, docs(text), letters))).toEqual(expected === '' && text !== '' ? [] : [expected]);
      }),
      { numRuns: 300 },
    );
  });

  it('does not count again and again a text that is much too large', () => {
    let counted = 0;
    const counting = {
      count: (text: string): number => {
        counted += text.length;
        return words.count(text);
      },
    };
    const large = 'Ten words are in this sentence of ten words here. '.repeat(20_000);
    expect(words.count(texts(budget(100, docs(large), counting))[0] ?? '')).toBe(100);
    expect(counted).toBeLessThan(large.length * 1.1);
    expect(texts(budget(3, docs(`${'\n'.repeat(30_000)}One two three four.`), words))).toEqual([
      `${'\n'.repeat(30_000)}One two three`,
    ]);
    expect(texts(budget(3, docs('x'.repeat(1_000_000)), letters))).toEqual(['xxx']);
  });

  it('refuses what cannot work', () => {
    for (const options of [{ maxTokens: 0, estimator: words }, { maxTokens: 1.5, estimator: words }, { maxTokens: 5 }])
      expect(() => tokenBudget(options as Parameters<typeof tokenBudget>[0])).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
  });
});
