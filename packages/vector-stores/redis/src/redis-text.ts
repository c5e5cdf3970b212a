/** UTF-8 holds no half surrogates, and the query engine takes a key to end at U+0000: they are written as this character and a code, and so is the character itself. */
const MARK = '\u{F0000}';
const UNSTORABLE = /\0|\u{F0000}|\p{Surrogate}/gu;
const WRITTEN = /\u{F0000}([0-9a-f]{1,5});/gu;

/** Text as the engine can hold it. Nearly every text is that already. */
export function storableText(text: string): string {
  return text.replace(UNSTORABLE, (character) => `${MARK}${character.codePointAt(0)?.toString(16)};`);
}

/** The text that `storableText` was given. */
export function originalText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replace(WRITTEN, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
