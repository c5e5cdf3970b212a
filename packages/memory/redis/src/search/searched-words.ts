const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no space between words: each of their characters is found by itself, and what stands side by side as a phrase. */
const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])/u;
/** Nobody types a longer one; base64 would fill the engine's dictionary. */
const LONGEST = 64;

/**
 * The words of a text in their order, of letters, digits and marks only, with case and width folded. What the index holds and what a query
 * asks for are cut alike, so that the engine's own rules and the language of its queries have no say in it.
 */
export function searchedWords(text: string): string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const words: string[] = [];
  for (const [run] of folded.matchAll(WORD)) {
    for (const word of run.split(UNSPACED)) if (word !== '') words.push(shortened(word));
  }
  return words;
}

function shortened(word: string): string {
  return word.length <= LONGEST ? word : Array.from(word).slice(0, LONGEST).join('');
}
