import { invalidArgument } from '@vernal/core';

/** @throws VernalError `invalid_argument` for what is no whole number, or below `least` */
export function requireWhole(subject: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw invalidArgument(subject, `must be a whole number, at least ${least}`);
}
