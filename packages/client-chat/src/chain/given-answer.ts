import { VernalError } from '@vernal/core';
import type { Advisor } from '../advisors/advisor.js';

/** Untyped advisors forget to return what they were given. */
export function isGiven<T>(given: T | undefined | null): given is T {
  return given !== undefined && given !== null;
}

export function gaveNothing({ name }: Advisor, fix: string): VernalError {
  return new VernalError(`Advisor '${name}' gave nothing back: ${fix}`, { code: 'invalid_state', subject: name });
}

/** What an advisor of somebody else's answered. */
export async function givenAnswer<T>(advisor: Advisor, answer: Promise<T>, fix: string): Promise<T> {
  const given = await answer;
  if (!isGiven(given)) throw gaveNothing(advisor, fix);
  return given;
}
