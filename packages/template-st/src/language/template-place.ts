/** Line and column of an offset, both from 1. */
export function placeOf(template: string, at: number): { readonly line: number; readonly column: number } {
  const before = template.slice(0, at).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
