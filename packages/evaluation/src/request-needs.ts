import type { Document } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { EvaluationRequest } from './evaluator.js';

/** The text of a field that is needed and not blank. */
export function requireText(request: EvaluationRequest, field: 'userText' | 'reference', evaluator: string): string {
  const text = request[field];
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw invalidArgument(field, `${evaluator} needs it: give a text that is not blank`);
}

/** A client does not know what its advisors found, so `pipelineResult` has to be told. */
export const DOCUMENTS_FIX =
  'give the documents, or [] when nothing was found; pipelineResult(response, { documents }) hands them on';

/** Documents that have a text, in their order. None at all is an answer too, and may be given. */
export function requireDocuments(request: EvaluationRequest, evaluator: string): readonly TextDocument[] {
  if (!Array.isArray(request.documents)) {
    throw invalidArgument('documents', `${evaluator} needs what was retrieved: ${DOCUMENTS_FIX}`);
  }
  return request.documents.filter(hasText);
}

export function requireResponse({ response }: EvaluationRequest): string {
  if (typeof response === 'string') return response;
  throw invalidArgument('response', "must be the text that is to be judged; '' when there was none");
}

export type TextDocument = Document & { readonly text: string };

function hasText(document: Document): document is TextDocument {
  return document.text !== undefined && document.text.trim() !== '';
}

/** A share from which on a score passes. */
export function passMark(passAt: number | undefined, standard: number): number {
  if (passAt === undefined) return standard;
  if (typeof passAt === 'number' && passAt > 0 && passAt <= 1) return passAt;
  throw invalidArgument('passAt', 'must be a number above 0, at most 1');
}

/** A whole number of at least 1. */
export function countOf(value: number | undefined, standard: number, subject: string): number {
  if (value === undefined) return standard;
  if (Number.isInteger(value) && value >= 1) return value;
  throw invalidArgument(subject, 'must be a whole number, at least 1');
}
