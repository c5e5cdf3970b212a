import type { ConverterOptions, StructuredOutputConverter } from './structured-output-converter.js';
import { clean, plainTextCleaners } from './text-cleaner.js';

const FORMAT = `Answer with nothing but the values, separated by commas, on one line and without numbering.
Put a value that holds a comma in double quotes. Example: red, "sea green, pale", blue`;
const QUOTED = /\s*"((?:[^"\\]|\\[\s\S]|"")*)"\s*(?=,|$)/y;
const PLAIN = /[^,]*/y;

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
    QUOTED.lastIndex = at;
    const quoted = QUOTED.exec(text)?.[1];
    PLAIN.lastIndex = at;
    const plain = quoted === undefined ? PLAIN.exec(text)?.[0] : undefined;
    items.push(
      quoted === undefined ? (plain ?? '').trim() : quoted.replace(/\\(["\\])|""/g, (_, escaped = '"') => escaped),
    );
    at = quoted === undefined ? PLAIN.lastIndex : QUOTED.lastIndex;
  }
  return items;
}
