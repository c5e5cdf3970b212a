const FIRST_PLACEHOLDER = 0x100000;
/** As many as the last private-use plane has characters. */
export const MAX_PLACEHOLDERS = 0xfffe;

/** The character that stands for the value at `index` in the text of a tagged template. */
export function placeholder(index: number): string {
  return String.fromCodePoint(FIRST_PLACEHOLDER + index);
}

export function placeholderIndex(text: string): number {
  return (text.codePointAt(0) ?? 0) - FIRST_PLACEHOLDER;
}

export function holdsPlaceholder(text: string): boolean {
  return /[\u{100000}-\u{10FFFD}]/u.test(text);
}
