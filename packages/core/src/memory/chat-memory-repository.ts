import type { Message } from '../messages/message.js';
import type { SignalOptions } from './chat-memory.js';

/** Which part of a conversation is read. Default all of it. */
export interface FindMessagesOptions extends SignalOptions {
  /** Only the newest `last`. Default all. */
  readonly last?: number | undefined;
  /** Only messages with a smaller sequence: for paging back. */
  readonly before?: number | undefined;
  /** With `last` or `before`: system messages that would fall outside come too. Default false. */
  readonly includeSystem?: boolean | undefined;
}

/** A part of a conversation, with what a writer needs to go on from there. */
export interface ConversationSlice {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** `sequences[i]` is that of `messages[i]`; strictly rising, gaps allowed. */
  readonly sequences: readonly number[];
  /** Of the last message ever appended; 0 for a conversation that never was. */
  readonly sequence: number;
}

/** Guards a write against other writers. */
export interface WriteOptions extends SignalOptions {
  /** Write only if the conversation stands at this sequence; else `ConversationConflictError` and nothing written. */
  readonly expectedSequence?: number | undefined;
}

/** What a trim leaves in place. */
export interface DeleteBeforeOptions extends SignalOptions {
  /** Default false. */
  readonly keepSystem?: boolean | undefined;
}

/**
 * Where messages are kept: as `encodeMessage` writes them, in the order of their sequence, never by time. What goes in comes back
 * equal. Ids are any non-blank strings (`missing_conversation_id`), of any length and script. The suite `describeMemoryRepository` of
 * `@vernal/testing` checks an implementation. Source: `ChatMemoryRepository` of spring-ai-model.
 */
export interface ChatMemoryRepository {
  findConversationIds(options?: SignalOptions): AsyncIterable<string>;
  findByConversationId(conversationId: string, options?: FindMessagesOptions): Promise<ConversationSlice>;
  /** Costs the same for an empty and for a long conversation. All or nothing; appends of two writers do not interleave. */
  append(
    conversationId: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ readonly sequence: number }>;
  /** Deletes messages with a smaller sequence. The sequence of the conversation stays. */
  deleteBefore(conversationId: string, sequence: number, options?: DeleteBeforeOptions): Promise<void>;
  /** Replaces the conversation atomically. Sequences go on rising. */
  saveAll(
    conversationId: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ readonly sequence: number }>;
  /** Unknown ids are no error. */
  deleteByConversationId(conversationId: string, options?: SignalOptions): Promise<void>;
  /** Gives back what the repository itself opened; a client that was handed in stays open. Classes also have `Symbol.asyncDispose`. */
  close?(): Promise<void>;
}
