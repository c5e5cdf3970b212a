/**
 * A query of FTS5 for any of the words; undefined for a text without words. Each is a quoted string, in which nothing has a meaning; the
 * tokenizer of the table then folds it.
 */
export function wordQuery(query: string, tokenizer: string): string | undefined {
  const words = query.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const terms = new Set(/^\s*trigram/i.test(tokenizer) ? words.flatMap(triples) : words);
  return terms.size === 0 ? undefined : [...terms].map((term) => `"${term}"`).join(' OR ');
}

/** A word of a script without spaces may be a whole sentence: any three characters of it count. */
function triples(word: string): string[] {
  const characters = Array.from(word);
  return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
}
