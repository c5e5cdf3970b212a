import { VernalError } from '../errors/vernal-error.js';

/** What a log may say of an error: its code or name, never its message, which may quote a conversation. */
export function errorLabel(error: unknown): string {
  if (VernalError.is(error)) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
