import type { Document, RerankModel } from '@vernal/core';
import { contextValue, document } from '@vernal/core';
import type { DocumentPostProcessorLike } from '@vernal/rag';
import {
  compress,
  dedupe,
  lostInTheMiddle,
  neighbours,
  RAG_DEGRADATIONS,
  RAG_DOCUMENT_CONTEXT,
  RetrievalAugmentationAdvisor,
  rerank,
  tokenBudget,
  topDocuments,
} from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { clientOf } from './answering.js';

const words = { count: (text: string): number => text.split(/\s+/).filter((word) => word !== '').length };
/** The longest first. */
const longest: RerankModel = {
  provider: 'longest',
  rerank: async (_query, documents) =>
    documents
      .map((one) => ({ ...one, score: (one.text ?? '').length / 1_000 }))
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0)),
};
const found = [
  document({ id: 'short', text: 'Returns are free.' }),
  document({ id: 'copy', text: 'returns are FREE!!' }),
  document({ id: 'long', text: 'Returns of lamps are free for thirty days after they came.' }),
  document({ id: 'middle', text: 'The shop opens at nine on weekdays.' }),
];

/** What a turn shows to the model, and what it did without. */
async function shown(documents: readonly Document[], ...documentPostProcessors: DocumentPostProcessorLike[]) {
  const advisor = new RetrievalAugmentationAdvisor({ documentRetriever: () => documents, documentPostProcessors });
  const model = new ScriptedChatModel(['ok']);
  const { context } = await clientOf(model, advisor).prompt('Are returns free?').call().chatClientResponse();
  const kept = contextValue(context, RAG_DOCUMENT_CONTEXT) ?? [];
  const text = model.prompts[0]?.userMessage.text ?? '';
  const places = kept.map((one) => text.indexOf(`\n${one.text}\n`));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  return {
    ids: kept.map(({ id }) => id),
    texts: kept.map((one) => one.text),
    degraded: contextValue(context, RAG_DEGRADATIONS),
  };
}

describe('post-processors', () => {
  it('run in their order: what orders before what drops and cuts, and the ends of the list last', async () => {
    const all = [rerank(longest), dedupe(), tokenBudget({ maxTokens: 22, estimator: words }), lostInTheMiddle()];
    expect((await shown(found, ...all)).ids).toEqual(['long', 'copy', 'middle']);
    expect((await shown(found, ...all.toReversed())).ids).toEqual(['long', 'middle', 'short']);
  });

  it('give way to each other as they stand: a budget before the reranker keeps what was found first', async () => {
    const budget = tokenBudget({ maxTokens: 6, estimator: words });
    expect((await shown(found, budget, rerank(longest))).ids).toEqual(['copy', 'short']);
    expect((await shown(found, rerank(longest), budget)).texts).toEqual(['Returns of lamps are free for']);
  });

  it('find the neighbours of chunks before these are put into one another, cut and compressed', async () => {
    const chunk = (index: number, text: string) =>
      document({ id: `c${index}`, text, metadata: { parent_document_id: 'p', chunk_index: index, total_chunks: 4 } });
    const all = [
      chunk(0, 'It opens at nine.'),
      chunk(1, 'Returns are free.'),
      chunk(2, 'For a month.'),
      chunk(3, 'Cats sleep.'),
    ];
    const source = () => all;
    const model = new ScriptedChatModel([{ text: '{"sentences": [2, 3]}' }]);
    const result = await shown(
      [...all.slice(1, 2), document({ id: 'same', text: 'It opens at nine. Returns are free. For a month.' })],
      neighbours({ source }),
      dedupe(),
      compress({ model }),
      topDocuments({ topN: 3 }),
    );
    expect(result).toEqual({ ids: ['c1'], texts: ['Returns are free.\nFor a month.'], degraded: [] });
  });

  it('that fail are done without, and the others run', async () => {
    const down = () => Promise.reject(new Error('down'));
    const failing: RerankModel = { provider: 'p', rerank: down };
    const model = new ScriptedChatModel([{ error: new Error('down') }]);
    const result = await shown(
      found,
      rerank(failing),
      dedupe({ embeddingModel: { provider: 'p', embed: down, call: down, dimensions: down } }),
      neighbours({ source: down }),
      compress({ model, concurrency: 1 }),
      tokenBudget({ maxTokens: 6, estimator: words }),
    );
    expect(result.ids).toEqual(['short', 'copy']);
    expect(result.degraded?.map(({ step, index }) => [step, index])).toEqual([
      ['post_process', 0],
      ['post_process', 1],
      ['post_process', 3],
    ]);
  });
});
