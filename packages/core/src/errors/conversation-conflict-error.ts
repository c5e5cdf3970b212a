import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs the conversation and both of its sequences; the code may be left out. */
export interface ConversationConflictErrorOptions extends CodedErrorOptions {
  readonly conversationId: string;
  readonly expectedSequence: number;
  readonly actualSequence: number;
}

/**
 * `sequence` was not what the writer expected: someone else wrote in between. Read again and retry.
 * Default code `conversation_conflict`. Not `retryable`: the same call, unchanged, fails again.
 */
export class ConversationConflictError extends VernalError {
  /** The conversation that was not written to. */
  declare readonly conversationId: string;
  /** What the writer took the last sequence to be. */
  declare readonly expectedSequence: number;
  /** What it was when the write arrived. */
  declare readonly actualSequence: number;

  constructor(message: string, options: ConversationConflictErrorOptions) {
    super(message, { ...options, code: options.code ?? 'conversation_conflict' });
    brandError(this, 'ConversationConflictError');
    this.conversationId = options.conversationId;
    this.expectedSequence = options.expectedSequence;
    this.actualSequence = options.actualSequence;
  }

  /** The error of a write that expected another sequence; repositories throw it, so that all say the same. */
  static between(conversationId: string, expectedSequence: number, actualSequence: number): ConversationConflictError {
    return new ConversationConflictError(
      `The conversation stands at sequence ${actualSequence}, not at ${expectedSequence}; read it again and retry`,
      { subject: 'expectedSequence', conversationId, expectedSequence, actualSequence },
    );
  }

  static override is(value: unknown): value is ConversationConflictError {
    return hasErrorBrand(value, 'ConversationConflictError');
  }
}
