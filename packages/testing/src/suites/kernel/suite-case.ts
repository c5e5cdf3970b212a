import type { Random } from './random.js';

/** One case of a suite. `S` is what it works on, made anew for each case. */
export interface SuiteCase<Id extends string, S> {
  /** Stable: a report of today compares with one of last year. */
  readonly id: Id;
  /** The rule, as a sentence. */
  readonly title: string;
  readonly run: (subject: S, random: Random) => Promise<void>;
}

/** Thrown by a case that does not apply to its subject. */
export class NotDeclared extends Error {
  override readonly name: string = 'NotDeclared';
}

/** Ends a case that asks for what the subject does not declare; reported as 'not-declared'. */
export function notDeclared(reason: string): never {
  throw new NotDeclared(reason);
}
