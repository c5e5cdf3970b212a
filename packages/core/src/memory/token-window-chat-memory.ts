import type { TokenCountEstimator } from '../embedding/batching-strategy.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import type { Message } from '../messages/message.js';
import { HiddenMemory } from './hidden-memory.js';
import { messageTokenCounter } from './message-tokens.js';
import type { WindowOptions } from './message-window-chat-memory.js';
import { windowMemory } from './window-memory.js';

/**
 * A window by tokens instead of messages; in everything else as `MessageWindowChatMemory`. The system message counts, and always
 * stays. Text, reasoning, tool calls and answers are counted, each message once; media are not. Throws `missing_conversation_id` for a
 * blank id.
 *
 * @example
 * const memory = new TokenWindowChatMemory({ maxTokens: 4_000, estimator: { count: (text) => Math.ceil(text.length / 4) } });
 */
export class TokenWindowChatMemory extends HiddenMemory {
  /** `maxTokens` > 0. */
  constructor(options: WindowOptions & { readonly maxTokens: number; readonly estimator: TokenCountEstimator }) {
    const { maxTokens, estimator } = options;
    if (!(maxTokens > 0)) throw invalidArgument('maxTokens', 'must be a number greater than 0');
    if (typeof estimator?.count !== 'function') throw invalidArgument('estimator', 'must have a method count(text)');
    const cost = messageTokenCounter(estimator);
    const measure = {
      firstRead: 32,
      cost,
      budget: (system: Message | undefined) => (system === undefined ? maxTokens : maxTokens - cost(system)),
    };
    super(windowMemory(options, measure));
  }
}
