const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)/u;

/** Overlapping pairs; single characters as well where they are wanted or where there is no pair. */
function* parts(run: string, singles: boolean): Generator<string> {
  const characters = Array.from(run);
  if (singles || characters.length === 1) yield* characters;
  for (let i = 1; i < characters.length; i++) yield `${characters[i - 1]}${characters[i]}`;
}

/**
 * Words for keyword search, in order, with repetition: any script, case and width folded. Runs of scripts that put no space between words
 * become overlapping pairs of characters, which is how they are found without a dictionary. A text to be found has its single characters
 * indexed too (`singles`, default false), for queries of one character. No stems, no stop words.
 *
 * @example
 * ```ts
 * wordsOf('Größe: ＸＬ, 東京都'); // → ['größe', 'xl', '東京', '京都']
 * ```
 */
export function wordsOf(text: string, singles = false): string[] {
  const words: string[] = [];
  const folded = text.normalize('NFKC').toLowerCase();
  if (!UNSPACED.test(folded)) return folded.match(WORD) ?? words;
  for (const [word] of folded.matchAll(WORD)) {
    for (const [index, part] of word.split(UNSPACED).entries()) {
      // split() with a group puts what matched at the odd places.
      if (index % 2 === 1) {
        for (const pair of parts(part, singles)) words.push(pair);
      } else if (part !== '') {
        words.push(part);
      }
    }
  }
  return words;
}
