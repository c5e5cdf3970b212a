import type { Document, RerankModel } from '@vernal/core';
import { invalidArgument, throwIfAborted } from '@vernal/core';
import { describeRerankModel, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { CollectingRunner } from './collecting-runner.js';

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
const shared = (query: string, text: string): number => {
  const stems = wordsOf(query).map((word) => word.slice(0, 4));
  return new Set(wordsOf(text).filter((word) => stems.includes(word.slice(0, 4)))).size / (1 + stems.length);
};

/** Counts the beginnings of words that query and document share. */
const right: RerankModel = {
  provider: 'words',
  async rerank(query, documents, { topN } = {}, context) {
    if (topN !== undefined && !(Number.isInteger(topN) && topN > 0))
      throw invalidArgument('topN', 'must be at least 1');
    throwIfAborted(context?.signal);
    return documents
      .map((document) => ({ ...document, score: shared(query, document.text ?? '') }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topN);
  },
};

describeRerankModel('shared words', () => ({ subject: right }), { runner: vitestRunner(vitest) });

describe('a broken rerank model fails the case that is about it', () => {
  const changed = (change: (ranked: Document[], given: readonly Document[]) => Document[]): Partial<RerankModel> => ({
    rerank: async (query, documents, ...rest) => change(await right.rerank(query, documents, ...rest), documents),
  });
  let last = '';
  it.each<[string, Partial<RerankModel>, readonly string[]]>([
    ['a loud name', { provider: 'Words' }, ['rerank.plain-data']],
    [
      'worst first',
      changed((ranked) => ranked.toReversed()),
      ['rerank.answer-first', 'rerank.documents-kept', 'rerank.many', 'rerank.top-n', 'rerank.concurrent'],
    ],
    [
      'texts trimmed',
      changed((ranked) => ranked.map((one) => (one.text ? { ...one, text: one.text.trim() } : one))),
      ['rerank.documents-kept'],
    ],
    [
      'equal texts given once',
      changed((ranked) => ranked.filter((one, at) => ranked.findIndex(({ text }) => text === one.text) === at)),
      ['rerank.documents-kept'],
    ],
    [
      'scores of the search kept',
      changed((ranked, given) =>
        ranked.map((one) => ({ ...one, score: given.find(({ id }) => id === one.id)?.score }) as Document),
      ),
      ['rerank.documents-kept', 'rerank.one-scale'],
    ],
    [
      'no scores from the middle on',
      changed((ranked) => ranked.map(({ score: _, ...one }, at) => (at === 1 ? one : { ...one, score: -at }))),
      ['rerank.documents-kept', 'rerank.many'],
    ],
    [
      'only the first request',
      { rerank: (query, documents, ...rest) => right.rerank(query, documents.slice(0, 100), ...rest) },
      ['rerank.many'],
    ],
    [
      'topN not heeded',
      { rerank: (query, documents, _, context) => right.rerank(query, documents, {}, context) },
      ['rerank.top-n'],
    ],
    [
      'sorted in place',
      {
        rerank: async (query, documents, ...rest) => {
          const ranked = await right.rerank(query, documents, ...rest);
          (documents as Document[]).sort(() => 1);
          return ranked;
        },
      },
      ['rerank.input-kept'],
    ],
    [
      'one query for all',
      {
        rerank: async (query, ...rest) => {
          last = query;
          await Promise.resolve();
          return right.rerank(last, ...rest);
        },
      },
      ['rerank.concurrent'],
    ],
    [
      'deaf to signals',
      { rerank: (query, documents, options) => right.rerank(query, documents, options) },
      ['rerank.abort'],
    ],
    [
      'a document made up for none',
      changed((ranked) => (ranked.length === 0 ? [{ id: 'none', metadata: {} } as Document] : ranked)),
      ['rerank.empty'],
    ],
  ])('%s', async (_, change, expected) => {
    const runner = new CollectingRunner();
    describeRerankModel('broken', () => ({ subject: { ...right, ...change } }), { runner });
    expect(await runner.run()).toEqual(expected);
  });
});
