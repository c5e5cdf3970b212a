const SURROGATES = 0xd800;
const BEHIND_SURROGATES = 0xe000;

/**
 * Texts by Unicode code points, which is the order of their UTF-8 bytes and so that of every engine. JavaScript's own `<` goes by UTF-16
 * units, where characters beyond U+FFFF come before those from U+E000 on. Below 0, 0 or above 0.
 */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const two = right.charCodeAt(at);
    if (one !== two) return rank(one) - rank(two);
  }
  return left.length - right.length;
}

/** Halves of characters beyond U+FFFF go behind all other units. */
function rank(unit: number): number {
  if (unit < SURROGATES) return unit;
  return unit < BEHIND_SURROGATES ? unit + 0x2000 : unit - 0x800;
}
