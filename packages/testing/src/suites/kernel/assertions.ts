import { VernalError } from '@vernal/core';

/** What a failed check of a suite throws. */
export class SuiteFailure extends Error {
  override readonly name: string = 'SuiteFailure';
}

const LONGEST = 400;

/** A value as a message shows it. */
export function show(value: unknown): string {
  let text: string | undefined;
  if (value instanceof Error)
    text = `${value.name}: ${value.message}${VernalError.is(value) ? ` (${value.code})` : ''}`;
  else {
    try {
      text = JSON.stringify(value, (_, member) =>
        ArrayBuffer.isView(member) ? Array.from(new Uint8Array(member.buffer)) : member,
      );
    } catch {
      text = undefined;
    }
  }
  const shown = text ?? String(value);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}

/** Equal by value: the order of keys does not count, typed arrays compare by element, undefined members are absent. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    if (!isTyped(a) || !isTyped(b) || a.length !== b.length) return false;
    return Array.from(a).every((value, index) => Object.is(value, b[index]));
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(b).filter(([, value]) => value !== undefined));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)));
}

function isTyped(value: object): value is Float32Array | Uint8Array {
  return value instanceof Float32Array || value instanceof Uint8Array;
}

/** Fails unless `condition`. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new SuiteFailure(message);
}

export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  if (!sameValue(actual, expected)) throw new SuiteFailure(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** The value, which must be there. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new SuiteFailure(`${what} is missing`);
  return value;
}

/** What `run` throws or rejects with. Fails when it does neither. */
export async function rejection(run: () => unknown, what: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await run();
  } catch (error) {
    return error;
  }
  throw new SuiteFailure(`${what} must fail, and gave ${show(value)}`);
}

/** The typed error that `run` fails with, whose code must be one of `codes`. */
export async function rejectsWith(
  run: () => unknown,
  codes: readonly string[] | string,
  what: string,
): Promise<VernalError> {
  const error = await rejection(run, what);
  return checkCode(error, codes, what);
}

export function checkCode(error: unknown, codes: readonly string[] | string, what: string): VernalError {
  const wanted = typeof codes === 'string' ? [codes] : codes;
  if (VernalError.is(error) && wanted.includes(error.code)) return error;
  throw new SuiteFailure(`${what}: expected a VernalError with code ${wanted.join(' or ')}, got ${show(error)}`);
}
