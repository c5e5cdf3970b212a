import { VernalError } from '@vernal/core';
import { compareRuns, type EvaluationRun, evaluate, RetrievalEvaluator } from '@vernal/evaluation';
import type { MeteredChatModel } from './metered-chat-model.js';
import type { PipelineParts } from './pipelines.js';
import type { QuestionSet } from './question-set.js';
import { retrieve } from './retrieve.js';

/** What came of one pipeline. Shares are 0 to 1. Plain data. */
export interface Row {
  readonly pipeline: string;
  readonly recall5: number;
  readonly ndcg10: number;
  /** Median milliseconds a question, without the time that models took. */
  readonly milliseconds: number;
  /** Calls of a chat model a question. */
  readonly modelCalls: number;
  /** nDCG@10 beside the first pipeline. Absent in its own row. */
  readonly beside?: {
    readonly difference: number;
    /** 95 %, by a paired bootstrap. */
    readonly interval: readonly [low: number, high: number];
    /** Questions. */
    readonly better: number;
    readonly worse: number;
  };
}

export interface MeasureOptions {
  /** Models whose calls are counted and whose time is taken off. */
  readonly models?: readonly MeteredChatModel[];
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (pipeline: string) => void;
}

const RECALL = 'recall@5';
const NDCG = 'ndcg@10';
/** Questions that are asked before the clock runs, so that no pipeline pays for tables that are read and code that is compiled. */
const WARM_UP = 10;

/** Asks every pipeline every question, one after the other, and compares each with the first. */
export async function measure(
  { questions, keyOf }: QuestionSet,
  pipelines: ReadonlyMap<string, PipelineParts>,
  { models = [], signal, onProgress }: MeasureOptions = {},
): Promise<Row[]> {
  const evaluators = [
    new RetrievalEvaluator({ metric: RECALL, keyOf }),
    new RetrievalEvaluator({ metric: NDCG, keyOf }),
  ];
  const cases = questions.map(({ id, question, relevant }) => ({ id, input: question, relevant }));
  const modelTime = (): number => models.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const modelCalls = (): number => models.reduce((sum, { calls }) => sum + calls, 0);
  const rows: Row[] = [];
  let first: EvaluationRun | undefined;
  for (const [pipeline, parts] of pipelines) {
    onProgress?.(pipeline);
    for (const { question } of questions.slice(0, WARM_UP)) await retrieve(parts, question, { signal });
    const before = modelCalls();
    const durations: number[] = [];
    const run = await evaluate(
      cases,
      async (question, context) => {
        const [started, inModels] = [performance.now(), modelTime()];
        const documents = await retrieve(parts, question, context);
        durations.push(performance.now() - started - (modelTime() - inModels));
        return { response: '', documents };
      },
      evaluators,
      // One at a time, so that no question waits for another.
      { concurrency: 1, signal, name: pipeline },
    );
    const failed = run.cases.find(({ error }) => error !== undefined);
    if (failed !== undefined)
      throw new VernalError(`The pipeline '${pipeline}' failed at question ${failed.id}: ${failed.error}`, {
        code: 'invalid_state',
        subject: pipeline,
      });
    first ??= run;
    rows.push({
      pipeline,
      recall5: run.summary[RECALL]?.meanScore ?? 0,
      ndcg10: run.summary[NDCG]?.meanScore ?? 0,
      milliseconds: median(durations),
      modelCalls: (modelCalls() - before) / questions.length,
      ...(run !== first && { beside: comparison(first, run) }),
    });
  }
  return rows;
}

function comparison(first: EvaluationRun, run: EvaluationRun): NonNullable<Row['beside']> {
  const found = compareRuns(first, run).evaluators.find(({ evaluator }) => evaluator === NDCG);
  const { difference = 0, interval = [0, 0], better = [], worse = [] } = found ?? {};
  return { difference, interval, better: better.length, worse: worse.length };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
