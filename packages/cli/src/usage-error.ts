import { VernalError } from '@vernal/core';

/** The command line, or what it names, is wrong: exit code 2. */
export function usageError(message: string, subject?: string): VernalError {
  return new VernalError(message, { code: 'usage', subject });
}
