import { usageError } from '../usage-error.js';

/** The questions on a command line. Words that came one by one, since the quotes were forgotten, are one question. */
export function questionsOf(words: readonly string[]): readonly string[] {
  const questions = words.map((word) => word.trim());
  if (questions.length === 0 || questions.includes('')) {
    throw usageError('The question is empty: write it in quotes behind the options', 'question');
  }
  const areWords = questions.every((question, at) =>
    at === questions.length - 1 ? !/\s/.test(question) : /^[^\s?？]+$/.test(question),
  );
  return areWords ? [questions.join(' ')] : questions;
}
