import { invalidArgument } from '@vernal/core';
import { gradesOf, type Relevance } from './relevance.js';

/** A ranking, best first, and what should be in it. */
export interface JudgedRanking {
  readonly ranking: readonly string[];
  readonly relevant: Relevance;
}

/**
 * |relevant among the first k| / |relevant|. In a ranking, here and below, a key that comes again counts for nothing and takes no rank.
 *
 * Source: Manning, Raghavan, Schütze, Introduction to Information Retrieval (2008), chapter 8.
 *
 * @throws VernalError `invalid_argument` when nothing is relevant, or `k` is no whole number of at least 1; so do all metrics
 * @example
 * recallAtK(['a', 'x', 'b'], ['a', 'b', 'c'], 3); // 2 of 3
 */
export function recallAtK(ranking: readonly string[], relevant: Relevance, k: number): number {
  const grades = gradesOf(relevant);
  return hits(ranking, grades, k) / grades.size;
}

/**
 * |relevant among the first k| / k, also when the ranking is shorter than k, as trec_eval has it.
 *
 * Source: Manning, Raghavan, Schütze (2008), chapter 8.
 */
export function precisionAtK(ranking: readonly string[], relevant: Relevance, k: number): number {
  return hits(ranking, gradesOf(relevant), k) / k;
}

/** 1 when at least one of the first k is relevant, else 0. Its mean over questions is the hit rate. */
export function hitAtK(ranking: readonly string[], relevant: Relevance, k: number): number {
  return hits(ranking, gradesOf(relevant), k) > 0 ? 1 : 0;
}

/**
 * 1 / the rank of the first relevant key, ranks from 1; 0 when there is none.
 *
 * Source: Voorhees, The TREC-8 Question Answering Track Report (1999).
 */
export function reciprocalRank(ranking: readonly string[], relevant: Relevance): number {
  const grades = gradesOf(relevant);
  const first = distinct(ranking).findIndex((key) => grades.has(key));
  return first < 0 ? 0 : 1 / (first + 1);
}

/**
 * The sum of precision@i over the ranks i of relevant keys, over |relevant|: the area below the curve of precision and recall. Relevant keys
 * that are not in the ranking count as 0.
 *
 * Source: Buckley and Voorhees, Evaluating Evaluation Measure Stability, SIGIR 2000.
 *
 * @example
 * averagePrecision(['a', 'x', 'b'], ['a', 'b']); // (1/1 + 2/3) / 2
 */
export function averagePrecision(ranking: readonly string[], relevant: Relevance): number {
  const grades = gradesOf(relevant);
  let [found, sum] = [0, 0];
  distinct(ranking).forEach((key, index) => {
    if (!grades.has(key)) return;
    found += 1;
    sum += found / (index + 1);
  });
  return sum / grades.size;
}

/** How a grade becomes a gain. */
export interface NdcgOptions {
  /** 'linear' (default): the grade itself; 'exponential': 2^grade − 1, which makes more of high grades. */
  readonly gain?: 'linear' | 'exponential' | undefined;
}

/**
 * DCG of the first k, Σ gain / log2(rank + 1), over the DCG of the best ranking that there can be. For graded relevance.
 *
 * Source: Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques, ACM TOIS 20(4), 2002, with the discount that is common
 * since; the exponential gain is of Burges et al., Learning to Rank Using Gradient Descent, ICML 2005.
 *
 * @example
 * ndcgAtK(['b', 'a'], { a: 3, b: 1 }, 2); // (1/log2(2) + 3/log2(3)) / (3/log2(2) + 1/log2(3)) = 0.797
 */
export function ndcgAtK(
  ranking: readonly string[],
  relevant: Relevance,
  k: number,
  { gain = 'linear' }: NdcgOptions = {},
): number {
  const grades = gradesOf(relevant);
  const gainOf = (grade: number): number => (gain === 'exponential' ? 2 ** grade - 1 : grade);
  const dcg = (ranked: readonly number[]): number =>
    ranked.slice(0, atLeastOne(k)).reduce((sum, grade, index) => sum + gainOf(grade) / Math.log2(index + 2), 0);
  const best = dcg([...grades.values()].sort((a, b) => b - a));
  // Rounding may put the best ranking a hair above itself.
  return Math.min(dcg(distinct(ranking).map((key) => grades.get(key) ?? 0)) / best, 1);
}

/** The mean of `reciprocalRank` (MRR). Throws `invalid_argument` for an empty list. */
export function meanReciprocalRank(rankings: readonly JudgedRanking[]): number {
  return meanOver(rankings, ({ ranking, relevant }) => reciprocalRank(ranking, relevant));
}

/** The mean of `averagePrecision` (MAP). Throws `invalid_argument` for an empty list. */
export function meanAveragePrecision(rankings: readonly JudgedRanking[]): number {
  return meanOver(rankings, ({ ranking, relevant }) => averagePrecision(ranking, relevant));
}

function meanOver(rankings: readonly JudgedRanking[], metric: (ranking: JudgedRanking) => number): number {
  if (rankings.length === 0) throw invalidArgument('rankings', 'must hold at least one ranking');
  return rankings.reduce((sum, ranking) => sum + metric(ranking), 0) / rankings.length;
}

function hits(ranking: readonly string[], grades: ReadonlyMap<string, number>, k: number): number {
  return distinct(ranking)
    .slice(0, atLeastOne(k))
    .filter((key) => grades.has(key)).length;
}

function distinct(ranking: readonly string[]): string[] {
  return [...new Set(ranking)];
}

function atLeastOne(k: number): number {
  if (Number.isInteger(k) && k >= 1) return k;
  throw invalidArgument('k', 'must be a whole number, at least 1');
}
