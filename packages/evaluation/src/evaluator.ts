import type { CallContext, Document, JsonValue, Usage } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { Relevance } from './retrieval/relevance.js';
import type { ExpectedToolCall, MadeToolCall } from './rules/tool-call-matching.js';

/** What was decided. 'inconclusive': nothing can be said, such as when a judge's answer cannot be read. */
export type Verdict = 'pass' | 'fail' | 'inconclusive';

/** What is judged, and what it is judged by. Each evaluator says which of the fields it needs. Source: Spring AI `EvaluationRequest`. */
export interface EvaluationRequest {
  /** What was asked. */
  readonly userText?: string | undefined;
  /** What the answer was given to rest on. [] says that nothing was found; left out says that nobody knows. */
  readonly documents?: readonly Document[] | undefined;
  /** The answer. */
  readonly response: string;
  /** What a person would have answered. */
  readonly reference?: string | undefined;
  /** Which documents should have been found. */
  readonly relevant?: Relevance | undefined;
  /** Calls of tools that were made, in their order. */
  readonly toolCalls?: readonly MadeToolCall[] | undefined;
  /** Calls of tools that should have been made, in their order. */
  readonly expectedToolCalls?: readonly ExpectedToolCall[] | undefined;
}

/** What an evaluator says. Plain data. Source: Spring AI `EvaluationResponse`. */
export interface EvaluationResponse {
  /** `verdict === 'pass'`. */
  readonly pass: boolean;
  /** A judgement that cannot be read is 'inconclusive', never a silent 'fail'. */
  readonly verdict: Verdict;
  /** 0 to 1. Means nothing when the verdict is 'inconclusive', and is 0 then. */
  readonly score: number;
  /** The reason, for people. May quote what was judged. '' when there is none. */
  readonly feedback: string;
  /** Facts of the evaluator's own. May quote what was judged. */
  readonly metadata: Readonly<Record<string, JsonValue>>;
  /** What the evaluator's own calls of models took. */
  readonly usage?: Usage;
  /** The model that answered those calls, as it names itself. */
  readonly model?: string;
}

/** Judges an answer. Source: Spring AI `Evaluator`. */
export interface Evaluator {
  /** Under which a run files the result: 'relevancy', 'recall@5'. */
  readonly name: string;
  /** Throws `invalid_argument` when the request lacks what it needs; what cannot be decided is 'inconclusive'. */
  evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse>;
}

/** What `evaluationResponse` makes a response of. */
export interface EvaluationResponseInput {
  readonly verdict: Verdict;
  /** Default 1 for 'pass', else 0. */
  readonly score?: number | undefined;
  readonly feedback?: string | undefined;
  readonly metadata?: Readonly<Record<string, JsonValue>> | undefined;
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
}

/**
 * A response of a verdict, for evaluators of your own.
 *
 * @throws VernalError `invalid_argument` for a score outside of 0 to 1
 * @example
 * const short: Evaluator = {
 *   name: 'short',
 *   evaluate: async ({ response }) => evaluationResponse({ verdict: response.length < 200 ? 'pass' : 'fail' }),
 * };
 */
export function evaluationResponse(input: EvaluationResponseInput): EvaluationResponse {
  const { verdict, feedback = '', metadata = {}, usage, model } = input;
  const score = verdict === 'inconclusive' ? 0 : (input.score ?? (verdict === 'pass' ? 1 : 0));
  if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'inconclusive') {
    throw invalidArgument('verdict', "must be 'pass', 'fail' or 'inconclusive'");
  }
  if (!(score >= 0 && score <= 1)) throw invalidArgument('score', 'must be a number from 0 to 1');
  return {
    pass: verdict === 'pass',
    verdict,
    score,
    feedback,
    metadata,
    ...(usage !== undefined && Object.keys(usage).length > 0 && { usage }),
    ...(model !== undefined && { model }),
  };
}

/** The verdict of a score; `passAt` is inclusive. */
export function scored(score: number, passAt: number): { readonly verdict: Verdict; readonly score: number } {
  return { verdict: score >= passAt ? 'pass' : 'fail', score };
}
