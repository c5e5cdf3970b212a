import { isOneValue, jsonLikeWalker } from './json-like.js';

/**
 * Typographic quotes around strings become `"`; those inside strings stay, and a `"` inside such a string is escaped.
 * Only for a text that is one JSON value otherwise.
 */
export function straightenQuotes(text: string): string {
  if (!/[\u201C\u201D\u201E\u201F\uFF02]/.test(text)) return text;
  const strings: { readonly open: number; readonly close: number }[] = [];
  const isJson = isOneValue(text, jsonLikeWalker(text), 0, {
    typographicString: (open, close) => strings.push({ open, close }),
  });
  if (!isJson) return text;
  let mended = '';
  let from = 0;
  for (const { open, close } of strings) {
    const content = text.slice(open + 1, close).replace(/\\[\s\S]|"/g, (found) => (found === '"' ? '\\"' : found));
    mended += `${text.slice(from, open)}"${content}"`;
    from = close + 1;
  }
  return mended + text.slice(from);
}

/** Commas before a closing bracket go, one each: `[1,,2]` and `{,}` stay wrong. Only for a text that is one JSON value otherwise. */
export function removeTrailingCommas(text: string): string {
  if (!/,\s*[\]}]/.test(text)) return text;
  const commas: number[] = [];
  if (!isOneValue(text, jsonLikeWalker(text), 0, { trailingComma: (at) => commas.push(at) })) return text;
  let mended = '';
  let from = 0;
  for (const at of commas) {
    mended += text.slice(from, at);
    from = at + 1;
  }
  return mended + text.slice(from);
}
