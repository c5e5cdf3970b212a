const UNSTORABLE = /\0|\p{Surrogate}/u;
const UNSTORABLE_ONES = new RegExp(UNSTORABLE, 'gu');
const ESCAPED = 'json:';

/**
 * Text as engines take it that refuse U+0000 or half a surrogate pair; most texts stay as they are. `restoredText` gives it back.
 */
export function storableText(text: string): string {
  return UNSTORABLE.test(text) || text.startsWith(ESCAPED) ? ESCAPED + escaped(text) : text;
}

/** What `storableText` was given. */
export function restoredText(stored: string): string {
  return stored.startsWith(ESCAPED) ? String(JSON.parse(stored.slice(ESCAPED.length))) : stored;
}

/** Text for people who search: what engines refuse is U+FFFD in it. */
export function readableText(text: string): string {
  return text.replace(UNSTORABLE_ONES, '\uFFFD');
}

/** JSON escapes both: no character that engines refuse is left. */
function escaped(text: string): string {
  return JSON.stringify(text);
}
