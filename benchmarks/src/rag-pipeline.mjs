// What the pipeline of RetrievalAugmentationAdvisor costs by itself: its parts are functions that answer at once. Then those parts that
// work with texts: fusion of lists, and dedupe.
import { ChatClient } from '@vernal/client-chat';
import { document } from '@vernal/core';
import {
  dedupe,
  neighbours,
  query,
  ReciprocalRankFusionJoiner,
  RetrievalAugmentationAdvisor,
  tokenBudget,
  withQuery,
} from '@vernal/rag';
import { wordsOf } from '@vernal/vector-store';
import { compare, each } from './measure.mjs';
import { echo } from './models.mjs';

const words = { count: (text) => text.split(' ').length };

/** Texts of some 150 words, as chunks are. */
function textMaker() {
  let seed = 11;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  return () => Array.from({ length: 150 }, () => `w${Math.floor(5_000 ** next())}`).join(' ');
}

function chunksOf(count, parent = 'p') {
  const text = textMaker();
  return Array.from({ length: count }, (_, i) =>
    document({
      id: `${parent}${i}`,
      text: text(),
      score: 1 - i / count,
      metadata: { parent_document_id: parent, chunk_index: i * 3, total_chunks: count * 3 },
    }),
  );
}

async function turns() {
  const [byMeaning, byWords] = [chunksOf(5, 'a'), chunksOf(5, 'b')];
  const rewrite = (of) => withQuery(of, { text: `${of.text}!` });
  const expand = (of) => [of, ...['a', 'b', 'c'].map((text) => withQuery(of, { text }))];
  const firstOfEach = (results) => results.flatMap(({ documents }) => documents.slice(0, 1));
  const same = (_, documents) => documents;
  const functions = {
    queryTransformers: [rewrite, rewrite],
    queryExpander: expand,
    documentRetriever: [() => byMeaning, () => byWords],
    documentJoiner: firstOfEach,
    documentPostProcessors: [same, same, same],
    queryAugmenter: (of) => of,
  };
  const defaults = { ...functions, documentJoiner: undefined, queryAugmenter: undefined };
  const clientOf = (options) =>
    ChatClient.builder(echo).defaultAdvisors(new RetrievalAugmentationAdvisor(options)).build();
  const ask = (client) => each(() => client.prompt().system('You are terse.').user('Hello').call().content());
  const rows = await compare(
    'A turn with retrieval, every part answers at once: 2 transformers, 4 queries, 2 retrievers, joiner, 3 post-processors, augmenter',
    {
      'floor: the client without retrieval': ask(ChatClient.create(echo)),
      'vernal, one retriever, joiner and augmenter functions': ask(
        clientOf({ ...functions, queryTransformers: [], queryExpander: undefined, documentPostProcessors: [] }),
      ),
      'vernal, all steps': ask(clientOf(functions)),
      'vernal, all steps, its own joiner and augmenter': ask(clientOf(defaults)),
    },
    { operations: 500 },
  );
  const [floor, , all] = rows.map((row) => row['CPU us']);
  console.log(`the pipeline with all steps: ${(all - floor).toFixed(1)} us a turn`);
}

async function parts() {
  const fifty = chunksOf(50);
  const copies = [...fifty.slice(0, 25), ...fifty.slice(0, 25).map((one) => ({ ...one, id: `${one.id}'` }))];
  const q = query('Hello');
  const process = (part, documents) => each(() => part.process(q, documents));
  const lists = Array.from({ length: 8 }, (_, at) => ({
    query: q,
    retriever: at % 2,
    documents: fifty.slice(at * 3, at * 3 + 10),
  }));
  const around = fifty.map((one) => ({
    ...one,
    id: `${one.id}+`,
    metadata: { ...one.metadata, chunk_index: one.metadata.chunk_index + 1 },
  }));
  await compare(
    '50 documents of 150 words',
    {
      'floor: their words': each(() => {
        for (const { text } of fifty) wordsOf(text);
      }),
      'vernal dedupe, all different': process(dedupe(), fifty),
      'vernal dedupe, half of them copies': process(dedupe(), copies),
      'vernal tokenBudget for 40': process(tokenBudget({ maxTokens: 40 * 150, estimator: words }), fifty),
      'vernal neighbours, 50 found': process(neighbours({ source: () => around }), fifty),
      'vernal rank fusion of 8 lists of 10': each(() => new ReciprocalRankFusionJoiner().join(lists)),
    },
    { operations: 20, unit: 'ms', weighed: 0 },
  );
}

export async function ragPipeline() {
  await turns();
  await parts();
}
