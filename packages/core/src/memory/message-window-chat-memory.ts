import { invalidArgument } from '../errors/invalid-argument.js';
import type { Logger } from '../logging/logger.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';
import { HiddenMemory } from './hidden-memory.js';
import { windowMemory } from './window-memory.js';

/** Where every windowed memory keeps its messages, and where those go that no longer fit. */
export interface WindowOptions {
  /** Default a new `InMemoryChatMemoryRepository`. */
  readonly repository?: ChatMemoryRepository | undefined;
  /** Keeps everything that the window drops; memory is not history. `clear` does not touch it. */
  readonly transcript?: ChatMemoryRepository | undefined;
  /** Is told when trimming fails. Default silent. */
  readonly logger?: Logger | undefined;
}

/**
 * Appends, reads the newest part plus system messages, trims with `deleteBefore`; never rewrites a conversation. Cuts before a user
 * message, never between a call and its answer, and never into the running turn. A different system message replaces the old ones.
 *
 * `get` gives the system message first, then whole turns, at most `maxMessages`; only a running turn that is longer than that is given
 * whole. A call that was never answered and is not the last thing said is given with an answer that says so; an answer without a call is
 * left out. `add` reads only when the window is full or not known yet; when trimming fails, what was added stays and the logger is told.
 * Throws `missing_conversation_id` for a blank id. Source: `MessageWindowChatMemory` of spring-ai-model.
 *
 * @example
 * const memory = new MessageWindowChatMemory({ maxMessages: 20 });
 * await memory.add('ann-1', userMessage('I am Ann'));
 * const prompt = new Prompt(await memory.get('ann-1'));
 */
export class MessageWindowChatMemory extends HiddenMemory {
  /** `maxMessages` default 20, > 0, system messages not counted. */
  constructor(options: WindowOptions & { readonly maxMessages?: number | undefined } = {}) {
    const maxMessages = checkedMaxMessages(options.maxMessages);
    const measure = { firstRead: maxMessages + 2, cost: () => 1, budget: () => maxMessages };
    super(windowMemory(options, measure));
  }
}

/** Throws `invalid_argument` unless it is a whole number above 0. */
export function checkedMaxMessages(maxMessages: number | undefined): number {
  const max = maxMessages ?? 20;
  if (Number.isSafeInteger(max) && max > 0) return max;
  throw invalidArgument('maxMessages', 'must be a whole number greater than 0');
}
