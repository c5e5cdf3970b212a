import { hashText } from '../words/hash-text.js';
import type { Lexicon } from '../words/lexicon.js';
import { textFeatures } from './text-features.js';

/** Numbers in every vector. */
export const TEXT_VECTOR_DIMENSIONS = 1024;
/** A feature is spread over this many places, so that two features rarely hide each other. */
const PLACES = 2;
/** A word that makes up this share of running text counts half: `a` of Arora, Liang and Ma (2017). */
const SMOOTHING = 1e-3;
/** Share of the exact part in the squared length of the vector, and so in a cosine. */
const EXACT_SHARE = 0.5;

/**
 * A text as one vector of length 1.
 *
 * Its first numbers are the meaning: the sum of the word vectors, each weighted by smooth inverse frequency, with the common
 * component already out of the table (Arora, Liang and Ma, "A simple but tough-to-beat baseline for sentence embeddings", 2017).
 * The rest are exact features by signed hashing (Weinberger et al., "Feature hashing for large scale multitask learning", 2009),
 * so that a name that no table knows still finds itself.
 */
export function textVector(text: string, lexicon: Lexicon): Float32Array {
  const { words, exact } = textFeatures(text, lexicon);
  const meaningDimensions = lexicon.table.dimensions;
  const meaning = new Float64Array(meaningDimensions);
  for (const { text: word, count } of words) {
    const rows = lexicon.rows(word);
    if (rows.length === 0) continue;
    const weight = (Math.sqrt(count) * SMOOTHING) / (SMOOTHING + lexicon.frequency(word));
    for (const row of rows) lexicon.table.addTo(meaning, row, weight / rows.length);
  }

  const hashed = new Float64Array(TEXT_VECTOR_DIMENSIONS - meaningDimensions);
  for (const { text: name, count, weight } of exact) {
    for (let place = 0; place < PLACES; place++) {
      const hash = hashText(name, place);
      const at = hash % hashed.length;
      hashed[at] = (hashed[at] ?? 0) + (hash >= 0x80000000 ? 1 : -1) * weight * Math.sqrt(count);
    }
  }

  const vector = new Float32Array(TEXT_VECTOR_DIMENSIONS);
  const meaningLength = length(meaning);
  const hashedLength = length(hashed);
  // A text without a known word is all exact features; one whose features cancel out is all meaning.
  const exactShare = meaningLength === 0 ? 1 : hashedLength === 0 ? 0 : EXACT_SHARE;
  if (meaningLength > 0) writeScaled(vector, 0, meaning, Math.sqrt(1 - exactShare) / meaningLength);
  if (hashedLength > 0) writeScaled(vector, meaningDimensions, hashed, Math.sqrt(exactShare) / hashedLength);
  else if (meaningLength === 0) vector[meaningDimensions] = 1;
  return vector;
}

function length(numbers: Float64Array): number {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  return Math.sqrt(sum);
}

function writeScaled(target: Float32Array, start: number, numbers: Float64Array, scale: number): void {
  numbers.forEach((number, index) => {
    target[start + index] = number * scale;
  });
}
