import { ChatClient } from '@vernal/client-chat';
import { invalidArgument, tool } from '@vernal/core';
import {
  ContainsEvaluator,
  type EvaluateOptions,
  type EvaluationCase,
  type EvaluationRequest,
  type Evaluator,
  evaluate,
  evaluationResponse,
  type PipelineResult,
  pipelineResult,
  RelevancyEvaluator,
  RetrievalEvaluator,
  ToolCallEvaluator,
} from '@vernal/evaluation';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { coded, leave, lunch } from './samples.js';

const contains = new ContainsEvaluator();
const cases = (count: number): EvaluationCase<string>[] =>
  Array.from({ length: count }, (_, i) => ({ id: `c${i}`, input: `question ${i}`, reference: String(i) }));
const echo = (input: string): PipelineResult => ({ response: input });

describe('a run', () => {
  it('gives what every evaluator said of every case, in the order of the cases', async () => {
    const release: (() => void)[] = [];
    const running = evaluate(
      cases(3),
      (input) => new Promise<PipelineResult>((resolve) => release.push(() => resolve(echo(input)))),
      [contains, { ...contains, name: 'other', evaluate: async () => evaluationResponse({ verdict: 'inconclusive' }) }],
      { name: 'main' },
    );
    while (release.length < 3) await Promise.resolve();
    for (const resolve of release.reverse()) {
      resolve();
      await Promise.resolve();
    }
    const run = await running;
    expect(run.cases.map(({ id }) => id)).toEqual(['c0', 'c1', 'c2']);
    expect(run.cases[1]).toMatchObject({
      results: { contains: { pass: true }, other: { verdict: 'inconclusive' } },
      contents: { question: 'question 1', response: 'question 1', reference: '1' },
    });
    expect(run.summary).toEqual({
      contains: { passed: 3, failed: 0, inconclusive: 0, errors: 0, meanScore: 1 },
      other: { passed: 0, failed: 0, inconclusive: 3, errors: 0 },
    });
    expect(run).toMatchObject({ version: 1, name: 'main', spent: {} });
    expect(new Date(run.startedAt).toISOString()).toBe(run.startedAt);
    expect(JSON.parse(JSON.stringify(run))).toEqual(run);
  });

  it('takes means over what was decided', async () => {
    const scores = [0.25, 0.75, undefined];
    const scoring: Evaluator = {
      name: 'scoring',
      evaluate: async ({ userText }) => {
        const score = scores[Number(userText?.at(-1))];
        return evaluationResponse({ verdict: score === undefined ? 'inconclusive' : 'fail', score });
      },
    };
    const { summary } = await evaluate(cases(3), echo, [scoring]);
    expect(summary['scoring']).toEqual({ passed: 0, failed: 2, inconclusive: 1, errors: 0, meanScore: 0.5 });
  });

  it('fills in what the case knows, and lets the pipeline overrule it', async () => {
    const seen: EvaluationRequest[] = [];
    const watching: Evaluator = {
      name: 'watching',
      evaluate: async (request) => {
        seen.push(request);
        return evaluationResponse({ verdict: 'pass' });
      },
    };
    const known = { reference: 'r', relevant: ['leave'], expectedToolCalls: [{ name: 'f' }] };
    const all: EvaluationCase<string | number>[] = [
      { id: 'a', input: 'question', ...known },
      { id: 'b', input: 7, ...known },
    ];
    await evaluate(
      all,
      (input) => (input === 7 ? { response: '', userText: 'own', reference: 'own' } : { response: '' }),
      [watching],
    );
    expect(seen).toEqual([
      { response: '', userText: 'question', ...known },
      { response: '', userText: 'own', ...known, reference: 'own' },
    ]);
  });

  it('goes on when a pipeline or an evaluator fails, and tells it without their words', async () => {
    const picky: Evaluator = {
      name: 'picky',
      evaluate: async ({ userText }) => {
        if (userText === 'question 1') throw new RangeError('secret');
        if (userText === 'question 3') throw Object.assign(new Error('x'), { name: 'the secret' });
        return evaluationResponse({ verdict: 'pass' });
      },
    };
    const run = await evaluate(
      cases(4),
      (input) => {
        if (input === 'question 0') throw new TypeError('secret');
        if (input === 'question 2') throw invalidArgument('topK', 'must be less');
        return echo(input);
      },
      [picky, contains],
    );
    expect(run.cases.map(({ error }) => error)).toEqual([
      'TypeError',
      undefined,
      'invalid_argument: topK: must be less',
      undefined,
    ]);
    expect(run.cases[1]).toMatchObject({ errors: { picky: 'RangeError' }, results: { contains: { pass: true } } });
    expect(run.cases[3]).toMatchObject({ errors: { picky: 'Error' } });
    expect(run.summary).toMatchObject({ picky: { passed: 0, errors: 4 }, contains: { passed: 2, errors: 2 } });
    expect(JSON.stringify(run)).not.toContain('secret');
  });

  it('does not take from an evaluator what is no response', async () => {
    const wrong = (response: object): Evaluator => ({ name: 'wrong', evaluate: async () => response as never });
    for (const response of [
      { verdict: 'yes' },
      { verdict: 'pass', score: 2 },
      { verdict: 'pass', metadata: { at: new Date() } },
    ]) {
      const run = await evaluate(cases(1), echo, [wrong(response)]);
      expect(run.cases[0]?.errors?.['wrong']).toContain('invalid_argument');
    }
    const lying = await evaluate(cases(1), echo, [
      wrong({ pass: true, verdict: 'fail', score: 0, feedback: '', metadata: {} }),
    ]);
    expect(lying.cases[0]?.results['wrong']?.pass).toBe(false);
  });

  it('takes a concurrency far above the number of cases', async () => {
    const run = await evaluate(cases(3), echo, [contains], { concurrency: 1e9 });
    expect(run.cases.map(({ id }) => id)).toEqual(cases(3).map(({ id }) => id));
  });

  it('evaluates an id once', async () => {
    const [one] = cases(1);
    if (one === undefined) throw new Error('no case');
    const run = await evaluate([one, one], echo, [contains]);
    expect(run.cases.map(({ error }) => error)).toEqual([undefined, expect.stringContaining('invalid_argument: id')]);
  });

  it('asks nothing for a case without an id or an input, as a file of other names gives it', async () => {
    const asked: unknown[] = [];
    const file = JSON.parse(
      '[{"id":"a","question":"Why?"},{"input":"Why?"},{"id":" ","input":"Why?"},{"id":"b","input":""},{"id":"d","input":0}]',
    );
    const pipeline = (input: unknown): PipelineResult => {
      asked.push(input);
      return { response: 'x' };
    };
    const { cases: results } = await evaluate(file, pipeline, [new ContainsEvaluator({ texts: ['x'] })]);
    expect(results.map(({ error }) => error)).toEqual([
      'invalid_argument: input: is missing: it is what the pipeline is given, such as the question',
      'invalid_argument: id: must be a text that is not blank, another for each case',
      'invalid_argument: id: must be a text that is not blank, another for each case',
      undefined,
      undefined,
    ]);
    expect(results.map(({ id }) => id)).toEqual(['a', '', ' ', 'b', 'd']);
    expect(asked).toEqual(['', 0]);
  });

  it('fetches cases only when there is room for them', async () => {
    let [fetched, running, most, fetching] = [0, 0, 0, 0];
    let closed = false;
    async function* source(): AsyncGenerator<EvaluationCase<string>> {
      try {
        for (const one of cases(20)) {
          expect(++fetching).toBe(1);
          await Promise.resolve();
          fetching--;
          fetched++;
          yield one;
        }
      } finally {
        closed = true;
      }
    }
    const progress: (readonly [number, string])[] = [];
    await evaluate(
      source(),
      async (input) => {
        most = Math.max(most, ++running);
        expect(fetched - progress.length).toBeLessThanOrEqual(3);
        for (let turns = 0; turns < 30; turns++) await Promise.resolve();
        running--;
        return echo(input);
      },
      [contains],
      { concurrency: 3, onProgress: (done, { id }) => progress.push([done, id]) },
    );
    expect([most, closed]).toEqual([3, true]);
    expect(progress.map(([done]) => done)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(new Set(progress.map(([, id]) => id)).size).toBe(20);
  });

  it.each<readonly [string, EvaluateOptions, unknown[], string]>([
    ['no evaluators', {}, [], 'evaluators'],
    ['two of one name', {}, [contains, new ContainsEvaluator()], 'evaluators'],
    ['no concurrency', { concurrency: 0 }, [contains], 'concurrency'],
    ['a negative price', { prices: { small: { input: -1, output: 0 } } }, [contains], 'prices.small'],
  ])('refuses %s', async (_, options, evaluators, subject) => {
    await expect(evaluate(cases(1), echo, evaluators as Evaluator[], options)).rejects.toEqual(
      coded('invalid_argument', subject),
    );
  });
});

describe('an aborted run', () => {
  it('rejects at once, stops what is under way and closes the source', async () => {
    const stop = new AbortController();
    const signals: (AbortSignal | undefined)[] = [];
    let closed = false;
    function* source(): Generator<EvaluationCase<string>> {
      try {
        yield* cases(100);
      } finally {
        closed = true;
      }
    }
    const waiting = evaluate(
      source(),
      (_, { signal }) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      },
      [contains],
      { signal: stop.signal, concurrency: 2 },
    );
    while (signals.length < 2) await Promise.resolve();
    stop.abort();
    await expect(waiting).rejects.toEqual(coded('aborted'));
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(closed).toBe(true);
  });

  it('rejects in an evaluator too, and is no error of a case', async () => {
    const stop = new AbortController();
    const model = new ScriptedChatModel([{ text: 'yes', delayMs: 60_000 }]);
    const done: number[] = [];
    const waiting = evaluate(
      [{ id: 'a', input: 'x' }],
      (): PipelineResult => ({ response: 'y', documents: [leave] }),
      [new RelevancyEvaluator({ model })],
      { signal: stop.signal, onProgress: (count) => done.push(count) },
    );
    while (model.prompts.length === 0) await Promise.resolve();
    stop.abort();
    await expect(waiting).rejects.toEqual(coded('aborted'));
    expect(done).toEqual([]);
  });

  it('does not wait for a source that never gives its next case', async () => {
    const stop = new AbortController();
    let asked = false;
    const source: AsyncIterable<EvaluationCase<string>> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          asked = true;
          return new Promise(() => {});
        },
        return: () => new Promise(() => {}),
      }),
    };
    const waiting = evaluate(source, echo, [contains], { signal: stop.signal });
    while (!asked) await Promise.resolve();
    stop.abort();
    await expect(waiting).rejects.toEqual(coded('aborted'));
  });

  it('does not begin after the signal has fired', async () => {
    const waiting = evaluate(cases(1), () => expect.unreachable(), [contains], { signal: AbortSignal.abort() });
    await expect(waiting).rejects.toEqual(coded('aborted'));
  });

  it('ends when the source breaks or the progress does', async () => {
    function* source(): Generator<EvaluationCase<string>> {
      yield* cases(2);
      throw new TypeError('the source broke');
    }
    await expect(evaluate(source(), echo, [contains])).rejects.toThrow('the source broke');
    const onProgress = (): void => {
      throw new TypeError('the progress broke');
    };
    await expect(evaluate(cases(2), echo, [contains], { onProgress })).rejects.toThrow('the progress broke');
  });
});

describe('what a run took', () => {
  const usage = (promptTokens: number, completionTokens: number) => ({
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
  });
  const judge = (...steps: number[]): RelevancyEvaluator =>
    new RelevancyEvaluator({
      model: new ScriptedChatModel(
        steps.map((tokens) => ({ text: 'yes', usage: usage(tokens, 1) })),
        { defaultOptions: { model: 'judge-2025-08-07' } },
      ),
    });
  const pipeline = (): PipelineResult => ({
    response: 'y',
    documents: [leave],
    model: 'small',
    usage: { ...usage(1_000_000, 500_000), cacheReadTokens: 400_000 },
  });

  it('counts tokens of the pipeline and of the judges, and prices them by the table', async () => {
    const prices = { small: { input: 2, output: 8, cacheRead: 0.5 }, judge: { input: 1, output: 10 } };
    const run = await evaluate(cases(2), pipeline, [judge(100, 300)], { prices, concurrency: 1 });
    // 0.6 million at 2, 0.4 million at 0.5, half a million at 8; then 100 and 300 at 1, and two at 10 for a million.
    expect(run.cases[0]?.spent.pipelineCost).toBeCloseTo(1.2 + 0.2 + 4);
    expect(run.spent).toEqual({
      pipeline: { ...usage(2_000_000, 1_000_000), cacheReadTokens: 800_000 },
      judges: usage(400, 2),
      pipelineCost: expect.closeTo(10.8),
      judgesCost: expect.closeTo(420 / 1_000_000, 12),
    });
  });

  it('says of how many counts it knows no price, and takes no price from another model', async () => {
    const prices = { 'judge-2025': { input: 1, output: 1 }, toString: { input: 1, output: 1 } };
    const run = await evaluate(cases(2), pipeline, [judge(1, 1)], { prices });
    expect(run.spent.unpriced).toBe(4);
    expect(run.spent).not.toHaveProperty('pipelineCost');
  });

  it('costs nothing without a table, and knows nothing where nobody counted', async () => {
    const run = await evaluate(cases(1), pipeline, [judge(1)]);
    expect(Object.keys(run.spent)).toEqual(['pipeline', 'judges']);
    const silent = await evaluate(cases(1), echo, [contains], { prices: {} });
    expect(silent.spent).toEqual({});
  });
});

describe('a client as a pipeline', () => {
  it('brings its text, the calls of tools, usage and model', async () => {
    const weather = tool({
      name: 'weather',
      description: 'The weather',
      input: z.object({ city: z.string() }),
      execute: () => 'rain',
    });
    const model = new ScriptedChatModel(
      [
        {
          toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }],
          usage: { promptTokens: 5, completionTokens: 2 },
        },
        { text: 'It rains.', usage: { promptTokens: 9, completionTokens: 3 } },
      ],
      { defaultOptions: { model: 'small' } },
    );
    const client = ChatClient.builder(model).defaultTools(weather).build();
    const run = await evaluate(
      [
        {
          id: 'a',
          input: 'In Delft?',
          expectedToolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }],
          relevant: ['lunch'],
        },
      ],
      async (question, { signal }) => {
        const request = client.prompt(question);
        const answer = await (signal === undefined ? request : request.signal(signal)).call().chatClientResponse();
        return pipelineResult(answer, { documents: [leave, lunch] });
      },
      [new ToolCallEvaluator(), new RetrievalEvaluator({ metric: 'mrr' })],
    );
    expect(run.cases[0]).toMatchObject({
      results: { 'tool-calls': { pass: true }, mrr: { score: 0.5 } },
      contents: { response: 'It rains.', documents: ['leave', 'lunch'] },
      spent: { pipeline: { promptTokens: 14, completionTokens: 5 } },
    });
  });
});
