/**
 * What begins at a position of a text that should hold JSON.
 * `value`: a whole value, `end` just behind it. `broken`: it began as JSON and went wrong at `at`, so no part of it is an answer either;
 * `end` is behind its closing bracket, or the end of the text when nothing closes it. `prose`: no JSON, look on from `end`.
 */
export type JsonLike =
  | { readonly kind: 'value'; readonly end: number }
  | { readonly kind: 'broken'; readonly end: number; readonly at: number }
  | { readonly kind: 'prose'; readonly end: number };

/** What a cleaner may want to mend, in order of appearance. */
export interface JsonLikeVisitor {
  /** A comma with nothing but white space between it and a closing bracket. */
  trailingComma?(at: number): void;
  /** A string between typographic quotes; both positions are those of the quotes. */
  typographicString?(open: number, close: number): void;
}

/** White space before `start` is not skipped. */
export type JsonLikeWalker = (start: number, visitor?: JsonLikeVisitor) => JsonLike;

/** All that a walk can be waiting for between two tokens. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma';

const WHITE = /[\s\uFEFF]*/y;
const SCALAR =
  /[+-]?(?:\.?[0-9][0-9A-Za-z.+-]*|Infinity|NaN)|(?:true|false|null|undefined|None|True|False)(?![\p{L}\p{N}_])/uy;
const TYPOGRAPHIC_OPEN = '\u201C\u201D\u201E\u201F\uFF02';
const TYPOGRAPHIC_CLOSE = /[\u201C\u201D\u201F\uFF02](?=[\s\uFEFF]*(?:[,:}\]]|$))/g;

/**
 * Walks JSON that may be slightly off: a comma before a closing bracket, typographic quotes around strings, words such as NaN where a
 * number belongs. Cleaners use it to know where a value begins and ends and what lies inside strings, so that they leave strings alone.
 * One walker a text: it remembers what it searched, so that all walks of a text together stay linear.
 */
export function jsonLikeWalker(text: string): JsonLikeWalker {
  let searchedFrom = -1;
  let closeFound = -1;
  let neverBalanced = false;

  function typographicClose(from: number): number {
    if (searchedFrom === -1 || from < searchedFrom || (closeFound !== -1 && from > closeFound)) {
      TYPOGRAPHIC_CLOSE.lastIndex = from;
      searchedFrom = from;
      closeFound = TYPOGRAPHIC_CLOSE.exec(text)?.index ?? -1;
    }
    return closeFound;
  }

  function stringEnd(at: number, visitor: JsonLikeVisitor | undefined): number {
    const quote = text[at];
    if (quote === '"') return plainStringEnd(text, at);
    if (quote === undefined || !TYPOGRAPHIC_OPEN.includes(quote)) return -1;
    const close = typographicClose(at + 1);
    if (close === -1) return -1;
    visitor?.typographicString?.(at, close);
    return close + 1;
  }

  function scalarEnd(at: number, visitor: JsonLikeVisitor | undefined): number {
    const end = stringEnd(at, visitor);
    if (end !== -1) return end;
    SCALAR.lastIndex = at;
    return SCALAR.test(text) ? SCALAR.lastIndex : -1;
  }

  function broken(start: number, at: number): JsonLike {
    const end = neverBalanced ? -1 : balancedEnd(text, start);
    neverBalanced ||= end === -1;
    return { kind: 'broken', end: end === -1 ? text.length : end, at };
  }

  function structure(start: number, visitor: JsonLikeVisitor | undefined): JsonLike {
    const closers: string[] = [];
    let expected: Expected = 'value';
    let commaAt = -1;
    // Prose has brackets too. It is JSON gone wrong, and not prose, once a key with its colon or a nested element was seen.
    let committed = false;
    let at = start;
    for (;;) {
      at = skipWhite(text, at);
      const char = text[at];
      if (char !== undefined && char === closers.at(-1) && mayClose(expected, commaAt)) {
        if (commaAt !== -1) visitor?.trailingComma?.(commaAt);
        closers.pop();
        if (closers.length === 0) return { kind: 'value', end: at + 1 };
        expected = 'comma';
        commaAt = -1;
        at++;
        continue;
      }
      const wantsValue = expected === 'value' || expected === 'value or ]';
      if (wantsValue && (char === '{' || char === '[')) {
        committed ||= closers.length > 0;
        closers.push(char === '{' ? '}' : ']');
        expected = char === '{' ? 'key or }' : 'value or ]';
        commaAt = -1;
        at++;
      } else if (expected === 'comma' && char === ',') {
        expected = closers.at(-1) === '}' ? 'key' : 'value';
        commaAt = at;
        at++;
      } else if (expected === 'colon' && char === ':') {
        committed = true;
        expected = 'value';
        at++;
      } else {
        const wantsKey: boolean = expected === 'key' || expected === 'key or }';
        const end: number = wantsValue ? scalarEnd(at, visitor) : wantsKey ? stringEnd(at, visitor) : -1;
        if (end === -1) return committed ? broken(start, at) : { kind: 'prose', end: Math.max(at, start + 1) };
        expected = wantsKey ? 'colon' : 'comma';
        commaAt = -1;
        at = end;
      }
    }
  }

  return (start, visitor) => {
    if (text[start] === '{' || text[start] === '[') return structure(start, visitor);
    const end = scalarEnd(start, visitor);
    return end === -1 ? { kind: 'prose', end: start + 1 } : { kind: 'value', end };
  };
}

export function skipWhite(text: string, at: number): number {
  WHITE.lastIndex = at;
  WHITE.test(text);
  return WHITE.lastIndex;
}

/** True when the text from `from` on is one value and white space. */
export function isOneValue(text: string, walk: JsonLikeWalker, from = 0, visitor?: JsonLikeVisitor): boolean {
  const start = skipWhite(text, from);
  if (start >= text.length) return false;
  const found = walk(start, visitor);
  return found.kind === 'value' && skipWhite(text, found.end) >= text.length;
}

/** `[,]` and `[1,,2]` hold no trailing comma: a bracket closes behind an element, or behind the one comma that follows it. */
function mayClose(expected: Expected, commaAt: number): boolean {
  if (expected === 'comma' || expected === 'key or }' || expected === 'value or ]') return true;
  return commaAt !== -1 && expected !== 'colon';
}

/** Behind the closing quote of the string that opens at `at`; -1 when it is never closed. */
export function plainStringEnd(text: string, at: number): number {
  for (let close = text.indexOf('"', at + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text[close - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return close + 1;
  }
  return -1;
}

/** Behind the bracket that closes the one at `start`, strings passed over; -1 when none does. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = plainStringEnd(text, at) - 1;
      if (at < 0) return -1;
    } else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return -1;
}
