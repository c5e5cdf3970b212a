import type { ChatResponse } from './chat-response.js';

/**
 * The one accumulator. Text and reasoning are deltas and are appended; tool call deltas are joined; generations are kept apart by
 * `index`; media are appended; metadata merges, later wins; of usage the last defined value of each counter wins.
 * A folded response folds to itself. An error of the source is thrown; nothing is swallowed.
 */
export declare function fold(chunks: AsyncIterable<ChatResponse> | Iterable<ChatResponse>): Promise<ChatResponse>;

/** Passes chunks through untouched; `onDone` gets the folded response once, at the end, and is not called on error or when the loop is left. */
export declare function foldTap(
  chunks: AsyncIterable<ChatResponse>,
  onDone: (response: ChatResponse) => void | Promise<void>,
): AsyncIterable<ChatResponse>;
