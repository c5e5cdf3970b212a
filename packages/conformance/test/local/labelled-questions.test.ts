import { readFileSync } from 'node:fs';
import { QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient } from '@vernal/client-chat';
import { contextValue, type Document, responseText } from '@vernal/core';
import { ExtractiveChatModel, LocalEmbeddingModel, LocalRerankModel, NOT_IN_DOCUMENTS } from '@vernal/model-local';
import { SimpleVectorStore } from '@vernal/vector-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryPassages } from './repository-passages.js';

interface Labelled {
  readonly question: string;
  readonly file: string;
  readonly section: string;
  /** Files, or folders with a slash at the end, that answer as well. */
  readonly also?: readonly string[];
}
type QuestionSet = 'paraphrased' | 'plain';

const questions = JSON.parse(
  readFileSync(new URL('../../../models/local/tools/labelled-questions.json', import.meta.url), 'utf8'),
) as Record<QuestionSet, readonly Labelled[]> & { readonly unanswerable: readonly string[] };

const vectorStore = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
let passages: readonly Document[] = [];
let milliseconds = 0;
beforeAll(async () => {
  passages = repositoryPassages();
  const started = performance.now();
  await vectorStore.add(passages);
  milliseconds = performance.now() - started;
});

function isRight({ file, also = [] }: Labelled, document: Document | undefined): boolean {
  const source = String(document?.metadata['source']);
  return [file, ...also].some((name) => (name.endsWith('/') ? source.startsWith(name) : source === name));
}

async function ask(question: string): Promise<{ readonly text: string; readonly firstCited: Document | undefined }> {
  const advisor = new QuestionAnswerAdvisor({ vectorStore, searchRequest: { topK: 8, mode: 'hybrid' } });
  const client = ChatClient.builder(new ExtractiveChatModel()).defaultAdvisors(advisor).build();
  const response = await client.prompt(question).call().chatClientResponse();
  const text = response.chatResponse === undefined ? '' : responseText(response.chatResponse);
  const cited = / \[(\d+)\](?:\n|$)/.exec(text)?.[1];
  return { text, firstCited: contextValue(response.context, QA_RETRIEVED_DOCUMENTS)?.[Number(cited) - 1] };
}

/** Share of the items for which the check holds. */
async function share<T>(items: readonly T[], check: (item: T) => Promise<boolean>): Promise<number> {
  let holds = 0;
  for (const item of items) if (await check(item)) holds++;
  return holds / items.length;
}

// The floors are a little below what the README of the package tells.
describe('the embedded models on questions about these documents', () => {
  it('have questions whose answers are still there', () => {
    for (const { question, file, section } of [...questions.paraphrased, ...questions.plain]) {
      const texts = passages
        .filter(({ metadata }) => metadata['source'] === file)
        .map(({ text = '', metadata }) => `${String(metadata['title'])}\n${text}`);
      expect(texts.join('\n'), question).toContain(section);
    }
  });

  it('index them quickly', () => {
    expect(passages.length).toBeGreaterThan(100);
    expect(milliseconds).toBeLessThan(20_000);
  });

  it.each([
    ['paraphrased', 0.76],
    ['plain', 0.94],
  ] as const)('find the file among five passages: %s', async (set, floor) => {
    const recall = await share(questions[set], async (labelled) => {
      const found = await vectorStore.similaritySearch({ query: labelled.question, topK: 5 });
      return found.some((document) => isRight(labelled, document));
    });
    expect(recall).toBeGreaterThanOrEqual(floor);
  });

  it.each([
    ['paraphrased', 0.5, 0.84],
    ['plain', 0.82, 0.97],
  ] as const)('rerank what both searches found: %s', async (set, first, five) => {
    const reranker = new LocalRerankModel();
    const rankings = await Promise.all(
      questions[set].map(async (labelled) => {
        const found = await vectorStore.similaritySearch({ query: labelled.question, topK: 30, mode: 'hybrid' });
        return (await reranker.rerank(labelled.question, found, { topN: 5 })).map((one) => isRight(labelled, one));
      }),
    );
    expect(await share(rankings, async ([best]) => best === true)).toBeGreaterThanOrEqual(first);
    expect(await share(rankings, async (ranking) => ranking.includes(true))).toBeGreaterThanOrEqual(five);
  });

  it('answer plain questions from the right file', async () => {
    const right = await share(questions.plain, async (labelled) =>
      isRight(labelled, (await ask(labelled.question)).firstCited),
    );
    expect(right).toBeGreaterThanOrEqual(0.75);
  });

  it('refuse paraphrased questions rather than answer them wrongly', async () => {
    const wrong = await share(questions.paraphrased, async (labelled) => {
      const { text, firstCited } = await ask(labelled.question);
      return text !== NOT_IN_DOCUMENTS && !isRight(labelled, firstCited);
    });
    expect(wrong).toBeLessThanOrEqual(0.24);
  });

  it('refuse what the documents do not say', async () => {
    const refused = await share(
      questions.unanswerable,
      async (question) => (await ask(question)).text === NOT_IN_DOCUMENTS,
    );
    expect(refused).toBeGreaterThanOrEqual(0.85);
  });

  it.each([
    'What is the capital of France?',
    'Who won the 1998 world cup?',
    'How many employees does Vernal have?',
    'What does Vernal cost per month?',
  ])('do not answer %j', async (question) => {
    expect((await ask(question)).text).toBe(NOT_IN_DOCUMENTS);
  });
});
