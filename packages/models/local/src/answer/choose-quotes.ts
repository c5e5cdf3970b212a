import type { ScoredPassage } from './score-passages.js';

/** What is quoted, exactly as it stands in its document. */
export interface Quote {
  readonly text: string;
  /** Number of its document. */
  readonly index: number;
}

/**
 * A question is taken to be answered from this share on, and from a higher one the fewer words it has: of two words one is found
 * anywhere. Both figures were found on the questions in tools/labelled-questions.json and on questions about another
 * project's documentation.
 */
const LEAST_EVIDENCE = 0.36;
const EVIDENCE_OF_ONE_WORD = 0.38;
const MOST_QUOTES = 4;
/** Further quotes must be this good beside the best. */
const LEAST_SHARE_OF_BEST = 0.75;
/** A further quote must hold a term this much better than all before it. */
const NEWS = 0.5;
/** Of a section that answers by its heading, as many passages are quoted as fit into so many characters, but one at least. */
const SECTION_LENGTH = 400;
const SECTION_QUOTES = 3;
const NEEDS_SENTENCE_BEFORE = /^(?:It|Its|They|Their|Them|This|That|These|Those|He|She|Otherwise|But|So|Then|Also)\b/;
const LONGEST_PAIR = 500;

/** The best one to four quotes, best first; none when the documents do not hold an answer. Takes passages best first. */
export function chooseQuotes(scored: readonly ScoredPassage[]): Quote[] {
  const terms = scored[0]?.own.length ?? 0;
  const answers = scored.filter(({ evidence }) => evidence >= LEAST_EVIDENCE + EVIDENCE_OF_ONE_WORD / terms);
  const best = answers[0];
  if (best === undefined) return [];
  return withoutRepeats(answersByHeading(best) ? sectionOf(best, scored) : sentencesFor(best, answers), scored);
}

/** True when it is the heading that fits the question, and the passage only stands below it. */
function answersByHeading({ own, above }: ScoredPassage): boolean {
  return above.every((match, i) => match >= (own[i] ?? 0)) && above.some((match, i) => match > (own[i] ?? 0));
}

function sectionOf(best: ScoredPassage, scored: readonly ScoredPassage[]): ScoredPassage[] {
  const section = scored
    .filter(({ document, passage }) => document === best.document && passage.context === best.passage.context)
    .sort((a, b) => a.position - b.position);
  const chosen: ScoredPassage[] = [];
  let length = 0;
  for (const passage of section) {
    length += passage.passage.text.length;
    if (chosen.length > 0 && (length > SECTION_LENGTH || chosen.length === SECTION_QUOTES)) break;
    chosen.push(passage);
  }
  return chosen.includes(best) ? chosen : [best];
}

function sentencesFor(best: ScoredPassage, answers: readonly ScoredPassage[]): ScoredPassage[] {
  const chosen = [best];
  const held = [...best.own];
  for (const next of answers) {
    if (chosen.length === MOST_QUOTES) break;
    if (next === best || next.score < LEAST_SHARE_OF_BEST * best.score) continue;
    if (!next.own.some((match, i) => match >= (held[i] ?? 0) + NEWS)) continue;
    next.own.forEach((match, i) => {
      held[i] = Math.max(match, held[i] ?? 0);
    });
    chosen.push(next);
  }
  return chosen;
}

/** Chunks of one file may share sentences, and a whole list holds its items: nothing is quoted twice. */
function withoutRepeats(chosen: readonly ScoredPassage[], scored: readonly ScoredPassage[]): Quote[] {
  const quotes: Quote[] = [];
  for (const passage of chosen) {
    const text = withSentenceBefore(passage, scored);
    if (quotes.some((quote) => quote.text.includes(text) || text.includes(quote.text))) continue;
    quotes.push({ text, index: passage.document.index });
  }
  return quotes;
}

/** A sentence that begins with "It" says nothing alone: it is quoted together with the one before it in its paragraph. */
function withSentenceBefore({ document, passage, position }: ScoredPassage, scored: readonly ScoredPassage[]): string {
  if (!NEEDS_SENTENCE_BEFORE.test(passage.text)) return passage.text;
  const before = scored.find((other) => other.document === document && other.position === position - 1)?.passage;
  if (before === undefined || before.end > passage.start) return passage.text;
  const both = document.text.slice(before.start, passage.end);
  const isOneParagraph = !/\n[ \t]*\n/.test(document.text.slice(before.end, passage.start));
  return isOneParagraph && both.length <= LONGEST_PAIR ? both : passage.text;
}
