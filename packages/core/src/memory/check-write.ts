import { invalidArgument } from '../errors/invalid-argument.js';
import type { Message } from '../messages/message.js';
import type { FindMessagesOptions, WriteOptions } from './chat-memory-repository.js';

const WRITE_OPTIONS: readonly string[] = ['expectedSequence', 'signal'];

/**
 * Refuses what is no write: messages that are no list, and options that are none. A misspelt `expectedSequence` would switch the guard
 * against other writers off in silence. Every repository asks it first.
 *
 * @throws VernalError `invalid_argument`
 */
export function checkWrite(messages: readonly Message[], options: WriteOptions = {}): void {
  if (!Array.isArray(messages)) throw invalidArgument('messages', 'must be a list of messages');
  checkOptions(options);
  for (const name of Object.keys(options))
    if (!WRITE_OPTIONS.includes(name))
      throw invalidArgument(name.slice(0, 80), `is no option of a write; there are ${WRITE_OPTIONS.join(' and ')}`);
  const { expectedSequence } = options;
  if (expectedSequence !== undefined && !(Number.isSafeInteger(expectedSequence) && expectedSequence >= 0))
    throw invalidArgument('expectedSequence', 'must be a sequence: a whole number, at least 0');
}

/** Throws `invalid_argument` for options of a read that are no object, or a `last` or `before` that is no number. */
export function checkFind(options: FindMessagesOptions = {}): void {
  checkOptions(options);
  const { last, before } = options;
  if (last !== undefined && !(typeof last === 'number' && last >= 0))
    throw invalidArgument('last', 'must be a number of at least 0');
  if (before !== undefined && (typeof before !== 'number' || Number.isNaN(before)))
    throw invalidArgument('before', 'must be a sequence: a number');
}

function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', 'must be an object');
}
