import type { JsonValue } from '@vernal/core';
import { defaultCleaners } from '@vernal/core';

/** Thoughts and code fences are no part of an answer. These cleaners only cut. */
const TEXT_CLEANERS = defaultCleaners.slice(0, 3);

/** An answer without what models put around it. */
export function answerText(answer: string): string {
  return TEXT_CLEANERS.reduce((text, cleaner) => cleaner(text), answer).trim();
}

/** The JSON in an answer, mended where that is safe; undefined where there is none. */
export function answerJson(answer: string): JsonValue | undefined {
  try {
    return JSON.parse(defaultCleaners.reduce((text, cleaner) => cleaner(text), answer)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The list under a name, or the value itself where that is a list already. */
export function answerList(answer: string, name: string): readonly JsonValue[] | undefined {
  const value = answerJson(answer);
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const named: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  return Array.isArray(named) ? (named as readonly JsonValue[]) : undefined;
}
