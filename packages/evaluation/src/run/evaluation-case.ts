import type { CallContext, Usage } from '@vernal/core';
import type { EvaluationRequest } from '../evaluator.js';
import type { Relevance } from '../retrieval/relevance.js';
import type { ExpectedToolCall } from '../rules/tool-call-matching.js';

/** One question of a set, and what is known about its answer. */
export interface EvaluationCase<Input> {
  /** Unique in the set; runs are compared by it. */
  readonly id: string;
  /** What the pipeline is given. */
  readonly input: Input;
  /** What a person would have answered. */
  readonly reference?: string | undefined;
  /** Which documents should be found. */
  readonly relevant?: Relevance | undefined;
  /** Calls of tools that should be made. */
  readonly expectedToolCalls?: readonly ExpectedToolCall[] | undefined;
}

/**
 * What a pipeline gives: the request for the evaluators, and what it took. What the case knows (`reference`, `relevant`, `expectedToolCalls`, and
 * an input that is a text as `userText`) is filled in where it is left out.
 */
export interface PipelineResult extends EvaluationRequest {
  /** Tokens of the pipeline's own calls. */
  readonly usage?: Usage | undefined;
  /** The model that they went to, as the price table names it. */
  readonly model?: string | undefined;
}

/** What is to be evaluated: asks a model, a client, an agent, a service. It should heed the signal. */
export type Pipeline<Input> = (input: Input, context: CallContext) => PipelineResult | Promise<PipelineResult>;

/** The request as evaluators see it. */
export function requestOf<Input>(
  { input, ...known }: EvaluationCase<Input>,
  { usage: _, model: __, ...given }: PipelineResult,
): EvaluationRequest {
  return {
    ...given,
    userText: given.userText ?? (typeof input === 'string' ? input : undefined),
    reference: given.reference ?? known.reference,
    relevant: given.relevant ?? known.relevant,
    expectedToolCalls: given.expectedToolCalls ?? known.expectedToolCalls,
  };
}
