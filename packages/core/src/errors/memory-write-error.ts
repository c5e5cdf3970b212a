import type { Message } from '../messages/message.js';
import type { ChatResponse } from '../responses/chat-response.js';
import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs what was to be stored, and the answer that it belongs to; the code may be left out. */
export interface MemoryWriteErrorOptions extends CodedErrorOptions {
  readonly conversationId: string;
  readonly messages: readonly Message[];
  readonly chatResponse?: ChatResponse | undefined;
}

/**
 * The model has answered, and the memory has not taken the turn. The answer is not lost: it is in `chatResponse`, and `messages` are what
 * `ChatMemory.add` is to be given again. Whether they have landed all the same is not known when a connection broke. Default code
 * `store_write`.
 *
 * @example
 * try {
 *   return await client.prompt(question).conversation(id).call().chatResponse();
 * } catch (error) {
 *   if (!MemoryWriteError.is(error)) throw error;
 *   void later(() => chatMemory.add(error.conversationId, error.messages));
 *   return error.chatResponse;
 * }
 */
export class MemoryWriteError extends VernalError {
  /** Whose turn it is. */
  declare readonly conversationId: string;
  /** The turn: what was asked, the rounds of tools, the answer. */
  declare readonly messages: readonly Message[];
  /** The answer. */
  declare readonly chatResponse?: ChatResponse;

  constructor(message: string, options: MemoryWriteErrorOptions) {
    super(message, { ...options, code: options.code ?? 'store_write' });
    brandError(this, 'MemoryWriteError');
    // Not enumerable: a log that writes the error out must not write the conversation.
    for (const name of ['conversationId', 'messages', 'chatResponse'] as const)
      Object.defineProperty(this, name, { value: options[name], enumerable: false });
  }

  static override is(value: unknown): value is MemoryWriteError {
    return hasErrorBrand(value, 'MemoryWriteError');
  }
}
