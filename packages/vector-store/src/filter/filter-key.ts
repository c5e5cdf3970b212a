/** Letters of any script; the marks and digits that may follow them are in `NAME_PART`. */
const NAME_START = '[\\p{L}\\p{Nl}_]';
const NAME_PART = '[\\p{L}\\p{Nl}_\\p{M}\\p{Nd}]';
const BARE_KEY = new RegExp(`^${NAME_START}${NAME_PART}*(?:\\.${NAME_START}${NAME_PART}*)*$`, 'u');
const START = new RegExp(`^${NAME_START}$`, 'u');
const PART = new RegExp(`^${NAME_PART}$`, 'u');
const KEYWORD = /^(?:and|or|not|in|nin|is|null|true|false)$/i;

/** Can the key be written without quotes? */
export function isBareKey(key: string): boolean {
  return BARE_KEY.test(key) && !KEYWORD.test(key);
}

const ASCII = /^[\x20-\x7e]*$/;

/** The first character that keeps `name` from being a bare key, with its position in characters. */
export function offendingCharacter(name: string): { readonly character: string; readonly index: number } | undefined {
  // The lexer knows all that there is to know about these.
  if (ASCII.test(name)) return undefined;
  let start = true;
  let index = 0;
  for (const character of name) {
    const allowed = character === '.' ? !start : (start ? START : PART).test(character);
    if (!allowed) return { character, index };
    start = character === '.';
    index++;
  }
  return undefined;
}
