/** Equal by value, key order aside. A member that is undefined counts as absent: data written by hand may hold some. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => jsonEquals(item, b[i]));
  }
  if (Array.isArray(b)) return false;
  const left = Object.entries(a).filter(isDefined);
  const right = new Map(Object.entries(b).filter(isDefined));
  return (
    left.length === right.size && left.every(([key, value]) => right.has(key) && jsonEquals(value, right.get(key)))
  );
}

function isDefined(entry: readonly [string, unknown]): boolean {
  return entry[1] !== undefined;
}
