import type { EvaluationRun } from '@vernal/evaluation';
import { usageError } from '../usage-error.js';

/** What a mean has to reach: of every evaluator, or of one. */
export interface ScoreGate {
  /** Undefined: of every evaluator. */
  readonly evaluator: string | undefined;
  readonly score: number;
}

/** Reads '0.8' and 'relevancy=0.8'. */
export function scoreGates(texts: readonly string[], evaluators: readonly string[]): ScoreGate[] {
  return texts.map((text) => {
    const at = text.lastIndexOf('=');
    const evaluator = at < 0 ? undefined : text.slice(0, at).trim();
    const digits = text.slice(at + 1).trim();
    if (!/^(?:[01](?:\.\d+)?|\.\d+)$/.test(digits) || Number(digits) > 1) {
      throw usageError(`--min-score ${text}: write a number from 0 to 1, or NAME=NUMBER`, 'min-score');
    }
    if (evaluator !== undefined && !evaluators.includes(evaluator)) {
      throw usageError(`--min-score ${text}: that evaluator is not among ${evaluators.join(', ')}`, 'min-score');
    }
    return { evaluator, score: Number(digits) };
  });
}

/** Sums of tenths are seldom whole. */
const ROUNDING = 1e-9;

/** A sentence for each mean that is too low. What was not decided counts as 0: nobody passes a gate by silence. */
export function tooLow(run: EvaluationRun, gates: readonly ScoreGate[]): string[] {
  return Object.keys(run.summary).flatMap((name) => {
    const wanted = wantedScore(name, gates);
    const mean = strictMean(run, name);
    if (wanted === undefined || mean >= wanted - ROUNDING) return [];
    return `${name}: ${shown(mean)} is below ${wanted}, with what was not decided as 0.`;
  });
}

/** The last that names the evaluator, else the last that names none. */
function wantedScore(name: string, gates: readonly ScoreGate[]): number | undefined {
  const own = gates.findLast(({ evaluator }) => evaluator === name);
  return (own ?? gates.findLast(({ evaluator }) => evaluator === undefined))?.score;
}

function strictMean({ cases }: EvaluationRun, name: string): number {
  const scores = cases.map(({ results }) => (Object.hasOwn(results, name) ? (results[name]?.score ?? 0) : 0));
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(scores.length, 1);
}

/** Rounded down, so that it never reads as what it is below. */
function shown(mean: number): string {
  return (Math.floor(mean * 1000) / 1000).toFixed(3);
}
