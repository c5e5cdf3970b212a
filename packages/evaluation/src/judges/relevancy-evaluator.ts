import type { CallContext } from '@vernal/core';
import { PromptTemplate, requirePlaceholders } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { requireDocuments, requireResponse, requireText } from '../request-needs.js';
import { fenced, fencedDocuments, MATERIAL } from './fenced.js';
import { Judge, type JudgeOptions, judged } from './judge.js';

const PROMPT = `A system was asked a question and answered it from some context. Judge its response.
${MATERIAL}

<query>
{query}
</query>

<response>
{response}
</response>

<context>
{context}
</context>

Does the response answer the query, and is it in line with the context? YES if so, NO if not.`;

/**
 * Does the answer fit the question and what was retrieved for it? Needs `userText` and `documents`; one call of the judge. A template of
 * your own needs `{query}`, `{response}` and `{context}`, and says how to answer: with yes or no.
 *
 * Source: Spring AI `RelevancyEvaluator`, whose score is 1 or 0 too.
 *
 * @example
 * const evaluator = new RelevancyEvaluator({ model });
 * const { pass, feedback } = await evaluator.evaluate({ userText, documents, response });
 */
export class RelevancyEvaluator implements Evaluator {
  readonly name: string;
  readonly #judge: Judge;
  readonly #template: PromptTemplate | undefined;

  /** Throws `template` when a placeholder is missing, `invalid_argument` without a model. */
  constructor(options: JudgeOptions) {
    this.name = options.name ?? 'relevancy';
    this.#judge = new Judge(options);
    this.#template = options.promptTemplate;
    if (this.#template !== undefined) requirePlaceholders(this.#template, ['query', 'response', 'context']);
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const values = {
      query: fenced(requireText(request, 'userText', 'the relevancy evaluator')),
      response: fenced(requireResponse(request)),
      context: fencedDocuments(requireDocuments(request, 'the relevancy evaluator')),
    };
    const judgement =
      this.#template === undefined
        ? await this.#judge.decide(standard.render(values), context)
        : await this.#judge.decideAs(this.#template.render(values), false, context);
    return judged(judgement);
  }
}

const standard: PromptTemplate = /* @__PURE__ */ new PromptTemplate(PROMPT);
