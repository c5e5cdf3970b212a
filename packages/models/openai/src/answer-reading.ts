import { isRecord, type JsonRecord } from '@vernal/core';

// Reads what servers answer. What cannot be read is thrown as a TypeError, which `readAnswer` makes a `ModelError` of.

/** A JSON object. `what` names it for whoever debugs a server. */
export function fieldsOf(value: unknown, what: string): JsonRecord {
  if (!isRecord(value)) throw new TypeError(`${what} is no object`);
  return value;
}

/** A list; what is left out or null is none. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return NONE;
  if (!Array.isArray(value)) throw new TypeError(`${what} is no list`);
  return value;
}

/** A text that says something; anything else counts as not said. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const NONE: readonly unknown[] = Object.freeze([]);
