/** 'strict' is JSON as `JSON.parse` reads it; 'lenient' forgives what models get wrong and a reader can only mean one way. */
export type JsonMode = 'strict' | 'lenient';

/** A string, number or literal. `cut`: the text ended inside it. `broken`: at `end` stands something that cannot be there. */
export interface Scalar<T = unknown> {
  readonly value: T;
  readonly state: 'whole' | 'cut' | 'broken';
  readonly end: number;
}

export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The string that opens at `start`, as far as it goes. */
export function readString(text: string, start: number, mode: JsonMode): Scalar<string> {
  const special = mode === 'strict' ? /["\\]|[^ -\uffff]/g : /["\\]/g;
  let value = '';
  let from = start + 1;
  for (;;) {
    special.lastIndex = from;
    const at = special.exec(text)?.index ?? text.length;
    value += text.slice(from, at);
    const char = text[at];
    if (char === '"') return { value, state: 'whole', end: at + 1 };
    if (char !== '\\') return { value: withoutHalfPair(value), state: char === undefined ? 'cut' : 'broken', end: at };
    const escaped = readEscape(text, at);
    if (typeof escaped === 'string') return { value: withoutHalfPair(value), state: escaped, end: at };
    value += escaped.text;
    from = escaped.end;
  }
}

function readEscape(text: string, at: number): { readonly text: string; readonly end: number } | 'cut' | 'broken' {
  const letter = text[at + 1];
  if (letter === undefined) return 'cut';
  const simple = ESCAPES[letter];
  if (simple !== undefined) return { text: simple, end: at + 2 };
  const digits = text.slice(at + 2, at + 6);
  if (letter !== 'u' || !/^[0-9a-fA-F]*$/.test(digits)) return 'broken';
  if (digits.length < 4) return 'cut';
  return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
}

/** The other half may be next; alone it would be shown as another character. */
export function withoutHalfPair(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
