import type { JsonObject } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';
import type { AnswerBlock } from './anthropic-blocks.js';
import { textIfAny } from './json-fields.js';

/**
 * Where a part of an answer comes from: an entry of `citations` in the metadata of a generation, counted by `citationCount`.
 * Source: `Citation` of Spring AI; https://platform.claude.com/docs/en/build-with-claude/citations
 */
export interface AnthropicCitation {
  /** Anthropic's word: 'char_location', 'page_location', 'content_block_location', 'web_search_result_location' or 'search_result_location'. */
  readonly type: string;
  /** Of the document or of the page. */
  readonly title?: string;
  /** Of the page, or the source of a search result. */
  readonly url?: string;
  readonly citedText?: string;
  /** Where the cited text begins, by type: character (from 0), page (from 1) or content block (from 0). */
  readonly start?: number;
  /** Where it ends: the first character, page or block that is not cited. */
  readonly end?: number;
  /** Which document it is, counted from 0 over the whole request; of search results, which of them. */
  readonly documentIndex?: number;
  /** The part of the answer that it stands for, in characters of the text of this model call: the first one. */
  readonly textStart: number;
  /** The first one after it. */
  readonly textEnd: number;
}

/** The citations of an answer, in the order of its text. */
export function citationsOf(blocks: readonly AnswerBlock[]): AnthropicCitation[] {
  let textStart = 0;
  return blocks.flatMap((block) => {
    if (block.type !== 'text') return [];
    const range = { textStart, textEnd: textStart + block.length };
    textStart = range.textEnd;
    return block.citations.map((citation) => ({ ...plainCitation(citation), ...range }));
  });
}

function plainCitation(citation: JsonObject): Omit<AnthropicCitation, 'textStart' | 'textEnd'> {
  const text = (...names: readonly string[]): string | undefined => firstOf(names, (name) => textIfAny(citation[name]));
  const count = (...names: readonly string[]): number | undefined =>
    firstOf(names, (name) => reportedCount(citation[name]));
  const found = {
    title: text('document_title', 'title'),
    url: text('url', 'source'),
    citedText: text('cited_text'),
    start: count('start_char_index', 'start_page_number', 'start_block_index'),
    end: count('end_char_index', 'end_page_number', 'end_block_index'),
    documentIndex: count('document_index', 'search_result_index'),
  };
  const known = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
  return { type: text('type') ?? 'unknown', ...known };
}

function firstOf<T>(names: readonly string[], read: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
