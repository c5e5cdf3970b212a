/** PostgreSQL cuts longer names in silence, and two names could become one. */
const LONGEST = 63;

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** A text in a statement that takes no parameters. */
export function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** `base` and `suffix`; of a long base its beginning and a number that tells it from others. */
export function derivedName(base: string, suffix: string): string {
  if (bytes(base + suffix) <= LONGEST) return base + suffix;
  let hash = 0x811c9dc5;
  for (let i = 0; i < base.length; i++) hash = Math.imul(hash ^ base.charCodeAt(i), 0x01000193);
  const end = `_${(hash >>> 0).toString(16)}${suffix}`;
  let start = '';
  for (const character of base) {
    if (bytes(start + character + end) > LONGEST) break;
    start += character;
  }
  return start + end;
}
