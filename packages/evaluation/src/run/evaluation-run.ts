import type { Usage } from '@vernal/core';
import type { EvaluationResponse } from '../evaluator.js';

/** What of a case may quote: reports leave it out unless they are told to keep it. */
export interface CaseContents {
  readonly question?: string;
  readonly response: string;
  readonly reference?: string;
  /** Ids of the documents, in their order. */
  readonly documents?: readonly string[];
}

/** What came of one case. */
export interface CaseResult {
  readonly id: string;
  /** By evaluator. Those that failed are in `errors` instead. */
  readonly results: Readonly<Record<string, EvaluationResponse>>;
  /** Why an evaluator gave nothing, by evaluator: code and message; of an error that is not ours only its name, for it may quote. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Why the pipeline gave nothing; there are no results then. */
  readonly error?: string;
  /** Absent when the pipeline failed, and in reports without contents. */
  readonly contents?: CaseContents;
  /** Milliseconds that the pipeline took. */
  readonly durationMs: number;
  /** Milliseconds that all evaluators took, one after the other. */
  readonly evaluationMs: number;
  readonly spent: Spent;
}

/** Tokens, and money where the price table knows the model. Absent is unknown, never 0. */
export interface Spent {
  /** Of the pipeline. */
  readonly pipeline?: Usage;
  /** Of all evaluators together. */
  readonly judges?: Usage;
  /** In the currency of the price table. */
  readonly pipelineCost?: number;
  readonly judgesCost?: number;
  /** Counts of tokens for which the table has no price: the costs are then too low by theirs. */
  readonly unpriced?: number;
}

/** One evaluator over all cases. */
export interface EvaluatorSummary {
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
  /** Cases of which the evaluator says nothing, since it or the pipeline failed. */
  readonly errors: number;
  /** Over what passed and what failed. Absent when nothing did either. */
  readonly meanScore?: number;
}

/** A run over a set of cases. Plain data, equal after JSON. */
export interface EvaluationRun {
  /** Of this shape; `readRun` refuses others. */
  readonly version: 1;
  /** What the run was about: the name of a branch, a model, a setting. */
  readonly name?: string;
  /** ISO-8601, UTC. */
  readonly startedAt: string;
  /** Milliseconds from the first case to the last. */
  readonly durationMs: number;
  /** In the order of the set, whichever was ready first. */
  readonly cases: readonly CaseResult[];
  /** By evaluator. */
  readonly summary: Readonly<Record<string, EvaluatorSummary>>;
  /** Sums over the cases. */
  readonly spent: Spent;
}
