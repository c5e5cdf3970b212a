import { jsonEquals } from '../json/json-equals.js';
import { isRecord, memberNames } from '../json/json-record.js';

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
    for (const earlier of bucket) if (jsonEquals(items[earlier], item)) return [earlier, index];
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
