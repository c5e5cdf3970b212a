// The ten best of 100,000 chunks by BM25, for queries of five to ten words with the most frequent ones among them; beside a bare loop over
// the same postings, which knows each word's list by heart and keeps no order of what it finds.
import { Bm25Index, wordsOf } from '@vernal/vector-store';
import { compare } from './measure.mjs';

const chunks = 100_000;
const vocabulary = 60_000;
const queries = 20;

/** As in texts: the second most frequent word is half as frequent as the first, the third a third. */
function textMaker() {
  let seed = 7;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const word = () => `w${Math.floor(vocabulary ** next())}`;
  return (length) => Array.from({ length }, word).join(' ');
}

/** The same sums from arrays that are laid out for it: no words to cut, nothing removed, no best ones to choose. */
function bareLoop(texts) {
  const lists = new Map();
  const lengths = texts.map((text, at) => {
    const counts = new Map();
    const words = wordsOf(text, true);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, times] of counts) {
      if (!lists.has(word)) lists.set(word, []);
      lists.get(word).push(at * 256 + times);
    }
    return words.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  const norms = Float64Array.from(lengths, (length) => 1.2 * (0.25 + (0.75 * length) / average));
  const packed = new Map(Array.from(lists, ([word, list]) => [word, Uint32Array.from(list)]));
  const scores = new Float64Array(texts.length);
  return (words) => {
    scores.fill(0);
    for (const word of words) {
      const list = packed.get(word) ?? [];
      const rarity = Math.log(1 + (texts.length - list.length + 0.5) / (list.length + 0.5));
      for (let i = 0; i < list.length; i += 1) {
        const entry = list[i];
        const times = entry & 255;
        scores[entry >>> 8] += (rarity * times * 2.2) / (times + norms[entry >>> 8]);
      }
    }
    return scores;
  };
}

export async function keywordSearch() {
  const text = textMaker();
  const texts = Array.from({ length: chunks }, (_, i) => text(80 + (i % 80)));
  const index = new Bm25Index();
  globalThis.gc?.();
  const before = process.memoryUsage();
  const started = performance.now();
  for (const [i, one] of texts.entries()) index.put(`chunk-${i}`, one);
  const took = performance.now() - started;
  globalThis.gc?.();
  const after = process.memoryUsage();
  const grown = after.heapUsed - before.heapUsed + after.external - before.external;
  const asked = Array.from({ length: queries }, (_, i) => `w1 w2 w4 ${text(2 + (i % 6))}`);
  const loop = bareLoop(texts);
  const words = asked.map((query) => [...new Set(wordsOf(query))]);
  for (const [i, query] of asked.entries()) {
    const [best] = index.search(query, { topK: 1 });
    const most = loop(words[i]).reduce((a, b) => Math.max(a, b));
    if (Math.abs(best.score - most) > 1e-9) throw new Error('the index and the loop differ');
  }
  const turns = (operation) => (count) => {
    for (let i = 0; i < count; i += 1) operation(i % queries);
  };
  await compare(
    `Keyword search: the 10 best of ${chunks.toLocaleString('en')} chunks of 80 to 160 words, queries of 5 to 10 words`,
    {
      'floor: a bare loop over the postings': turns((i) => loop(words[i])),
      'vernal Bm25Index': turns((i) => index.search(asked[i], { topK: 10 })),
      'vernal Bm25Index, rare words only': turns((i) => index.search(`w${40_000 + i} w${50_000 + i}`, { topK: 10 })),
    },
    { operations: queries, unit: 'ms', weighed: 0 },
  );
  const each = [...asked.keys()].map((i) => {
    const begun = performance.now();
    index.search(asked[i], { topK: 10 });
    return performance.now() - begun;
  });
  console.log(
    `slowest query: ${Math.max(...each).toFixed(1)} ms; indexing: ${((took * 1000) / chunks).toFixed(0)} us a chunk; memory: ${(grown / 2 ** 20).toFixed(0)} MB`,
  );
}
