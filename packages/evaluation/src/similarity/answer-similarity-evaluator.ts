import type { CallContext, EmbeddingModel, EmbeddingOptions } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse, scored } from '../evaluator.js';
import { plainUsage } from '../judges/spending.js';
import { passMark, requireResponse, requireText } from '../request-needs.js';

/** Who embeds, and what is alike enough. */
export interface AnswerSimilarityEvaluatorOptions {
  readonly embeddingModel: EmbeddingModel;
  /** Cosine from which on it passes, inclusive, above 0, at most 1. Default 0.8; what is alike differs from model to model. */
  readonly threshold?: number | undefined;
  readonly options?: EmbeddingOptions | undefined;
  /** Default 'answer-similarity'. */
  readonly name?: string | undefined;
}

/**
 * Does the answer mean what the reference means? Needs `reference`. The score is the cosine of their embeddings, 0 where it is negative;
 * the cosine itself is `metadata.cosine`. One call of the embedding model. Near in meaning is not right: 'open at 9' and 'open at 10' are near.
 *
 * Source: semantic similarity of the ragas library (docs.ragas.io, "Semantic Similarity").
 */
export class AnswerSimilarityEvaluator implements Evaluator {
  readonly name: string;
  readonly #model: EmbeddingModel;
  readonly #threshold: number;
  readonly #options: EmbeddingOptions | undefined;

  /** Throws `invalid_argument` without a model and for a threshold out of range. */
  constructor({ embeddingModel, threshold, options, name }: AnswerSimilarityEvaluatorOptions) {
    if (typeof embeddingModel?.call !== 'function')
      throw invalidArgument('embeddingModel', 'must be an embedding model');
    this.name = name ?? 'answer-similarity';
    this.#model = embeddingModel;
    this.#threshold = passMark(threshold, 0.8);
    this.#options = options;
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const reference = requireText(request, 'reference', 'the answer similarity evaluator');
    const response = requireResponse(request);
    if (response.trim() === '') return evaluationResponse({ verdict: 'fail', feedback: 'There is no answer.' });
    const { embeddings, metadata } = await this.#model.call(
      { inputs: [response, reference], options: this.#options },
      context,
    );
    const cosine = cosineOf(embeddings[0]?.vector, embeddings[1]?.vector);
    const spent = { usage: plainUsage(metadata.usage), model: metadata.model };
    if (!Number.isFinite(cosine)) {
      const feedback = 'One of the texts has no direction: its embedding is zero.';
      return evaluationResponse({ verdict: 'inconclusive', feedback, ...spent });
    }
    const score = Math.min(Math.max(cosine, 0), 1);
    return evaluationResponse({ ...scored(score, this.#threshold), metadata: { cosine }, ...spent });
  }
}

function cosineOf(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return Number.NaN;
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / Math.sqrt(aa * bb);
}
