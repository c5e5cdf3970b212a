import type { CallContext } from '@vernal/core';
import { invalidArgument, PromptTemplate, requirePlaceholders } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { requireDocuments, requireResponse } from '../request-needs.js';
import { fenced, fencedDocuments, MATERIAL } from './fenced.js';
import { Judge, type JudgeOptions, judged } from './judge.js';

/** How the model is asked. */
export interface FactCheckingEvaluatorOptions extends JudgeOptions {
  /**
   * 'judge' (default): a general model, told what to do. 'checker': a small model made for this, such as `bespoke-minicheck`; its prompt holds
   * the document and the claim and nothing else, without marks and without escapes, as it was trained.
   */
  readonly mode?: 'judge' | 'checker' | undefined;
}

const JUDGE = `Judge whether a claim is supported by documents.
${MATERIAL}

<documents>
{document}
</documents>

<claim>
{claim}
</claim>

Do the documents support every part of the claim? YES if they do, NO if any part is missing in them or contradicts them. What you know yourself does not count.`;
const CHECKER = 'Document: {document}\nClaim: {claim}';

/**
 * Do the documents support the answer, taken as one claim? Needs `documents`; one call of the model, and none when there is nothing to check
 * against: that is 'inconclusive'. For answers that claim several things `FaithfulnessEvaluator` says which of them hold. A template of your
 * own needs `{document}` and `{claim}`.
 *
 * The checker's format: Tang et al., MiniCheck, EMNLP 2024. Source: Spring AI `FactCheckingEvaluator`, whose score stays 0 when it passes; here it is 1.
 *
 * @example
 * new FactCheckingEvaluator({ model: new OllamaChatModel({ defaultOptions: { model: 'bespoke-minicheck' } }), mode: 'checker' });
 */
export class FactCheckingEvaluator implements Evaluator {
  readonly name: string;
  readonly #judge: Judge;
  readonly #isChecker: boolean;
  readonly #template: PromptTemplate | undefined;

  /** Throws `template` when a placeholder is missing, `invalid_argument` without a model and for another mode. */
  constructor(options: FactCheckingEvaluatorOptions) {
    const { name = 'fact-checking', mode = 'judge', promptTemplate } = options;
    if (mode !== 'judge' && mode !== 'checker') throw invalidArgument('mode', "must be 'judge' or 'checker'");
    this.name = name;
    this.#judge = new Judge(options);
    this.#isChecker = mode === 'checker';
    this.#template = promptTemplate ?? (this.#isChecker ? checker : undefined);
    if (promptTemplate !== undefined) requirePlaceholders(promptTemplate, ['document', 'claim']);
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const claim = requireResponse(request);
    const documents = requireDocuments(request, 'the fact-checking evaluator');
    if (documents.length === 0 || claim.trim() === '') {
      const feedback = claim.trim() === '' ? 'There is no claim.' : 'There is no document to check against.';
      return evaluationResponse({ verdict: 'inconclusive', feedback });
    }
    const values = this.#isChecker
      ? { document: documents.map(({ text }) => text).join('\n'), claim }
      : { document: fencedDocuments(documents), claim: fenced(claim) };
    const judgement =
      this.#template === undefined
        ? await this.#judge.decide(standard.render(values), context)
        : await this.#judge.decideAs(this.#template.render(values), this.#isChecker, context);
    return judged(judgement);
  }
}

const standard: PromptTemplate = /* @__PURE__ */ new PromptTemplate(JUDGE);
const checker: PromptTemplate = /* @__PURE__ */ new PromptTemplate(CHECKER);
