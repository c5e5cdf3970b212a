/** A name for a case's own data that every engine takes: letters, digits and '_', at most 40 characters, different each time. */
export function caseName(id: string): string {
  const random = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  return `${id.replaceAll(/[^a-z0-9]+/g, '_').slice(0, 30)}_${random}`;
}
