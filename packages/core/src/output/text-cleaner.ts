import { extractJson } from './extract-json.js';
import { removeTrailingCommas, straightenQuotes } from './mend-json.js';
import { removeThinking } from './remove-thinking.js';
import { unwrapFence } from './unwrap-fence.js';

/** Makes a model's answer readable before it is parsed. Gives back the text itself when there is nothing to clean. */
export type TextCleaner = (text: string) => string;

const trimWhiteSpace: TextCleaner = (text) => text.trim();

/**
 * What models put around and into JSON, in the order in which it is taken off:
 * 1. white space and byte order marks at both ends;
 * 2. thoughts: `<think>`, `<thinking>`, `<reasoning>`, closed or not, and fences and comments of that name;
 * 3. Markdown code fences, wherever they stand;
 * 4. prose before and after a JSON object or list;
 * 5. typographic quotes used as the quotes of JSON;
 * 6. trailing commas.
 *
 * No cleaner changes text inside a JSON string. 1 to 4 only cut, 5 and 6 mend: `defaultCleaners.slice(0, 4)` is strict about the JSON
 * itself, `[]` about everything. Source: `ResponseTextCleaner` and its implementations in spring-ai-model.
 */
export const defaultCleaners: readonly TextCleaner[] = [
  trimWhiteSpace,
  removeThinking,
  unwrapFence,
  extractJson,
  straightenQuotes,
  removeTrailingCommas,
];

/** What is cleaned off an answer that is not JSON. */
export const plainTextCleaners: readonly TextCleaner[] = [trimWhiteSpace, removeThinking, unwrapFence, trimWhiteSpace];

export function clean(text: string, cleaners: readonly TextCleaner[]): string {
  return cleaners.reduce((cleaned, cleaner) => cleaner(cleaned), text);
}
