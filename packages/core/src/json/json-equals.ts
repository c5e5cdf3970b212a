import { hasMember, isRecord, memberNames } from './json-record.js';

/**
 * Equal by value, key order aside. A member that is undefined counts as absent: data written by hand may hold some. Iterative, so that
 * depth cannot exhaust the stack.
 */
export function jsonEquals(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const open: [unknown, unknown][] = [[left, right]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (let index = 0; index < a.length; index++) open.push([a[index], b[index]]);
    } else if (isRecord(a) && isRecord(b)) {
      const keys = memberNames(a);
      if (keys.length !== memberNames(b).length) return false;
      for (const key of keys) {
        if (!hasMember(b, key)) return false;
        open.push([a[key], b[key]]);
      }
    } else return false;
  }
  return true;
}
