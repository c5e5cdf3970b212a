import type { Lexicon } from '../words/lexicon.js';
import { splitWords } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';

/** A word of the question that an answer should have something to do with. */
export interface Term {
  readonly stem: string;
  readonly rows: readonly number[];
  /** How much it counts, 0 to 1. */
  readonly weight: number;
}

/** They are about the asking or about any software at all, so that finding them proves little. */
const WEAK = new Set(
  `able actually allow allowed answer ask automatically available avoid behave behind case certain change check choose come
common contain correct current currently default define description detail details difference different directly easily easy
enough exactly example examples exist exists explain fact feature features find follow following follows general good happen
happens have help hold idea important include includes information instead keep know known look main mean meaning means
mention name named need needed needs normal normally object obtain occur offer option order part particular place point
possible possibly problem provide provides purpose question reason receive related require required result right run say says
see set several show shows simple simply start stand state status step support supported supports sure switch system thing
time try trying type types understand use used useful user users uses using usual usually value various work works write wrong`
    .split(/\s+/)
    .map(stemWord),
);
const WEAK_FACTOR = 0.5;
const NUMBER_WEIGHT = 0.8;
const GRAM_WEIGHT = 0.7;

/** The words of a question that matter, each stem once. */
export function questionTerms(question: string, lexicon: Lexicon): Term[] {
  const terms = new Map<string, Term>();
  for (const { text, kind } of splitWords(question)) {
    // Identifiers come with their parts, pairs of characters with the characters.
    if (kind === 'identifier' || (kind === 'gram' && text.length === 1) || isStopWord(text)) continue;
    const stem = kind === 'word' ? stemWord(text) : text;
    if (terms.has(stem)) continue;
    if (kind === 'number') terms.set(stem, { stem, rows: [], weight: NUMBER_WEIGHT });
    else if (kind === 'gram') terms.set(stem, { stem, rows: [], weight: GRAM_WEIGHT });
    else {
      const weight = lexicon.rarity(text) * (WEAK.has(stem) ? WEAK_FACTOR : 1);
      terms.set(stem, { stem, rows: lexicon.rows(text), weight });
    }
  }
  return [...terms.values()];
}

const REFERS_BACK = /\b(?:it|its|they|them|their|that|those|this|these|one|ones|there|same|he|she|his|her)\b/i;
const GOES_ON = /^\s*(?:and|but|or|also|so|then|what about|how about|why|why not)\b/i;
const FEW_TERMS = 2;

/** True when a question can only be understood after the one before it. */
export function isFollowUp(question: string, terms: readonly Term[]): boolean {
  return GOES_ON.test(question) || (terms.length <= FEW_TERMS && REFERS_BACK.test(question)) || terms.length === 0;
}

const ASKS_AMOUNT =
  /\bhow (?:many|much|often|long|big|large|tall|high|old|far|fast|heavy)\b|\bwhat (?:time|year|date|percentage|number)\b|\b(?:which|what) (?:[\w.]+ )?version\b|^\s*(?:and |but )?when (?:was|were|did|is|does|will)\b/i;

/** True when the answer ought to hold a number. */
export function asksForAmount(question: string): boolean {
  return ASKS_AMOUNT.test(question);
}

const AMOUNT =
  /\p{N}|\b(?:no|none|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|once|twice|half|dozen|unlimited|every|all|nothing)\b/iu;

export function holdsAmount(text: string): boolean {
  return AMOUNT.test(text);
}
