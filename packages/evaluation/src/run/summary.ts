import type { Verdict } from '../evaluator.js';
import type { CaseResult, EvaluatorSummary } from './evaluation-run.js';

/** One evaluator over all cases. */
export function summaryOf(cases: readonly CaseResult[], evaluator: string): EvaluatorSummary {
  const results = cases.flatMap(({ results: all }) => (Object.hasOwn(all, evaluator) ? (all[evaluator] ?? []) : []));
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  const [passed, failed, inconclusive] = [count('pass'), count('fail'), count('inconclusive')];
  const scores = results.filter(({ verdict }) => verdict !== 'inconclusive').map(({ score }) => score);
  const errors = cases.length - results.length;
  if (scores.length === 0) return { passed, failed, inconclusive, errors };
  const meanScore = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { passed, failed, inconclusive, errors, meanScore };
}
