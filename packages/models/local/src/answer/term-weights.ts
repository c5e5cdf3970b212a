import type { Term } from './question-terms.js';
import type { WordBag } from './word-bag.js';

/** With fewer documents nothing can be said about what is in most of them. */
const LEAST_DOCUMENTS = 3;
/** An unknown word in this share of the documents is the name of what they are all about. */
const NAME_SHARE = 0.4;
const NAME_FACTOR = 0.15;
/** What is left of the weight of a word that is in every passage. */
const LEAST_SHARE = 0.3;

/**
 * The weight of each term among these passages and documents: what is everywhere tells nothing apart (inverse document
 * frequency), and the name of the subject itself, which every question holds, tells least.
 */
export function termWeights(
  terms: readonly Term[],
  passages: readonly WordBag[],
  documents: readonly WordBag[],
): number[] {
  const rarest = Math.log(1 + passages.length / 0.5);
  return terms.map(({ stem, rows, weight }) => {
    const inDocuments = documents.filter(({ stems }) => stems.has(stem)).length;
    const isName = rows.length === 0 && documents.length >= LEAST_DOCUMENTS;
    if (isName && inDocuments / documents.length >= NAME_SHARE) return weight * NAME_FACTOR;
    const inPassages = passages.filter(({ stems }) => stems.has(stem)).length;
    const rarity = Math.log(1 + passages.length / (inPassages + 0.5)) / rarest;
    return weight * (LEAST_SHARE + (1 - LEAST_SHARE) * rarity);
  });
}
