import type { Message } from '@vernal/core';
import type { Lexicon } from '../words/lexicon.js';
import { chooseQuotes } from './choose-quotes.js';
import { isFollowUp, questionTerms } from './question-terms.js';
import { readPrompt } from './read-prompt.js';
import { scorePassages } from './score-passages.js';

/** The whole answer of `ExtractiveChatModel` when the documents do not hold one. */
export const NOT_IN_DOCUMENTS = 'The documents do not say.';

/** The whole answer of `ExtractiveChatModel` to a prompt without documents. */
export const NO_DOCUMENTS =
  'There are no documents to quote from: this demonstration model only quotes the documents that come with a question.';

/** Quotes, each with its citation, one a paragraph; or one of the two sentences above. */
export function answerQuestion(messages: readonly Message[], lexicon: Lexicon): string {
  const { question, previousQuestion, documents } = readPrompt(messages);
  if (documents === undefined) return NO_DOCUMENTS;
  const terms = questionTerms(question, lexicon);
  const before = isFollowUp(question, terms) ? questionTerms(previousQuestion, lexicon) : [];
  const asked =
    terms.length > 0
      ? { text: question, terms, background: before }
      : { text: previousQuestion, terms: before, background: [] };
  const quotes = chooseQuotes(scorePassages(asked, documents, lexicon));
  return quotes.length === 0 ? NOT_IN_DOCUMENTS : quotes.map(({ text, index }) => `${text} [${index}]`).join('\n\n');
}
