type Ending = readonly [ending: string, replacement: string, minimumLeft: number];

/** By last letter, longest first. The minimum is what must stay, so that an ending that belongs to the word is left alone. */
const ENDINGS: Readonly<Record<string, readonly Ending[]>> = {
  s: [
    ['isations', '', 3],
    ['izations', '', 3],
    ['ications', 'y', 3],
    ['ations', '', 3],
    ['tions', 't', 3],
    ['ments', '', 4],
    ['iness', '', 3],
    ['ness', '', 4],
    ['isers', '', 4],
    ['izers', '', 4],
    ['ators', '', 4],
    ['ises', '', 4],
    ['izes', '', 4],
    ['ates', '', 4],
    ['ables', '', 4],
    ['ings', '', 3],
    ['ers', '', 3],
    ['ors', '', 3],
    ['ies', 'y', 2],
  ],
  n: [
    ['isation', '', 3],
    ['ization', '', 3],
    ['ication', 'y', 3],
    ['ation', '', 3],
    ['tion', 't', 3],
  ],
  g: [
    ['ising', '', 4],
    ['izing', '', 4],
    ['ating', '', 4],
    ['ing', '', 3],
  ],
  d: [
    ['ised', '', 4],
    ['ized', '', 4],
    ['ated', '', 4],
    ['ied', 'y', 2],
    ['ed', '', 3],
  ],
  r: [
    ['iser', '', 4],
    ['izer', '', 4],
    ['ator', '', 4],
    ['er', '', 3],
    ['or', '', 3],
  ],
  e: [
    ['able', '', 4],
    ['ise', '', 4],
    ['ize', '', 4],
    ['ate', '', 4],
  ],
  t: [['ment', '', 4]],
  y: [
    ['ically', 'ic', 3],
    ['ily', 'y', 3],
    ['ly', '', 4],
  ],
};

/** Their endings only look like endings. */
const WHOLE: ReadonlySet<string> = new Set(['embed', 'need', 'feed', 'speed', 'seed', 'founded']);

/**
 * The common part of an English word's forms: split, splits, splitting and splitter give one stem. Made for comparing
 * words, not for reading: a stem need not be a word. Words of other scripts come back as they are.
 */
export function stemWord(word: string): string {
  if (word.length < 4 || !isPlain(word)) return word;
  let stem = WHOLE.has(word) ? word : withoutEnding(word);
  const last = stem.at(-1);
  if (stem.length > 3 && (last === 'e' || last === 'y')) stem = stem.slice(0, -1);
  return stem.length > 3 && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
}

function withoutEnding(word: string): string {
  for (const [ending, replacement, minimumLeft] of ENDINGS[word.at(-1) ?? ''] ?? []) {
    if (!word.endsWith(ending)) continue;
    const left = word.slice(0, -ending.length);
    // What stays before "ation" ends in a consonant: citation is cit-ation, but creation is creat-ion.
    if (left.length < minimumLeft || !hasVowel(left) || (ending.startsWith('ati') && isVowel(left.at(-1)))) continue;
    return left + replacement;
  }
  if (!word.endsWith('s') || /[siu]s$/.test(word)) return word;
  return word.length > 4 && /(?:[sxz]|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && 'aeiouy'.includes(letter);
}

function hasVowel(text: string): boolean {
  for (const letter of text) if (isVowel(letter)) return true;
  return false;
}

function isPlain(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}
