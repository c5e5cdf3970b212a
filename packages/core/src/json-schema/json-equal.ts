import { hasMember, isRecord, memberNames } from './keyword.js';

/** Equality of JSON values: numbers by value, members in any order. Iterative, so depth cannot exhaust the stack. */
export function jsonEqual(left: unknown, right: unknown): boolean {
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

/** Indexes of the first two equal items; undefined when all differ. */
export function equalItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>();
  const buckets = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null) {
      const earlier = scalars.get(item);
      if (earlier !== undefined) return [earlier, index];
      scalars.set(item, index);
      continue;
    }
    const print = fingerprint(item, 4);
    const bucket = buckets.get(print);
    if (bucket === undefined) {
      buckets.set(print, [index]);
      continue;
    }
    for (const earlier of bucket) if (jsonEqual(items[earlier], item)) return [earlier, index];
    bucket.push(index);
  }
  return undefined;
}

/** Equal for equal values; a few levels are enough to keep the buckets small. */
function fingerprint(value: unknown, levels: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (levels === 0) return '?';
  if (Array.isArray(value)) return `[${value.map((item) => fingerprint(item, levels - 1)).join()}]`;
  if (!isRecord(value)) return typeof value;
  const members = [...memberNames(value)].sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${fingerprint(value[key], levels - 1)}`).join()}}`;
}
