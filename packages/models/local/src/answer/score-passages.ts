import { textVector } from '../embedding/text-vector.js';
import type { Lexicon } from '../words/lexicon.js';
import { splitWords } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';
import { asksForAmount, holdsAmount } from './amounts.js';
import type { Term } from './question-terms.js';
import type { GivenDocument } from './read-prompt.js';
import { type Passage, splitPassages } from './split-passages.js';
import { termWeights } from './term-weights.js';
import { matchTerm, type WordBag, wordBag } from './word-bag.js';

export interface Question {
  readonly text: string;
  readonly terms: readonly Term[];
  /** Terms of the question before, when this one goes on from it. */
  readonly background: readonly Term[];
}

export interface ScoredPassage {
  readonly document: GivenDocument;
  readonly passage: Passage;
  /** Position among the passages of its document. */
  readonly position: number;
  /** By term: how well the passage itself holds it, 0 to 1. */
  readonly own: readonly number[];
  /** By term: how well what stands above the passage holds it, 0 to 1. */
  readonly above: readonly number[];
  /** Share of the question that the passage and its document cover, 0 to 1: whether to answer at all. */
  readonly evidence: number;
  /** For the order among passages; no fixed range. */
  readonly score: number;
}

/** A heading says what a passage is about, but not all that it says. */
const ABOVE_FACTOR = 0.7;
const PASSAGE_SHARE_OF_EVIDENCE = 0.6;
/** An answer without the number that was asked for is worth less. */
const WITHOUT_AMOUNT_FACTOR = 0.75;
/** Code answers how something is done; the questions and sentences in its examples answer nothing. */
const ASKS_FOR_CODE =
  /\bhow (?:do|does|can|could|should|must|to)\b|\b(?:code|command|example|install|import|script|snippet|syntax)\b/i;
const CODE_FACTOR = 0.6;
/** A sentence that asks answers nothing. */
const ASKS = /[?？]["'”’)\]*_`]*$/;
const ASKING_FACTOR = 0.6;
const DEFINITION = /^\s*what(?:'s| is| are)\b/i;
const DEFINES = /^(?!No\b).{0,60}?\b(?:is|are|means|wraps|turns|keeps|gives|decides|stands)\b/s;
/** Parts of the score, beside the coverage by the passage, which counts 1. */
const BONUS = {
  document: 0.25,
  similarity: 0.6,
  rank: 0.06,
  background: 0.3,
  heading: 0.15,
  opening: 0.06,
  definition: 0.2,
  /** A definition stands at the beginning. */
  first: 0.1,
  withoutAmount: -0.15,
  asking: -0.4,
  unwantedCode: -0.4,
  /** For each doubling of the length over `LONG`. */
  length: -0.08,
} as const;
/** Words. */
const LONG = 40;

/** Every passage of the documents with how well it answers the question, best first. */
export function scorePassages(
  question: Question,
  documents: readonly GivenDocument[],
  lexicon: Lexicon,
): ScoredPassage[] {
  const { terms, background } = question;
  const passages = documents.flatMap((document) => {
    const all = wordBag(`${document.title}\n${document.text}`, lexicon);
    const held = terms.map((term) => matchTerm(term, all, lexicon));
    return splitPassages(document.text).map((passage, position) => {
      const above = wordBag(`${passage.context}\n${document.title}`, lexicon);
      return { document, all, held, passage, position, words: wordBag(passage.text, lexicon), above };
    });
  });
  const weights = termWeights(
    terms,
    passages.map(({ words }) => words),
    [...new Set(passages.map(({ all }) => all))],
  );
  const cover = (matches: readonly number[]): number => weightedMean(matches, weights);
  const asked = textVector(question.text, lexicon);
  const wantsCode = ASKS_FOR_CODE.test(question.text);
  const wantsAmount = asksForAmount(question.text);
  const stems = new Set(terms.map(({ stem }) => stem));
  const wantsDefinition = DEFINITION.test(question.text) && terms.length <= 3;

  const scored = passages.map(({ document, held, passage, position, words, above }): ScoredPassage => {
    const ownMatches = terms.map((term) => matchTerm(term, words, lexicon));
    const aboveMatches = terms.map((term) => matchTerm(term, above, lexicon));
    const covered = cover(ownMatches.map((match, i) => Math.max(match, ABOVE_FACTOR * (aboveMatches[i] ?? 0))));
    const byDocument = Math.max(covered, cover(held));
    const lacksAmount = wantsAmount && !holdsAmount(passage.text);
    const isUnwantedCode = passage.isCode && !wantsCode;
    const asks = ASKS.test(passage.text);
    const opens = opensWith(passage.text, stems);
    const evidence =
      (PASSAGE_SHARE_OF_EVIDENCE * covered + (1 - PASSAGE_SHARE_OF_EVIDENCE) * byDocument) *
      (lacksAmount ? WITHOUT_AMOUNT_FACTOR : 1) *
      (asks ? ASKING_FACTOR : 1) *
      (isUnwantedCode ? CODE_FACTOR : 1);
    const score =
      covered +
      BONUS.document * byDocument +
      BONUS.similarity *
        dotProduct(asked, textVector(`${document.title}\n${passage.context}\n${passage.text}`, lexicon)) +
      BONUS.rank / document.index +
      BONUS.background * coverBackground(background, words, above, lexicon) +
      BONUS.heading * headingShare(passage.context.split('\n')[0] || document.title, stems) +
      (opens ? BONUS.opening : 0) +
      (opens && wantsDefinition && DEFINES.test(passage.text) ? BONUS.definition : 0) +
      (position === 0 && wantsDefinition ? BONUS.first : 0) +
      (lacksAmount ? BONUS.withoutAmount : 0) +
      (asks ? BONUS.asking : 0) +
      (isUnwantedCode ? BONUS.unwantedCode : 0) +
      BONUS.length * Math.max(0, Math.log2(splitWords(passage.text).length / LONG));
    return { document, passage, position, own: ownMatches, above: aboveMatches, evidence, score };
  });
  return scored.sort((a, b) => b.score - a.score || a.document.index - b.document.index || a.position - b.position);
}

function weightedMean(values: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  let total = 0;
  weights.forEach((weight, i) => {
    sum += weight * (values[i] ?? 0);
    total += weight;
  });
  return total === 0 ? 0 : sum / total;
}

function coverBackground(terms: readonly Term[], words: WordBag, above: WordBag, lexicon: Lexicon): number {
  return weightedMean(
    terms.map((term) => Math.max(matchTerm(term, words, lexicon), matchTerm(term, above, lexicon))),
    terms.map(({ weight }) => weight),
  );
}

/** How much of the heading is in the question: "Delete" answers a question about deleting better than "Delete and restore". */
function headingShare(text: string, stems: ReadonlySet<string>): number {
  const heading = tellingStems(text);
  return heading.length === 0 ? 0 : heading.filter((stem) => stems.has(stem)).length / heading.length;
}

function opensWith(text: string, stems: ReadonlySet<string>): boolean {
  const first = tellingStems(text.slice(0, 80))[0];
  return first !== undefined && stems.has(first);
}

function tellingStems(text: string): string[] {
  return splitWords(text).flatMap(({ text: word, kind }) =>
    kind === 'word' && !isStopWord(word) ? stemWord(word) : [],
  );
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
