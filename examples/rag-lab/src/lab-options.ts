import { parseArgs } from 'node:util';
import { invalidArgument } from '@vernal/core';
import type { Half } from './question-set.js';

/** What the command line says. */
export interface LabOptions {
  readonly set: Half;
  /** A folder; always beside `questions`. */
  readonly docs?: string | undefined;
  readonly questions?: string | undefined;
  readonly model?: string | undefined;
  readonly json: boolean;
  readonly record: boolean;
  readonly help: boolean;
}

/** @throws VernalError `invalid_argument` for an option that there is not, or that lacks what belongs to it */
export function labOptions(args: readonly string[]): LabOptions {
  const { set, ...options } = parsed(args);
  if (!isHalf(set)) throw invalidArgument('--set', "must be 'dev', 'test' or 'all'");
  if ((options.docs === undefined) !== (options.questions === undefined)) {
    throw invalidArgument(
      options.docs === undefined ? '--docs' : '--questions',
      'is missing: documents and questions of your own are given together',
    );
  }
  return { ...options, set };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        set: { type: 'string', default: 'test' },
        docs: { type: 'string' },
        questions: { type: 'string' },
        model: { type: 'string' },
        json: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    // Node.js names the option in its first sentence, and says in further ones how to escape it.
    throw invalidArgument('options', error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

function isHalf(text: string): text is Half {
  return text === 'dev' || text === 'test' || text === 'all';
}
