import type { CallContext, Document } from '@vernal/core';
import { throwIfAborted } from '@vernal/core';
import { countOf } from '../request-needs.js';
import { concurrentMap } from '../run/concurrent-map.js';
import { errorText } from '../run/error-text.js';
import type { Relevance } from './relevance.js';
import { idOf } from './retrieval-evaluator.js';
import { metricNamed, type RetrievalMetricName } from './retrieval-metric.js';

/** A question, and what should be found for it. */
export interface LabelledQuestion {
  /** Default: its place in the set, from 1. */
  readonly id?: string | undefined;
  readonly question: string;
  readonly relevant: Relevance;
}

/** Finds documents, or their keys, best first. A store is one: `(question, context) => store.similaritySearch(question, context)`. */
export type Retrieve = (
  question: string,
  context: CallContext,
) => readonly (Document | string)[] | Promise<readonly (Document | string)[]>;

/** How a retriever is measured. */
export interface EvaluateRetrievalOptions {
  /** Of 'recall@k', 'precision@k', 'hit@k' and 'ndcg@k'. Default 5. */
  readonly k?: number | undefined;
  /** Default: those four with `k`, 'mrr' and 'map'. */
  readonly metrics?: readonly RetrievalMetricName[] | undefined;
  /** What `relevant` names of a document. Default: its id. */
  readonly keyOf?: ((document: Document) => string) | undefined;
  /** Questions at the same time. Default 4. With more than one, latencies include what they wait for each other. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of one question. */
export interface RetrievalResult {
  readonly id: string;
  /** By metric. {} when there was an error. */
  readonly values: Readonly<Record<string, number>>;
  /** Milliseconds that the retriever took. */
  readonly durationMs: number;
  /** Code and message; of an error that is not ours only its name, for it may quote. */
  readonly error?: string;
}

/** Milliseconds over the questions without an error; percentiles by nearest rank. */
export interface Latency {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Plain data, safe in JSON. Holds no question and no document. */
export interface RetrievalRun {
  readonly version: 1;
  /** In the order of the set. */
  readonly questions: readonly RetrievalResult[];
  /** By metric, over the questions without an error. {} when there is none. */
  readonly means: Readonly<Record<string, number>>;
  /** Absent when every question failed. */
  readonly latency?: Latency;
  /** Questions that failed. */
  readonly errors: number;
}

/**
 * Measures a retriever on a labelled set. A question that fails is counted and told, and does not end the run; an abort does.
 *
 * @throws VernalError `invalid_argument` for options that cannot be right, `aborted`
 * @example
 * const { means, latency } = await evaluateRetrieval(
 *   [{ question: 'How long may I keep it?', relevant: ['returns.md'] }],
 *   (question, context) => store.similaritySearch({ query: question, topK: 10 }, context),
 *   { k: 5, keyOf: ({ metadata }) => String(metadata.source) },
 * );
 */
export async function evaluateRetrieval(
  questions: Iterable<LabelledQuestion> | AsyncIterable<LabelledQuestion>,
  retrieve: Retrieve,
  options: EvaluateRetrievalOptions = {},
): Promise<RetrievalRun> {
  const { signal, keyOf = idOf } = options;
  const k = countOf(options.k, 5, 'k');
  const concurrency = countOf(options.concurrency, 4, 'concurrency');
  const names = options.metrics ?? [`recall@${k}`, `precision@${k}`, `hit@${k}`, `ndcg@${k}`, 'mrr', 'map'];
  const metrics = names.map((name) => ({ name, score: metricNamed(name) }));
  const results = await concurrentMap(
    questions,
    { concurrency, signal },
    async ({ id, question, relevant }, index, context): Promise<RetrievalResult> => {
      const started = performance.now();
      const sinceStart = (): number => Math.round((performance.now() - started) * 1000) / 1000;
      const common = { id: id ?? String(index + 1) };
      try {
        const found = await retrieve(question, context);
        const durationMs = sinceStart();
        const ranking = found.map((one) => (typeof one === 'string' ? one : keyOf(one)));
        const values = Object.fromEntries(metrics.map(({ name, score }) => [name, score(ranking, relevant)]));
        return { ...common, values, durationMs };
      } catch (error) {
        throwIfAborted(signal);
        return { ...common, values: {}, durationMs: sinceStart(), error: errorText(error) };
      }
    },
  );
  const good = results.filter(({ error }) => error === undefined);
  const errors = results.length - good.length;
  if (good.length === 0) return { version: 1, questions: results, means: {}, errors };
  const means = Object.fromEntries(names.map((name) => [name, mean(good.map(({ values }) => values[name] ?? 0))]));
  return { version: 1, questions: results, means, latency: latencyOf(good), errors };
}

function latencyOf(results: readonly RetrievalResult[]): Latency {
  const sorted = results.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { mean: mean(sorted), p50: rank(0.5), p95: rank(0.95), max: rank(1) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
