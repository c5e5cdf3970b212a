import type { Evaluator } from '../evaluator.js';
import { countOf, passMark } from '../request-needs.js';
import { FactCheckingEvaluator } from './fact-checking-evaluator.js';
import { Judge, type JudgeOptions } from './judge.js';

/** For evaluators that take a text apart into claims and check each. */
export interface ClaimEvaluatorOptions extends Omit<JudgeOptions, 'promptTemplate'> {
  /** Checks one claim, given as `response`, against `documents`. Default: a `FactCheckingEvaluator` with `model`. */
  readonly checker?: Evaluator | undefined;
  /** Score from which on it passes, inclusive. Default 1: everything. */
  readonly passAt?: number | undefined;
  /** Claims that are checked at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

export interface ClaimSettings {
  readonly judge: Judge;
  readonly checker: Evaluator;
  readonly passAt: number;
  readonly concurrency: number;
}

export function claimSettings({ checker, passAt, concurrency, ...options }: ClaimEvaluatorOptions): ClaimSettings {
  return {
    judge: new Judge(options),
    checker: checker ?? new FactCheckingEvaluator(options),
    passAt: passMark(passAt, 1),
    concurrency: countOf(concurrency, 4, 'concurrency'),
  };
}
