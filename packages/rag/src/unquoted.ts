const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
  ['『', '』'],
  ['**', '**'],
  ['<query>', '</query>'],
];

/** Takes off what models put around a whole answer: a pair of quotes, emphasis, the marks of the prompt. '' when nothing is left. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  for (const [open, close] of PAIRS) {
    const isAround =
      trimmed.length >= open.length + close.length && trimmed.startsWith(open) && trimmed.endsWith(close);
    if (!isAround) continue;
    const inner = trimmed.slice(open.length, -close.length);
    // "a" or "b" begins and ends with a quote, but not with one pair.
    if (!inner.includes(open) && !inner.includes(close)) return unquoted(inner);
  }
  return trimmed;
}
