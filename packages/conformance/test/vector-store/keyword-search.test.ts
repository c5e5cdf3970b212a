import { document } from '@vernal/core';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { numberEmbeddingModel, toVector } from './number-embedding-model.js';

/** The first two words of a text are its vector, the rest is text. A query without numbers points along the first axis. */
function store(): SimpleVectorStore {
  const model = numberEmbeddingModel();
  const vectorOf = (text: string): Float32Array => {
    const vector = toVector(text.split(' ').slice(0, 2).join(' '));
    return vector.every(Number.isFinite) && vector.length === 2 ? vector : Float32Array.of(1, 0);
  };
  return new SimpleVectorStore({ embeddingModel: { ...model, embed: async (texts) => texts.map(vectorOf) } });
}

const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);

describe('keyword search', () => {
  it('finds words, whatever their case, form and script', async () => {
    const subject = store();
    await subject.add([
      document({ id: 'en', text: '1 0 The Quick brown fox' }),
      document({ id: 'de', text: '1 0 Größe und Straße' }),
      document({ id: 'ru', text: '1 0 Быстрая лиса' }),
      document({ id: 'zh', text: '1 0 敏捷的棕色狐狸' }),
      document({ id: 'ja', text: '1 0 すばやい狐、東京都' }),
      document({ id: 'el', text: '1 0 ΓΡΉΓΟΡΗ αλεπού' }),
      document({ id: 'wide', text: '1 0 ＦＯＸ１２' }),
    ]);
    const search = async (query: string): Promise<string[]> =>
      ids(await subject.similaritySearch({ query, mode: 'keyword', topK: 9 }));
    expect(await search('quick')).toEqual(['en']);
    expect(await search('GRÖSSE größe')).toEqual(['de']);
    expect(await search('БЫСТРАЯ')).toEqual(['ru']);
    expect(await search('狐狸')).toEqual(['zh']);
    expect(await search('東京')).toEqual(['ja']);
    expect((await search('狐')).sort()).toEqual(['ja', 'zh']);
    expect(await search('γρήγορη')).toEqual(['el']);
    expect(await search('fox12')).toEqual(['wide']);
    expect(await search('nowhere')).toEqual([]);
    expect(await search('?!')).toEqual([]);
  });

  it('ranks by BM25: rare words, often, in short texts', async () => {
    const subject = store();
    await subject.add([
      document({ id: 'common', text: '1 0 cat cat cat cat dog' }),
      document({ id: 'rare', text: '1 0 dog bird' }),
      document({ id: 'long', text: `1 0 bird ${'word '.repeat(50)}` }),
      document({ id: 'cat2', text: '1 0 cat' }),
      document({ id: 'cat3', text: '1 0 cat' }),
    ]);
    const found = await subject.similaritySearch({ query: 'cat bird', mode: 'keyword', topK: 9 });
    expect(found[0]?.id).toBe('rare');
    expect(ids(found)).not.toContain('dog');
    expect(ids(found).indexOf('long')).toBeGreaterThan(0);
    for (const { score, metadata } of found) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
      expect(metadata['distance']).toBeCloseTo(1 - (score ?? 0), 9);
    }
    // By hand: N 5, df 2, length 3 of an average of (7 + 4 + 53 + 3 + 3) / 5 words for 'bird' in 'rare'.
    const bird = Math.log(1 + (5 - 2 + 0.5) / (2 + 0.5)) * (2.2 / (1 + 1.2 * (1 - 0.75 + (0.75 * 4) / 14)));
    expect(found[0]?.score).toBeCloseTo(bird / (1 + bird), 9);
  });

  it('follows changes, and takes filter, threshold and topK', async () => {
    const subject = store();
    await subject.add([
      document({ id: 'a', text: '1 0 apple', metadata: { n: 1 } }),
      document({ id: 'b', text: '1 0 apple pie', metadata: { n: 2 } }),
    ]);
    const search = async (more = {}): Promise<string[]> =>
      ids(await subject.similaritySearch({ query: 'apple', mode: 'keyword', ...more }));
    expect(await search()).toEqual(['a', 'b']);
    expect(await search({ topK: 1 })).toEqual(['a']);
    expect(await search({ filterExpression: 'n == 2' })).toEqual(['b']);
    expect(await search({ similarityThreshold: 0.99 })).toEqual([]);
    await subject.add([document({ id: 'a', text: '1 0 pear' }), document({ id: 'c', text: '1 0 apple' })]);
    expect(await search()).toEqual(['c', 'b']);
    await subject.delete(['b']);
    expect(await search()).toEqual(['c']);
  });

  it('embeds nothing', async () => {
    const embeddingModel = numberEmbeddingModel();
    const subject = new SimpleVectorStore({ embeddingModel });
    await subject.add([document({ id: 'a', text: '1 0' })]);
    embeddingModel.calls.length = 0;
    await subject.similaritySearch({ query: '1', mode: 'keyword' });
    expect(embeddingModel.calls).toEqual([]);
  });
});

describe('hybrid search', () => {
  it('puts first what is high in both lists', async () => {
    const subject = store();
    await subject.add([
      document({ id: 'meaning', text: '1 0 nothing of the kind' }),
      document({ id: 'both', text: '1 0.1 invoice 4711' }),
      document({ id: 'word', text: '-1 0 invoice 4711 in full' }),
      document({ id: 'neither', text: '-1 0.5 else' }),
    ]);
    const found = await subject.similaritySearch({ query: 'invoice 4711', mode: 'hybrid', topK: 3 });
    expect(ids(found)).toEqual(['both', 'word', 'meaning']);
    for (const { score } of found) expect(score).toBeLessThanOrEqual(1);
    expect(found.map(({ score }) => score)).toEqual(
      found.map(({ score }) => score).toSorted((a, b) => Number(b) - Number(a)),
    );
    expect(
      ids(await subject.similaritySearch({ query: 'invoice 4711', mode: 'hybrid', similarityThreshold: 0.98 })),
    ).toEqual(['both']);
  });

  it('is 1 for what is first in both', async () => {
    const subject = store();
    await subject.add([document({ id: 'a', text: '1 0 apple' }), document({ id: 'b', text: '0 1 pear' })]);
    const [first] = await subject.similaritySearch({ query: 'apple', mode: 'hybrid' });
    expect(first).toMatchObject({ id: 'a', score: 1 });
  });
});

it('takes a text of one very long word, in scripts without spaces too', async () => {
  const subject = store();
  await subject.add([document({ id: 'long', text: `1 0 ${'狐狸'.repeat(150_000)}` })]);
  expect(ids(await subject.similaritySearch({ query: '狐狸', mode: 'keyword' }))).toEqual(['long']);
});
