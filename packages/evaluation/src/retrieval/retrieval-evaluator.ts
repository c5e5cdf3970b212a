import type { Document } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse, scored } from '../evaluator.js';
import { DOCUMENTS_FIX, passMark } from '../request-needs.js';
import { type MetricFunction, metricNamed, type RetrievalMetricName } from './retrieval-metric.js';

/** Which metric, and how documents are told apart. */
export interface RetrievalEvaluatorOptions {
  readonly metric: RetrievalMetricName;
  /** What `relevant` names of a document. Default: its id. */
  readonly keyOf?: ((document: Document) => string) | undefined;
  /** Score from which on a question passes, inclusive. Default 0.5. */
  readonly passAt?: number | undefined;
  /** Default: the metric. */
  readonly name?: string | undefined;
}

/**
 * A retrieval metric of one question, as an evaluator, so that it stands in a run and its comparison beside the judges. Asks no model. Needs
 * `documents` in the order in which they were found, and `relevant`. Several documents of one key, such as the passages of a file, are
 * one, at the rank of the first.
 *
 * @example
 * new RetrievalEvaluator({ metric: 'recall@5', keyOf: ({ metadata }) => String(metadata.source) });
 */
export class RetrievalEvaluator implements Evaluator {
  readonly name: string;
  readonly #metric: MetricFunction;
  readonly #keyOf: (document: Document) => string;
  readonly #passAt: number;

  /** Throws `invalid_argument` for a metric that there is not. */
  constructor({ metric, keyOf = idOf, passAt, name }: RetrievalEvaluatorOptions) {
    this.name = name ?? metric;
    this.#metric = metricNamed(metric);
    this.#keyOf = keyOf;
    this.#passAt = passMark(passAt, 0.5);
  }

  async evaluate({ documents, relevant }: EvaluationRequest): Promise<EvaluationResponse> {
    if (documents === undefined) {
      throw invalidArgument('documents', `a retrieval metric needs what was found: ${DOCUMENTS_FIX}`);
    }
    if (relevant === undefined)
      throw invalidArgument('relevant', 'a retrieval metric needs what should have been found');
    const score = this.#metric(documents.map(this.#keyOf), relevant);
    return evaluationResponse({ ...scored(score, this.#passAt), metadata: { found: documents.length } });
  }
}

export function idOf({ id }: Document): string {
  return id;
}
