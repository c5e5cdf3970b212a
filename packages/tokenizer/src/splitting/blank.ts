/** True for what `\s` matches: white space, line ends, the byte order mark. */
export function isBlank(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  if (unit < 0x1680) return unit === 0xa0;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}

/** The first index from `start` on that is not blank, or `end`. */
export function skipBlank(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The end of `text[start..end)` without the blanks at its end. */
export function trimBlank(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** True when there is nothing to read: only blanks, zero-width spaces and word joiners. */
export function isInvisible(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (!isBlank(unit) && unit !== 0x200b && unit !== 0x2060) return false;
  }
  return true;
}
