import type { SqlFragment } from '@vernal/vector-store';
import { PARAMETER } from './pg-filter.js';
import { storableText } from './pg-text.js';

/** More may not fit the 1 MB that a tsvector holds, and would be an error. */
const SEARCHED_CHARACTERS = 200_000;

/** The words of a document. Written the same in the index and in queries, or the index is not used. `config` is a literal. */
export function searchedText(config: string): string {
  return `to_tsvector(${config}, left(content, ${SEARCHED_CHARACTERS}))`;
}

/**
 * The words of a query, any of which may be found. The text is a parameter; its words are quoted by the server, for a word may hold
 * operators. NULL for a text without words, which finds nothing.
 */
export function askedWords(config: string, query: string): SqlFragment {
  return {
    text: `(SELECT string_agg('''' || replace(replace(lexeme, E'\\\\', E'\\\\\\\\'), '''', '''''') || '''', ' | ')::tsquery FROM unnest(to_tsvector(${config}, ${PARAMETER}::text)))`,
    params: [storableText(query)],
  };
}
