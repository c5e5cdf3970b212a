import { VernalError } from './vernal-error.js';

/** `sequence` was not what the writer expected: someone else wrote in between. Read again and retry. */
export declare class ConversationConflictError extends VernalError {
  readonly conversationId: string;
  readonly expectedSequence: number;
  readonly actualSequence: number;
  static override is(value: unknown): value is ConversationConflictError;
}
