import { type JsonValue, VernalError } from '@vernal/core';

export const DAMAGED = 'Load an earlier copy, or ingest the documents again';

/** `what` is the fault, `fix` what to do about it. */
export function storeRead(
  what: string,
  fix: string,
  cause?: unknown,
  details?: Readonly<Record<string, JsonValue>>,
): VernalError {
  return new VernalError(`The file cannot be loaded: ${what}. ${fix}`, {
    code: 'store_read',
    subject: 'source',
    cause,
    details,
  });
}
