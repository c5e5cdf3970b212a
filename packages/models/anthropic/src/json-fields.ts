import { invalidArgument, type JsonObject } from '@vernal/core';

/** An object of an answer. What is none is an error, which `readAnswer` makes one about the provider. */
export function fieldsOf(value: unknown, subject: string): JsonObject {
  if (isFields(value)) return value;
  throw invalidArgument(subject, 'must be an object');
}

/** For what may be left out: anything but an object holds nothing. */
export function isFields(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown, subject: string): string {
  if (typeof value === 'string') return value;
  throw invalidArgument(subject, 'must be text');
}

/** '' when it is left out or null. */
export function textOrNone(value: unknown, subject: string): string {
  return value === undefined || value === null ? '' : textOf(value, subject);
}

/** For what an answer is worth having without. */
export function textIfAny(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
