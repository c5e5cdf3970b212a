import type { Lexicon } from '../words/lexicon.js';
import { splitWords } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';
import { withoutMeasure } from './amounts.js';

/** A word of the question that an answer should have something to do with. */
export interface Term {
  readonly stem: string;
  /** Rows of the word table that hold its meaning; none for an unknown word, a number, a pair of characters. */
  readonly rows: readonly number[];
  /** How much it counts, 0 to 1. */
  readonly weight: number;
}

/** They are about asking, or about any software at all: finding them in a sentence proves little. */
const WEAK: ReadonlySet<string> = new Set(
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
const PAIR_WEIGHT = 0.7;
const KANA_PAIR_WEIGHT = 0.2;
/** Chinese and Japanese characters of asking and of grammar. */
const UNTELLING = /[的了是在吗呢么什怎如何请问有多少哪谁几为能可以吧我你他她它们这那和与或及也就都很の]/u;
const HIRAGANA = /^\p{Script=Hiragana}+$/u;

/** The words of a question that matter, each stem once. */
export function questionTerms(question: string, lexicon: Lexicon): Term[] {
  const terms = new Map<string, Term>();
  for (const { text, kind } of splitWords(withoutMeasure(question))) {
    const stem = kind === 'word' ? stemWord(text) : text;
    if (terms.has(stem)) continue;
    if (kind === 'number') terms.set(stem, { stem, rows: [], weight: NUMBER_WEIGHT });
    else if (kind === 'gram') {
      // A pair says more than its characters, which come beside it.
      if (text.length === 1 || UNTELLING.test(text)) continue;
      terms.set(stem, { stem, rows: [], weight: HIRAGANA.test(text) ? KANA_PAIR_WEIGHT : PAIR_WEIGHT });
    } else if (kind === 'word' && !isStopWord(text)) {
      const weight = lexicon.rarity(text) * (WEAK.has(stem) ? WEAK_FACTOR : 1);
      terms.set(stem, { stem, rows: lexicon.rows(text), weight });
    }
  }
  return [...terms.values()];
}

const REFERS_BACK = /\b(?:it|its|they|them|their|that|those|this|these|one|ones|there|same|he|she|his|her)\b/i;
const GOES_ON = /^\s*(?:and|but|or|also|so|then|what about|how about|why not)\b/i;
const FEW_TERMS = 2;

/** True when a question can only be understood after the one before it. */
export function isFollowUp(question: string, terms: readonly Term[]): boolean {
  if (terms.length === 0 || GOES_ON.test(question)) return true;
  return terms.length <= FEW_TERMS && REFERS_BACK.test(question);
}
