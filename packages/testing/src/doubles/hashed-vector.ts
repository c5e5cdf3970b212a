/** Letters of scripts that are written without spaces: each is a word of its own. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
/** Places in the vector that one word touches: with one, two words in 64 places would often fall together. */
const PLACES = 4;

/** FNV-1a over UTF-16 code units, then murmur3's mixing of the bits. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function add(sums: Float64Array, word: string, weight: number): void {
  for (let place = 0; place < PLACES; place++) {
    const value = hash(word, Math.imul(place, 0x9e3779b9));
    const index = (value >>> 1) % sums.length;
    sums[index] = (sums[index] ?? 0) + ((value & 1) === 0 ? weight : -weight);
  }
}

/** A unit vector from the words of a text, each weighted by one plus the logarithm of its count. Never a zero vector. */
export function hashedVector(text: string, dimensions: number): Float32Array {
  const counts = new Map<string, number>();
  for (const word of text.normalize('NFKC').toLowerCase().match(WORD) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sums = new Float64Array(dimensions);
  for (const [word, count] of counts) add(sums, word, 1 + Math.log(count));
  let squares = 0;
  for (const value of sums) squares += value * value;
  if (squares === 0) {
    // No words, or words that cancel each other: the text as a whole decides.
    sums[hash(text, 1) % dimensions] = 1;
    squares = 1;
  }
  const norm = Math.sqrt(squares);
  return Float32Array.from(sums, (value) => value / norm);
}
