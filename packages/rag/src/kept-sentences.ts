import type { JsonValue, StructuredOutputConverter } from '@vernal/core';
import type { TextSegment } from '@vernal/core/adapter';
import { textSegments } from '@vernal/core/adapter';
import { wordsOf } from '@vernal/vector-store';
import { answerList, answerText } from './answer-json.js';

/** A model names sentences by their numbers, from 1; some write the sentences themselves. */
export interface SentenceChoice {
  readonly numbers: ReadonlySet<number>;
  readonly quotes: readonly string[];
  /** It said that there is none, in so many words; what nobody can read says nothing. */
  readonly isNone: boolean;
}

const NUMBERS_ONLY = /^[\s\d,;.[\]()–-]*$/;
const NUMBERS = /(\d+)(?:[ \t]*[–-][ \t]*(\d+))?/g;
const BULLET = /^\s*(?:[-*]\s+|\[?\d+[\].):]\s*)/;
/** No model means so many by "1-99999999". */
const LONGEST_RANGE = 1_000;

function choiceOf(given: readonly JsonValue[], isNone: boolean): SentenceChoice {
  const numbers = new Set<number>();
  const quotes: string[] = [];
  for (const one of given) {
    if (typeof one === 'number') numbers.add(one);
    else if (typeof one !== 'string') continue;
    else if (NUMBERS_ONLY.test(one)) addNumbers(numbers, one);
    else quotes.push(one.replace(BULLET, '').trim());
  }
  return { numbers, quotes, isNone };
}

/** Those of "2", "[1]", "1, 3" and "2-4". */
function addNumbers(numbers: Set<number>, text: string): void {
  for (const [, from, to = from] of text.matchAll(NUMBERS)) {
    const [first, last] = [Number(from), Number(to)];
    numbers.add(first).add(last);
    if (last - first < LONGEST_RANGE) for (let number = first + 1; number < last; number++) numbers.add(number);
  }
}

/** Reads which sentences a model wants kept, from a list of numbers or from what it quotes. */
export const sentenceConverter: StructuredOutputConverter<SentenceChoice> = {
  format: 'Write JSON and nothing else: {"sentences": [1, 4]}, or {"sentences": []} when none helps.',
  jsonSchema: {
    type: 'object',
    properties: { sentences: { type: 'array', items: { type: 'integer' } } },
    required: ['sentences'],
    additionalProperties: false,
  },
  convert: (answer) => {
    const list = answerList(answer, 'sentences');
    if (list !== undefined) return choiceOf(list, list.length === 0);
    return choiceOf(answerText(answer).split('\n'), false);
  },
};

/** Sentences of a text, in order, without the white space around them. */
export function sentencesOf(text: string): TextSegment[] {
  return Array.from(textSegments(text, 'sentence')).flatMap(({ start, end }) => {
    const piece = text.slice(start, end);
    const from = start + piece.length - piece.trimStart().length;
    const to = start + piece.trimEnd().length;
    return to > from ? [{ start: from, end: to }] : [];
  });
}

/** Fewer words are found in any text. */
const LEAST_WORDS = 3;

/** Words in a row, so that one is found in another at its words' borders only. */
function wordLine(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}

function isWithin(part: string, whole: string): boolean {
  return part === whole || (part.split(' ').length - 2 >= LEAST_WORDS && whole.includes(part));
}

/**
 * Of a text those sentences that were chosen, letter by letter as they stand there; '' for none. What was quoted and is not in the text
 * chooses nothing. Sentences that follow each other keep what was between them; others stand on lines of their own.
 */
export function keptSentences(
  text: string,
  sentences: readonly TextSegment[],
  { numbers, quotes }: SentenceChoice,
): string {
  const lines = quotes.map(wordLine).filter((line) => line.trim() !== '');
  const kept = sentences.map(({ start, end }, at) => {
    if (numbers.has(at + 1)) return true;
    if (lines.length === 0) return false;
    const own = wordLine(text.slice(start, end));
    return lines.some((line) => isWithin(line, own) || isWithin(own, line));
  });
  const pieces: TextSegment[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (!kept[at]) continue;
    const last = pieces.at(-1);
    if (last !== undefined && kept[at - 1]) pieces[pieces.length - 1] = { start: last.start, end: sentence.end };
    else pieces.push(sentence);
  }
  return pieces.map(({ start, end }) => text.slice(start, end)).join('\n');
}
