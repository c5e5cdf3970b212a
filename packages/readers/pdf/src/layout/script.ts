/** Han, kana, bopomofo, full-width forms and their punctuation: written without spaces, and broken anywhere. Hangul has spaces. */
const UNSPACED =
  /[\u2e80-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff9f\uffe0-\uffef\u{20000}-\u{323af}]/u;
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;
const SPACES_BETWEEN = new RegExp(`(?<=${UNSPACED.source}) (?=${UNSPACED.source})`, 'gu');

/** Before the first of them: most text is told by a number. */
const FIRST_UNSPACED = 0x2e80;

export function endsUnspaced(text: string): boolean {
  return text.charCodeAt(text.length - 1) >= FIRST_UNSPACED && UNSPACED.test(lastCharacter(text));
}

export function startsUnspaced(text: string): boolean {
  const first = text.codePointAt(0) ?? 0;
  return first >= FIRST_UNSPACED && UNSPACED.test(String.fromCodePoint(first));
}

/** Wide letters are set apart to fill a line; that is no space. */
export function closeUnspaced(text: string): string {
  return UNSPACED.test(text) ? text.replace(SPACES_BETWEEN, '') : text;
}

/** Columns of a terminal: letters of the scripts above take two. */
export function widthInColumns(text: string): number {
  if (!UNSPACED.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += UNSPACED.test(character) ? 2 : 1;
  return columns;
}

export function rtlLetters(text: string): number {
  return text.match(RTL)?.length ?? 0;
}

function lastCharacter(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(-2) : text.slice(-1);
}
