import { VernalError } from '@vernal/core';
import { Bm25Index, wordsOf } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Scored {
  readonly id: string;
  readonly score: number;
}

/** BM25 as the paper writes it, over all texts, each time anew. */
function naive(texts: ReadonlyMap<string, string>, query: string, k1 = 1.2, b = 0.75): Scored[] {
  const entries = [...texts].map(([id, text]) => ({ id, words: wordsOf(text, true) }));
  const average = entries.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, entries.length);
  const terms = [...new Set(wordsOf(query))];
  return entries
    .map(({ id, words }) => {
      let score = 0;
      for (const term of terms) {
        const times = words.filter((word) => word === term).length;
        if (times === 0) continue;
        const holders = entries.filter((other) => other.words.includes(term)).length;
        const idf = Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5));
        score += (idf * times * (k1 + 1)) / (times + k1 * (1 - b + (b * words.length) / average));
      }
      return { id, score };
    })
    .filter(({ score }) => score > 0);
}

/** Equal within rounding, in whatever order ties stand. */
function expectBest(found: readonly Scored[], all: readonly Scored[], topK: number): void {
  const scores = new Map(all.map(({ id, score }) => [id, score]));
  const wanted = all.map(({ score }) => score).sort((x, y) => y - x);
  expect(found.length).toBe(Math.min(topK, all.length));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  for (const [at, { id, score }] of found.entries()) {
    expect(score).toBeCloseTo(scores.get(id) ?? Number.NaN, 9);
    expect(score).toBeCloseTo(wanted[at] ?? Number.NaN, 9);
  }
}

const word = fc.constantFrom('a', 'be', 'see', 'Größe', 'größe', '東京都', 'x1', '-', 'incomprehensibilities');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
const id = fc.integer({ min: 0, max: 9 }).map((n) => `id${n}`);

describe('Bm25Index', () => {
  it('finds what BM25 says, whatever was put, replaced and removed before', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ put: id, text }) },
      { weight: 2, arbitrary: fc.record({ remove: id }) },
      { weight: 1, arbitrary: fc.record({ search: text }) },
    );
    const options = fc.record({ k1: fc.constantFrom(0, 0.9, 1.2, 2), b: fc.constantFrom(0, 0.4, 1) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        text,
        fc.integer({ min: 1, max: 12 }),
        options,
        (steps, query, topK, { k1, b }) => {
          const index = new Bm25Index({ k1, b });
          const texts = new Map<string, string>();
          for (const one of steps) {
            if ('put' in one) {
              index.put(one.put, one.text);
              texts.set(one.put, one.text);
            } else if ('remove' in one) {
              expect(index.remove(one.remove)).toBe(texts.delete(one.remove));
            } else {
              expectBest(index.search(one.search, { topK }), naive(texts, one.search, k1, b), topK);
            }
          }
          expect(index.size).toBe(texts.size);
          expectBest(index.search(query, { topK }), naive(texts, query, k1, b), topK);
        },
      ),
    );
  });

  it('is the same when thousands of texts came and went', () => {
    const index = new Bm25Index();
    const texts = new Map<string, string>();
    const put = (n: number, words: string): void => {
      index.put(`${n}`, words);
      texts.set(`${n}`, words);
    };
    const textOf = (n: number): string =>
      `all ${n % 2 === 0 ? 'even' : 'odd odd'} third${n % 3} own${n} ${'long '.repeat(n % 5)}`;
    for (let n = 0; n < 4000; n++) put(n, textOf(n));
    for (let n = 0; n < 3900; n++) {
      index.remove(`${n}`);
      texts.delete(`${n}`);
      if (n % 500 === 0) expect(index.search('all', { topK: 1 })).toHaveLength(1);
    }
    for (let n = 3900; n < 4100; n++) put(n, textOf(n + 1));
    expect(index.size).toBe(200);
    for (const query of ['all', 'even third1', 'own3950 long', 'odd odd own12'])
      expectBest(index.search(query, { topK: 150 }), naive(texts, query), 150);
  });

  it('counts a word that is in a text hundreds of times, also after the index was rewritten', () => {
    const index = new Bm25Index();
    const texts = new Map([
      ['often', `fox ${'dog '.repeat(700)}`],
      ['limit', 'dog '.repeat(255)],
      ['once', 'dog fox'],
    ]);
    for (const [key, value] of texts) index.put(key, value);
    expectBest(index.search('dog fox'), naive(texts, 'dog fox'), 4);
    for (let n = 0; n < 1100; n++) index.put('once', 'dog fox');
    expectBest(index.search('dog fox'), naive(texts, 'dog fox'), 4);
  });

  it('puts equal scores in the order of their places, at the cut as well', () => {
    const index = new Bm25Index();
    for (let n = 0; n < 50; n++) index.put(`t${n}`, 'same');
    expect(index.search('same', { topK: 3 }).map((hit) => hit.id)).toEqual(['t0', 't1', 't2']);
    const place = (key: string): number => -Number(key.slice(1));
    expect(index.search('same', { topK: 3, place }).map((hit) => hit.id)).toEqual(['t49', 't48', 't47']);
  });

  it('leaves out what has no place, and still finds as many as there are', () => {
    const index = new Bm25Index();
    for (let n = 0; n < 50; n++) index.put(`${n}`, n < 40 ? 'good good' : 'good');
    const place = (key: string, order: number): number | undefined => (Number(key) < 40 ? undefined : order);
    expect(index.search('good', { topK: 3, place }).map((hit) => hit.id)).toEqual(['40', '41', '42']);
  });

  it('can be searched from within a search, and after one that threw', () => {
    const index = new Bm25Index();
    for (let n = 0; n < 5; n++) index.put(`${n}`, n % 2 === 0 ? 'red fish' : 'red');
    const expected = index.search('red');
    const nested = index.search('red', {
      place: (key) => {
        expect(index.search('fish')).toHaveLength(3);
        return Number(key);
      },
    });
    expect(nested).toEqual(expected);
    const broken = (): number => {
      throw new Error('no place');
    };
    expect(() => index.search('red', { place: broken })).toThrow('no place');
    expect(index.search('red')).toEqual(expected);
  });

  it('cuts words as it is told', () => {
    const stem = (words: string): string[] => wordsOf(words).map((one) => one.replace(/s$/, ''));
    const index = new Bm25Index({ words: stem });
    index.put('1', 'two foxes and dogs');
    expect(index.search('dog')).toHaveLength(1);
    expect(new Bm25Index().search('dog')).toEqual([]);
  });

  it('refuses what is no text, no number and no count, and keeps what it has', () => {
    const index = new Bm25Index();
    index.put('1', 'fox');
    const code = (act: () => unknown): unknown => {
      try {
        act();
      } catch (error) {
        return error instanceof VernalError ? [error.code, error.subject] : error;
      }
      return 'nothing';
    };
    expect(code(() => new Bm25Index({ k1: -1 }))).toEqual(['invalid_argument', 'k1']);
    expect(code(() => new Bm25Index({ b: 1.1 }))).toEqual(['invalid_argument', 'b']);
    expect(code(() => index.put('1', undefined as unknown as string))).toEqual(['invalid_argument', 'text']);
    expect(code(() => index.put(1 as unknown as string, ''))).toEqual(['invalid_argument', 'id']);
    expect(code(() => index.search('fox', { topK: 0 }))).toEqual(['invalid_argument', 'topK']);
    expect(code(() => index.search(undefined as unknown as string))).toEqual(['invalid_argument', 'query']);
    expect(index.search('fox')).toHaveLength(1);
    expect([index.has('1'), index.has('2'), index.size]).toEqual([true, false, 1]);
  });
});

describe('wordsOf', () => {
  it('folds case and width, keeps every script, and pairs what has no spaces', () => {
    expect(wordsOf('Größe: ＸＬ, 東京都!')).toEqual(['größe', 'xl', '東京', '京都']);
    expect(wordsOf('東京', true)).toEqual(['東', '京', '東京']);
    expect(wordsOf('abc東def')).toEqual(['abc', '東', 'def']);
    expect(wordsOf('क्या हुआ')).toEqual(['क्या', 'हुआ']);
    expect(wordsOf('?! —')).toEqual([]);
  });
});
