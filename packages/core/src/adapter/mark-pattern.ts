/** What may stand in a mark and is not seen: control characters, and those that are left out when a text is drawn. */
const UNSEEN = String.raw`\p{Cc}\p{Default_Ignorable_Code_Point}`;

/**
 * Finds the `<` of what could open or close a block of one of these names in a text that is put into a prompt: in any case, with white
 * space, and with characters in between that nobody sees. Takes time that grows with the text and not with its square.
 *
 * @example
 * ```ts
 * 'See </ Query >.'.replace(markPattern(['query']), '&lt;'); // 'See &lt;/ Query >.'
 * ```
 */
export function markPattern(names: readonly string[], opening: string = '<'): RegExp {
  const gap = String.raw`[\s${UNSEEN}]*`;
  const words = names.map((name) => [...name].join(`[${UNSEEN}]*`)).join('|');
  // One gap in front of the slash and one behind it only where there is a slash: two in a row would be tried in every division.
  return new RegExp(`${opening}(?=${gap}(?:/${gap})?(?:${words})(?![\\w-]))`, 'giu');
}
