import { type Needs, needsOf } from './language/free-variables.js';
import type { Delimiters } from './language/scanner.js';
import type { Template } from './language/syntax-tree.js';
import { parseTemplate } from './language/template-parser.js';

/** A template that was read, and what it asks of the outside. */
export interface ParsedTemplate {
  readonly template: Template;
  readonly needs: Needs;
}

/** How many templates a renderer remembers. */
const MAX_PARSED = 500;
/** Longer ones are parsed again: what is remembered stays small. */
const MAX_REMEMBERED_LENGTH = 20_000;

/** A parser that remembers the templates it saw last. */
export function cachedParser(delimiters: Delimiters): (template: string) => ParsedTemplate {
  const parsed = new Map<string, ParsedTemplate>();
  return (text) => {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const template = parseTemplate(text, delimiters);
    const result = { template, needs: needsOf(template) };
    if (text.length <= MAX_REMEMBERED_LENGTH) {
      if (parsed.size >= MAX_PARSED) parsed.delete(parsed.keys().next().value ?? '');
      parsed.set(text, result);
    }
    return result;
  };
}
