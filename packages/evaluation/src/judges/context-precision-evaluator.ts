import type { CallContext } from '@vernal/core';
import { PromptTemplate, requirePlaceholders } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse, scored } from '../evaluator.js';
import { countOf, passMark, requireDocuments, requireText, type TextDocument } from '../request-needs.js';
import { averagePrecision } from '../retrieval/retrieval-metrics.js';
import { concurrentMap } from '../run/concurrent-map.js';
import { fenced, MATERIAL } from './fenced.js';
import { Judge, type Judgement, type JudgeOptions } from './judge.js';
import { addSpending } from './spending.js';

/** What is counted as precise. */
export interface ContextPrecisionEvaluatorOptions extends JudgeOptions {
  /** Score from which on it passes, inclusive. Default 0.5. */
  readonly passAt?: number | undefined;
  /** Documents that are judged at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

const PROMPT = `Judge whether a document that was found for a question is of use.
${MATERIAL}

<query>
{query}
</query>

<reference>
{reference}
</reference>

<document>
{document}
</document>

The reference is the right answer to the query. Does the document hold something that is needed to give it? YES if it does, NO if it does not.`;

/**
 * Do the documents that are of use stand before those that are not? Needs `userText`, `documents` in the order in which they were found, and
 * `reference`. A judge says of each document whether the reference answer needs it; the score is the average precision over the ranking,
 * and 0 when none is of use. What was said of each is in `metadata.documents`. One call a document. 'inconclusive' when the use of one
 * cannot be told, or when nothing was found.
 *
 * A template of your own needs `{query}`, `{reference}` and `{document}`.
 *
 * Source: context precision of the ragas library (docs.ragas.io, "Context Precision"), the mean of precision@k over the ranks of useful documents.
 */
export class ContextPrecisionEvaluator implements Evaluator {
  readonly name: string;
  readonly #judge: Judge;
  readonly #template: PromptTemplate | undefined;
  readonly #passAt: number;
  readonly #concurrency: number;

  /** Throws `template` when a placeholder is missing, `invalid_argument` for options that cannot be right. */
  constructor(options: ContextPrecisionEvaluatorOptions) {
    this.name = options.name ?? 'context-precision';
    this.#judge = new Judge(options);
    this.#template = options.promptTemplate;
    this.#passAt = passMark(options.passAt, 0.5);
    this.#concurrency = countOf(options.concurrency, 4, 'concurrency');
    if (this.#template !== undefined) requirePlaceholders(this.#template, ['query', 'reference', 'document']);
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const query = requireText(request, 'userText', 'the context precision evaluator');
    const reference = requireText(request, 'reference', 'the context precision evaluator');
    const documents = requireDocuments(request, 'the context precision evaluator');
    if (documents.length === 0) return evaluationResponse({ verdict: 'inconclusive', feedback: 'Nothing was found.' });
    const judgements = await concurrentMap(
      documents,
      { concurrency: this.#concurrency, signal: context?.signal },
      (document, _, { signal }) =>
        this.#isUseful({ query, reference, document }, { signal, observation: context?.observation }),
    );
    return precisionOf(documents, judgements, this.#passAt);
  }

  #isUseful(
    {
      query,
      reference,
      document,
    }: { readonly query: string; readonly reference: string; readonly document: TextDocument },
    context: CallContext,
  ): Promise<Judgement> {
    const values = { query: fenced(query), reference: fenced(reference), document: fenced(document.text) };
    return this.#template === undefined
      ? this.#judge.decide(standard.render(values), context)
      : this.#judge.decideAs(this.#template.render(values), false, context);
  }
}

const standard: PromptTemplate = /* @__PURE__ */ new PromptTemplate(PROMPT);

function precisionOf(
  documents: readonly TextDocument[],
  judgements: readonly Judgement[],
  passAt: number,
): EvaluationResponse {
  const ranks = judgements.map((_, rank) => String(rank));
  const useful = ranks.filter((_, rank) => judgements[rank]?.verdict === 'pass');
  const isUnclear = judgements.some(({ verdict }) => verdict === 'inconclusive');
  const score = useful.length === 0 ? 0 : averagePrecision(ranks, useful);
  const metadata = {
    documents: judgements.map(({ verdict, reason }, rank) => ({ id: documents[rank]?.id ?? '', verdict, reason })),
    useful: useful.length,
    found: documents.length,
  };
  return evaluationResponse({
    ...(isUnclear ? { verdict: 'inconclusive' as const } : scored(score, passAt)),
    feedback: isUnclear
      ? 'Of some documents the judge gave no clear yes or no.'
      : `${useful.length} of ${documents.length} documents are of use.`,
    metadata,
    ...addSpending(judgements),
  });
}
