import { document, invalidArgument } from '@vernal/core';
import { evaluateRetrieval, type LabelledQuestion, RetrievalEvaluator } from '@vernal/evaluation';
import { hashingEmbeddingModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { coded, leave, lunch } from './samples.js';

const questions: LabelledQuestion[] = [
  { id: 'leave', question: 'days of paid leave', relevant: ['leave'] },
  { question: 'when is lunch served', relevant: { lunch: 2 } },
];

describe('evaluating a retriever', () => {
  it('measures a vector store on a labelled set', async () => {
    const store = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel({ dimensions: 512 }) });
    await store.add([leave, lunch, document({ id: 'parking', text: 'Cars are parked behind the house.' })]);
    const run = await evaluateRetrieval(
      questions,
      (query, context) => store.similaritySearch({ query, topK: 3 }, context),
      {
        k: 1,
      },
    );
    expect(run.questions.map(({ id }) => id)).toEqual(['leave', '2']);
    expect(run.means).toEqual({ 'recall@1': 1, 'precision@1': 1, 'hit@1': 1, 'ndcg@1': 1, mrr: 1, map: 1 });
    expect(run).toMatchObject({ version: 1, errors: 0 });
    expect(JSON.parse(JSON.stringify(run))).toEqual(run);
  });

  it('takes means over what was found, by any key, and times', async () => {
    const found: Record<string, string[]> = { one: ['x', 'a'], two: ['b'] };
    const run = await evaluateRetrieval(
      [
        { question: 'one', relevant: ['A'] },
        { question: 'two', relevant: ['B', 'C'] },
      ],
      (question) =>
        (found[question] ?? []).map((id) => document({ id, text: '-', metadata: { key: id.toUpperCase() } })),
      { metrics: ['recall@1', 'mrr'], keyOf: ({ metadata }) => String(metadata['key']) },
    );
    expect(run.questions.map(({ values }) => values)).toEqual([
      { 'recall@1': 0, mrr: 1 / 2 },
      { 'recall@1': 1 / 2, mrr: 1 },
    ]);
    expect(run.means).toEqual({ 'recall@1': 1 / 4, mrr: 3 / 4 });
    const { mean, p50, p95, max } = run.latency ?? { mean: -1, p50: -1, p95: -1, max: -1 };
    expect([mean >= 0, p50 <= p95, p95 <= max, mean <= max]).toEqual([true, true, true, true]);
  });

  it('counts a question that fails, tells it without its words, and goes on', async () => {
    const run = await evaluateRetrieval(
      [
        { id: 'a', question: 'secret', relevant: ['x'] },
        { id: 'b', question: 'fine', relevant: ['x'] },
        { id: 'c', question: 'unlabelled', relevant: [] },
        { id: 'd', question: 'wrong', relevant: ['x'] },
      ],
      async (question) => {
        if (question === 'secret') throw new TypeError(`no ${question}`);
        if (question === 'wrong') throw invalidArgument('topK', 'must be less');
        return ['x'];
      },
      { metrics: ['mrr'] },
    );
    expect(run.means).toEqual({ mrr: 1 });
    expect(run.errors).toBe(3);
    expect(run.questions.map(({ error }) => error)).toEqual([
      'TypeError',
      undefined,
      expect.stringContaining('invalid_argument: relevant'),
      'invalid_argument: topK: must be less',
    ]);
  });

  it('has no means of nothing', async () => {
    const run = await evaluateRetrieval([], () => []);
    expect(run).toEqual({ version: 1, questions: [], means: {}, errors: 0 });
  });

  it('stops at once when its signal fires', async () => {
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const waiting = evaluateRetrieval(
      questions,
      (_, { signal }) => {
        seen = signal;
        return new Promise(() => {});
      },
      { signal: stop.signal },
    );
    while (seen === undefined) await Promise.resolve();
    stop.abort();
    await expect(waiting).rejects.toEqual(coded('aborted'));
    expect(seen.aborted).toBe(true);
  });

  it.each([
    [{ k: 0 }, 'k'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ metrics: ['recall' as never] }, 'metric'],
    [{ metrics: ['recall@0'] as never }, 'metric'],
    [{ metrics: ['toString@3'] as never }, 'metric'],
  ])('refuses %j', async (options, subject) => {
    await expect(evaluateRetrieval(questions, () => [], options)).rejects.toEqual(coded('invalid_argument', subject));
  });
});

describe('the retrieval evaluator', () => {
  it('is a metric as an evaluator', async () => {
    const evaluator = new RetrievalEvaluator({ metric: 'recall@2' });
    expect(evaluator.name).toBe('recall@2');
    const response = { response: '', documents: [leave, lunch] };
    expect(await evaluator.evaluate({ ...response, relevant: ['lunch', 'more', 'leave'] })).toMatchObject({
      verdict: 'pass',
      metadata: { found: 2 },
    });
    expect(await evaluator.evaluate({ ...response, relevant: ['lunch', 'a', 'b'] })).toMatchObject({ verdict: 'fail' });
    expect(await evaluator.evaluate({ ...response, documents: [], relevant: ['a'] })).toMatchObject({ score: 0 });
  });

  it('says what it needs', async () => {
    const evaluator = new RetrievalEvaluator({ metric: 'mrr' });
    await expect(evaluator.evaluate({ response: '', documents: [] })).rejects.toEqual(
      coded('invalid_argument', 'relevant'),
    );
    await expect(evaluator.evaluate({ response: '', relevant: ['a'] })).rejects.toEqual(
      coded('invalid_argument', 'documents'),
    );
  });
});
