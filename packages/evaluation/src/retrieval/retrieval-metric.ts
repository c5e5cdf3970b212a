import { invalidArgument } from '@vernal/core';
import type { Relevance } from './relevance.js';
import { averagePrecision, hitAtK, ndcgAtK, precisionAtK, recallAtK, reciprocalRank } from './retrieval-metrics.js';

/** The metrics by the names that people write: 'recall@5', 'ndcg@10', 'mrr'. */
export type RetrievalMetricName =
  | `recall@${number}`
  | `precision@${number}`
  | `hit@${number}`
  | `ndcg@${number}`
  | 'mrr'
  | 'map';

export type MetricFunction = (ranking: readonly string[], relevant: Relevance) => number;

const WITH_K: Readonly<Record<string, (ranking: readonly string[], relevant: Relevance, k: number) => number>> = {
  recall: recallAtK,
  precision: precisionAtK,
  hit: hitAtK,
  ndcg: ndcgAtK,
};
const WITHOUT_K: Readonly<Record<string, MetricFunction>> = { mrr: reciprocalRank, map: averagePrecision };

/** Of one question: 'mrr' is then its reciprocal rank, 'map' its average precision. Throws `invalid_argument` for other names. */
export function metricNamed(name: string): MetricFunction {
  const plain = Object.hasOwn(WITHOUT_K, name) ? WITHOUT_K[name] : undefined;
  if (plain !== undefined) return plain;
  const [, kind = '', digits] = /^([a-z]+)@([1-9]\d{0,5})$/.exec(name) ?? [];
  const metric = Object.hasOwn(WITH_K, kind) ? WITH_K[kind] : undefined;
  if (metric === undefined) {
    throw invalidArgument(
      'metric',
      "must be 'recall@k', 'precision@k', 'hit@k' or 'ndcg@k' with a whole number of at least 1 for k, 'mrr' or 'map'",
    );
  }
  return (ranking, relevant) => metric(ranking, relevant, Number(digits));
}
