import type { Document } from '@vernal/core';
import { VernalError } from '@vernal/core';

/** Parts of untyped callers forget to return. */
export function checkedList<T>(given: readonly T[] | undefined, subject: string): readonly T[] {
  if (Array.isArray(given)) return given;
  throw new VernalError(`${subject} gave no list: it has to return an array, empty when there is nothing`, {
    code: 'invalid_state',
    subject,
  });
}

/** What another library or a service calls a document would be taken for one without text, and left out in silence. */
export function checkedDocuments(given: readonly Document[] | undefined, subject: string): readonly Document[] {
  const documents = checkedList(given, subject);
  if (documents.every(isDocument)) return documents;
  throw new VernalError(`${subject} gave what is no document: make each with document(text, metadata)`, {
    code: 'invalid_state',
    subject,
  });
}

function isDocument(given: Document | undefined): boolean {
  if (typeof given?.id !== 'string' || typeof given.metadata !== 'object' || given.metadata === null) return false;
  return given.text === undefined ? given.media !== undefined : typeof given.text === 'string';
}
