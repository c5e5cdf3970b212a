import { jsonEquals } from '../json/json-equals.js';
import { isRecord, memberNames } from '../json/json-record.js';
import { jsonSteps, textSteps } from './steps.js';

/** Indexes of the first two equal items; undefined when all differ, or when `spend` says that it takes too long. */
export function equalItems(
  items: readonly unknown[],
  spend: (steps: number) => boolean,
): readonly [number, number] | undefined {
  const scalars = new Map<unknown, number>();
  const buckets = new Map<string, { readonly index: number; readonly steps: number }[]>();
  for (const [index, item] of items.entries()) {
    if (typeof item !== 'object' || item === null) {
      const earlier = scalars.get(item);
      if (earlier !== undefined) return [earlier, index];
      scalars.set(item, index);
      continue;
    }
    const print = fingerprint(item, 4);
    const steps = jsonSteps(item);
    if (!spend(steps + textSteps(print))) return undefined;
    const bucket = buckets.get(print);
    if (bucket === undefined) {
      buckets.set(print, [{ index, steps }]);
      continue;
    }
    for (const earlier of bucket) {
      if (!spend(Math.min(steps, earlier.steps))) return undefined;
      if (jsonEquals(items[earlier.index], item)) return [earlier.index, index];
    }
    bucket.push({ index, steps });
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
