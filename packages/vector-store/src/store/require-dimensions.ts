import { VernalError } from '@vernal/core';

/**
 * Refuses a vector of another length than those that a store holds, before the engine sees it: several cut it, fill it up, or keep it and
 * never find it, without a word. `held` undefined: nothing is there yet, or the engine says so itself.
 *
 * @throws VernalError the given code, subject 'dimensions'
 */
export function requireDimensions(code: 'store_read' | 'store_write', given: number, held: number | undefined): void {
  if (held === undefined || held === given) return;
  throw new VernalError(
    `The store holds vectors of ${held} dimensions and was given one of ${given}: use the model it was filled with, or ingest the documents again into a new store`,
    { code, subject: 'dimensions', details: { given, held } },
  );
}
