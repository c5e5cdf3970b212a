import type { CallContext } from '@vernal/core';
import { invalidArgument, isJsonValue, throwIfAborted } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { countOf } from '../request-needs.js';
import { concurrentMap } from './concurrent-map.js';
import { errorText } from './error-text.js';
import type { EvaluationCase, Pipeline, PipelineResult } from './evaluation-case.js';
import { requestOf } from './evaluation-case.js';
import type { CaseContents, CaseResult, EvaluationRun } from './evaluation-run.js';
import { checkPrices, type PriceTable, spentOn, sumOfSpent } from './price-table.js';
import { summaryOf } from './summary.js';

/** How a run goes. */
export interface EvaluateOptions {
  /** Cases at the same time; the next is fetched when there is room for it. Default 4. */
  readonly concurrency?: number | undefined;
  /** Ends the run, which then rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** After each case: how many are done, and what came of this one. What it throws ends the run. */
  readonly onProgress?: ((done: number, result: CaseResult) => void) | undefined;
  /** Without it tokens are counted and cost nothing. */
  readonly prices?: PriceTable | undefined;
  /** Kept in the run, for reports and comparisons. */
  readonly name?: string | undefined;
}

/**
 * Runs a pipeline on every case, then every evaluator on what it gave, one after the other. A case whose pipeline or evaluator fails is told in its
 * result and does not end the run; an abort does. The result is plain data, in the order of the cases.
 *
 * @throws VernalError `invalid_argument` without evaluators, for two of one name, for options that cannot be right; `aborted`
 * @example
 * const run = await evaluate(
 *   [{ id: 'leave', input: 'How many days of leave do I have?', reference: '31 days' }],
 *   async (question, { signal }) => pipelineResult(await ask(question, signal), { documents }),
 *   [new RelevancyEvaluator({ model: judge }), new ContainsEvaluator()],
 * );
 * console.log(textReport(run));
 */
export async function evaluate<Input>(
  cases: Iterable<EvaluationCase<Input>> | AsyncIterable<EvaluationCase<Input>>,
  pipeline: Pipeline<Input>,
  evaluators: readonly Evaluator[],
  options: EvaluateOptions = {},
): Promise<EvaluationRun> {
  const { signal, onProgress, prices, name } = options;
  const concurrency = countOf(options.concurrency, 4, 'concurrency');
  const names = evaluatorNames(evaluators);
  if (prices !== undefined) checkPrices(prices);
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const seen = new Set<string>();
  let done = 0;
  const results = await concurrentMap(cases, { concurrency, signal }, async (one, _, context) => {
    const result = await caseResult(one, { pipeline, evaluators, prices, seen, context });
    // What was cut off by the abort of the run is no result.
    throwIfAborted(context.signal);
    done += 1;
    onProgress?.(done, result);
    return result;
  });
  return {
    version: 1,
    ...(name !== undefined && { name }),
    startedAt,
    durationMs: since(started),
    cases: results,
    summary: Object.fromEntries(names.map((evaluator) => [evaluator, summaryOf(results, evaluator)])),
    spent: sumOfSpent(results.map(({ spent }) => spent)),
  };
}

function evaluatorNames(evaluators: readonly Evaluator[]): readonly string[] {
  if (evaluators.length === 0) throw invalidArgument('evaluators', 'must hold at least one evaluator');
  const names = evaluators.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw invalidArgument('evaluators', `two are named '${twice}': give one of them another name`);
}

interface CaseWork<Input> {
  readonly pipeline: Pipeline<Input>;
  readonly evaluators: readonly Evaluator[];
  readonly prices: PriceTable | undefined;
  /** Ids that were there before. */
  readonly seen: Set<string>;
  readonly context: CallContext;
}

async function caseResult<Input>(one: EvaluationCase<Input>, work: CaseWork<Input>): Promise<CaseResult> {
  const { pipeline, evaluators, prices, seen, context } = work;
  const id = typeof one.id === 'string' ? one.id : '';
  const started = performance.now();
  let answer: PipelineResult;
  try {
    checkCase(one);
    if (seen.has(id)) throw invalidArgument('id', 'a case before this one has the same: give each its own');
    seen.add(id);
    answer = await pipeline(one.input, context);
    if (typeof answer?.response !== 'string') throw invalidArgument('response', 'the pipeline must give a text');
  } catch (error) {
    const nothing = { results: {}, evaluationMs: 0, spent: {} };
    return { id, ...nothing, error: errorText(error), durationMs: since(started) };
  }
  const durationMs = since(started);
  const judging = performance.now();
  const request = requestOf(one, answer);
  const results: [string, EvaluationResponse][] = [];
  const errors: [string, string][] = [];
  for (const evaluator of evaluators) {
    try {
      results.push([evaluator.name, plain(await evaluator.evaluate(request, context))]);
    } catch (error) {
      if (context.signal?.aborted) break;
      errors.push([evaluator.name, errorText(error)]);
    }
  }
  const judges = results.map(([, { usage, model }]) => ({ part: 'judges', usage, model }) as const);
  const spent = spentOn([{ part: 'pipeline', usage: answer.usage, model: answer.model }, ...judges], prices);
  return {
    id,
    results: Object.fromEntries(results),
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    contents: contentsOf(request),
    durationMs,
    evaluationMs: since(judging),
    spent,
  };
}

/** Cases are often read from a file, whose names no compiler checks. */
function checkCase<Input>({ id, input }: EvaluationCase<Input>): void {
  if (typeof id !== 'string' || id.trim() === '') {
    throw invalidArgument('id', 'must be a text that is not blank, another for each case');
  }
  if (input === undefined) {
    throw invalidArgument('input', 'is missing: it is what the pipeline is given, such as the question');
  }
}

/** Evaluators may be anybody's; a run is JSON. */
function plain(response: EvaluationResponse): EvaluationResponse {
  const made = evaluationResponse(response);
  if (isJsonValue(made)) return made;
  throw invalidArgument('evaluator', 'its response must be JSON; see evaluationResponse()');
}

function contentsOf({ userText, response, reference, documents }: EvaluationRequest): CaseContents {
  return {
    ...(userText !== undefined && { question: userText }),
    response,
    ...(reference !== undefined && { reference }),
    ...(documents !== undefined && { documents: documents.map(({ id }) => id) }),
  };
}

/** Milliseconds, to the microsecond. */
function since(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}
