import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';
import { clean, plainTextCleaners } from './text-cleaner.js';

const FORMAT = `Answer with nothing but the values, separated by commas, on one line and without numbering.
Put a value that holds a comma in double quotes. Example: red, "sea green, pale", blue`;
const WHITE = /\s*/y;
const SPECIAL = /["\\]/g;

/**
 * Comma-separated; quoted items may hold commas; '' is []. Items are trimmed, empty ones are kept; within quotes `""` and `\"` stand for a
 * quote. A quote that is not closed before a comma or the end is an ordinary character. Never throws.
 * Default cleaners: white space, thoughts and code fences, for the answer is no JSON.
 * Source: `ListOutputConverter` of spring-ai-model.
 *
 * @example
 * listConverter().convert('red, "sea green, pale", blue'); // ['red', 'sea green, pale', 'blue']
 */
export function listConverter(options?: ConverterOptions): StructuredOutputConverter<string[]> {
  const cleaners = options?.cleaners ?? plainTextCleaners;
  return { format: FORMAT, convert: (text) => splitItems(clean(text, cleaners)) };
}

function splitItems(text: string): string[] {
  if (text.trim() === '') return [];
  const items: string[] = [];
  for (let at = 0; at <= text.length; at++) {
    const quoted = quotedItem(text, at);
    const comma = text.indexOf(',', at);
    const end: number = quoted?.end ?? (comma === -1 ? text.length : comma);
    items.push(quoted === undefined ? text.slice(at, end).trim() : quoted.item);
    at = end;
  }
  return items;
}

/** A quoted item and the place of the comma or end behind it; undefined when it is not quoted, or not all of it. */
function quotedItem(text: string, from: number): { readonly item: string; readonly end: number } | undefined {
  const open = afterWhite(text, from);
  if (text[open] !== '"') return undefined;
  let item = '';
  let at = open + 1;
  for (;;) {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(text)?.index;
    if (special === undefined) return undefined;
    item += text.slice(at, special);
    const next = text[special + 1];
    if (text[special] === '"' && next !== '"') {
      const end = afterWhite(text, special + 1);
      return end === text.length || text[end] === ',' ? { item, end } : undefined;
    }
    if (next === undefined) return undefined;
    item += next === '"' || next === '\\' ? next : `\\${next}`;
    at = special + 2;
  }
}

function afterWhite(text: string, at: number): number {
  WHITE.lastIndex = at;
  WHITE.test(text);
  return WHITE.lastIndex;
}
