import { PromptTemplate, requirePlaceholders } from '@vernal/core';
import { setAdvice } from '../chain/advice.js';
import { turnAsAsked } from '../chain/turn-messages.js';
import { withRequest } from './advisor-request.js';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/**
 * Repeats the question (RE2). Template needs `{re2_input_query}`. Order 0, scope 'turn'. Memory and `turn` keep the question as it was
 * asked. Paper: "Re-Reading Improves Reasoning in Large Language Models", arXiv 2309.06275.
 */
export class ReReadingAdvisor extends BaseAdvisor {
  readonly name: string = 'ReReadingAdvisor';

  /** Throws `template` when the placeholder is missing. */
  constructor(options: AdvisorPlace & { readonly promptTemplate?: PromptTemplate | undefined } = {}) {
    super(options, { order: 0, scope: 'turn' });
    const template =
      options.promptTemplate ?? new PromptTemplate('{re2_input_query}\nRead the question again: {re2_input_query}');
    requirePlaceholders(template, ['re2_input_query']);
    setAdvice(this, async (request, inward) => {
      const { prompt } = request;
      const question = prompt.userMessage.text;
      if (question === '') return inward.ask(request);
      const twice = prompt.augmentUserMessage(template.render({ re2_input_query: question }));
      const response = await inward.ask(withRequest(request, { prompt: twice }));
      return { ...response, turn: turnAsAsked(prompt.messages, response.turn) };
    });
  }
}
