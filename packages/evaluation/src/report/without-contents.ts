import type { EvaluationResponse } from '../evaluator.js';
import type { CaseResult, EvaluationRun } from '../run/evaluation-run.js';

/** What a report holds. */
export interface ReportOptions {
  /**
   * Default false: no question, answer or reference, no reasons, and of an evaluator's metadata only numbers and booleans, since all else may quote.
   * Ids of cases and messages of errors always stand in it.
   */
  readonly contents?: boolean | undefined;
}

/** The run without what may quote; the run itself when contents are wanted. */
export function reported(run: EvaluationRun, { contents = false }: ReportOptions): EvaluationRun {
  return contents ? run : { ...run, cases: run.cases.map(withoutContents) };
}

function withoutContents({ contents: _, results, ...rest }: CaseResult): CaseResult {
  const bare = Object.entries(results).map(([evaluator, result]) => [evaluator, figuresOf(result)] as const);
  return { ...rest, results: Object.fromEntries(bare) };
}

function figuresOf(result: EvaluationResponse): EvaluationResponse {
  const figures = Object.entries(result.metadata).filter(([, value]) => ['number', 'boolean'].includes(typeof value));
  return { ...result, feedback: '', metadata: Object.fromEntries(figures) };
}
