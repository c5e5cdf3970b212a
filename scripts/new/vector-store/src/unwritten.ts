import { VernalError } from '@vernal/core';

/** Stands where the engine comes in. Delete this file at the end: the compiler then names every place that still needs it. */
export function unwritten(part: string): never {
  throw new VernalError(`${part} is not written yet: see docs/guides/write-a-vector-store.md`, {
    code: 'not_written',
    subject: part,
  });
}
