import type { ChatResponse, ChatResponseMetadata, Message } from '@vernal/core';
import { chatResponse, invalidArgument, messageText, VernalError } from '@vernal/core';
import { setAdvice } from '../chain/advice.js';
import { GuardFilter } from '../chain/guard-filter.js';
import { newMessages } from '../chain/turn-messages.js';
import { WordMatcher } from '../chain/word-matcher.js';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/**
 * Refuses by words, at their boundaries and whatever their case, in what the user says now and in what the model answers. Scripts that
 * are written without spaces have no boundaries: there a word is found anywhere. Order 0, scope 'turn'.
 *
 * A refused turn has an empty `turn`, so memory forgets it. In a stream, text that may become a word is held back, a few characters at
 * the most; a word closes the model's connection and the reply follows what went out before it.
 * Source: `SafeGuardAdvisor` of spring-ai-client-chat.
 */
export class SafeGuardAdvisor extends BaseAdvisor {
  readonly name: string = 'SafeGuardAdvisor';

  /** Throws `invalid_argument` without words, and for blank ones. */
  constructor(
    options: AdvisorPlace & {
      readonly sensitiveWords: readonly string[];
      /** The reply; its generation has finish reason 'blocked'. Default: a short, polite refusal. */
      readonly failureResponse?: string | undefined;
      /** Default ['input', 'output']. */
      readonly check?: readonly ('input' | 'output')[] | undefined;
    },
  ) {
    super(options, { order: 0, scope: 'turn' });
    const { failureResponse = "I'm sorry, but I can't help with that.", check = ['input', 'output'] } = options;
    const words = options.sensitiveWords.map((word) => word.trim());
    if (words.length === 0 || words.includes('')) {
      throw invalidArgument('sensitiveWords', 'name at least one word, and no blank ones');
    }
    const matcher = new WordMatcher(words);
    const blocked = (context: ChatClientResponse['context'], metadata?: ChatResponseMetadata): ChatClientResponse => ({
      chatResponse: chatResponse([{ text: failureResponse, metadata: { finishReason: 'blocked' } }], metadata),
      context,
      turn: [],
    });
    setAdvice(this, async (request, inward) => {
      if (check.includes('input') && saysNow(request).some((message) => matcher.finds(messageText(message)))) {
        return blocked(request.context);
      }
      if (!check.includes('output')) return inward.ask(request);
      const refusal = new VernalError('The answer was refused', { code: 'aborted', subject: this.name });
      const filter = inward.streaming ? new GuardFilter(matcher, refusal) : undefined;
      try {
        const response = await inward.ask(request, filter);
        const answer = response.chatResponse;
        return answer !== undefined && answers(answer).some((text) => matcher.finds(text))
          ? blocked(response.context, answer.metadata)
          : response;
      } catch (error) {
        if (error === refusal) return blocked(request.context);
        throw error;
      }
    });
  }
}

function saysNow({ prompt }: ChatClientRequest): readonly Message[] {
  return newMessages(prompt.messages).filter(({ type }) => type === 'user');
}

function answers({ results }: ChatResponse): readonly string[] {
  return results.map(({ output }) => output.text);
}
