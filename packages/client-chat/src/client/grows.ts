/** True when `after` is `before` or more of it: text goes on, lists and objects keep what they have. */
export function grows(before: unknown, after: unknown): boolean {
  if (before === undefined || Object.is(before, after)) return true;
  if (typeof before === 'string') return typeof after === 'string' && after.startsWith(before);
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return false;
  if (Array.isArray(before) !== Array.isArray(after)) return false;
  return Object.keys(before).every(
    (key) => Object.hasOwn(after, key) && grows(Reflect.get(before, key), Reflect.get(after, key)),
  );
}

/** Equal plain data. */
export function same(before: unknown, after: unknown): boolean {
  return grows(before, after) && grows(after, before);
}
