/** A text without what does not count: case, white space, and how Unicode composes it. */
export function plainText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
