import { isRecord, type JsonRecord } from '@vernal/core';
import { reportedCount } from '@vernal/core/adapter';

// What has another shape than it must have is a TypeError without its value: `readAnswer` makes an error of the model of it.

/** An object; a list is none. */
export function fieldsOf(value: unknown): JsonRecord {
  if (isRecord(value)) return value;
  throw new TypeError('an object was expected');
}

/** A list; left out or null is an empty one. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError('a list was expected');
}

/** A text; left out or null is ''. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new TypeError('a text was expected');
}

/** A text that nothing depends on: what is none counts as not said. */
export function reportedText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Milliseconds of a duration in nanoseconds; what is none counts as not said. */
export function reportedMs(nanoseconds: unknown): number | undefined {
  const count = reportedCount(nanoseconds);
  return count === undefined ? undefined : count / 1_000_000;
}

/** Members that are undefined left out. */
export function defined<T extends object>(values: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };
}
