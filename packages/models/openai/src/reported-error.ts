import { isRecord, type JsonRecord } from '@vernal/core';
import { textOf } from './answer-reading.js';

/** An error that stands in an answer of status 200, in the shape of the SDK's errors. */
export class ReportedError extends Error {
  readonly error: JsonRecord;
  readonly code: unknown;
  readonly type: unknown;
  readonly param: unknown;
  readonly requestID: string | undefined;

  constructor(error: JsonRecord, requestId: string | undefined) {
    super(textOf(error['message']) ?? '');
    this.error = error;
    this.code = error['code'];
    this.type = error['type'];
    this.param = error['param'];
    this.requestID = requestId;
  }
}

/** What an answer or a chunk says went wrong: in `error`, an object or only its words, or in itself when it calls itself one. */
export function reportedError(answer: JsonRecord): JsonRecord | undefined {
  const { error } = answer;
  if (isRecord(error)) return error;
  if (textOf(error) !== undefined) return { message: error, type: answer['error_type'] };
  return answer['object'] === 'error' ? answer : undefined;
}
