import { unquoted } from './unquoted.js';

/** "1. ", "2)", "(3) ", "- ", "• ": what makes a line one of a list. "3.js" and "1.5 inch" are words. */
const LIST_MARK = /^(?:[-*+•‣–—]\s+|\*{0,2}\(?\d{1,3}[.):、．](?:\*{2})?(?:\s+|(?=[A-Z"'“]|[^\p{ASCII}])))/u;
/** "Query 4: " */
const NAMED_MARK = /^\*{0,2}(?:query|question|variant|version)\s*#?\d{1,3}\s*[.):-]\s*(?:\*{2})?/i;
const ANNOUNCES = /[:：]\s*\**$/;
const IS_SENTENCE = /[.!。！]\s*\**$/;
const GREETS = /^(?:sure|certainly|of course|okay|ok|here (?:are|is)|below)\b/i;

/** Two texts with the same key are one query. */
export function variantKey(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

function withoutListMark(line: string): string {
  for (let text = line; ; ) {
    const rest = text.replace(LIST_MARK, '').replace(NAMED_MARK, '');
    if (rest === text) return rest;
    text = rest.trim();
  }
}

/** Lines of a list when it is one; else all lines but what introduces them. */
function variantLines(answer: string, max: number): readonly string[] {
  const lines = answer
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const marked = lines.filter((line) => LIST_MARK.test(line) || NAMED_MARK.test(line));
  if (marked.length * 2 >= lines.length && marked.length > 0) return marked.map(withoutListMark);
  const plain = lines.map(withoutListMark).filter((line) => !ANNOUNCES.test(line));
  const [first] = plain;
  const isIntroduced = first !== undefined && plain.length > max && (GREETS.test(first) || IS_SENTENCE.test(first));
  return isIntroduced ? plain.slice(1) : plain;
}

/**
 * The queries in a model's answer, up to `max`: of a numbered list, of bullets or of plain lines; without blank lines, quotes, what stands
 * around the list, and duplicates (whatever their case and white space).
 *
 * @param known keys (`variantKey`) that count as duplicates, too
 */
export function queryVariants(answer: string, max: number, known: readonly string[] = []): string[] {
  const seen = new Set(known);
  const variants: string[] = [];
  for (const line of variantLines(answer, max)) {
    const text = unquoted(line.replace(/,$/, ''));
    const key = variantKey(text);
    if (!/[\p{L}\p{N}]/u.test(key) || seen.has(key)) continue;
    seen.add(key);
    variants.push(text);
    if (variants.length === max) break;
  }
  return variants;
}
