import { invalidArgument } from '../errors/invalid-argument.js';
import type { ChatModel } from '../model/chat-model.js';
import { PromptTemplate, requirePlaceholders } from '../templates/prompt-template.js';
import { HiddenMemory } from './hidden-memory.js';
import { checkedMaxMessages, type WindowOptions } from './message-window-chat-memory.js';
import { summarizingMemory } from './summarizing-memory.js';
import { SUMMARY_PROMPT } from './summary-prompt.js';

/**
 * Remembers the beginning of a conversation as a summary and the rest as it was said. When there are more than `maxMessages`, a model
 * summarises the older half together with the summary so far; the cut is one that `MessageWindowChatMemory` would make. `get` gives the
 * system message, the summary as a turn of its own (a question and an answer), then the messages.
 *
 * No message is dropped before a summary that covers it is stored: when the model fails, `get` gives all of them, the logger is told and
 * the next `add` tries again. The summary is stored in the repository, as a system message that is marked in its metadata. A
 * `transcript` gets the messages that were summarised. Throws `missing_conversation_id` for a blank id.
 *
 * @example
 * const memory = new SummarizingChatMemory({ model: smallModel, maxMessages: 30, background: true });
 */
export class SummarizingChatMemory extends HiddenMemory {
  /** Throws `template` for a prompt template without its placeholders, `invalid_argument` for other bad options. */
  constructor(
    options: WindowOptions & {
      readonly model: ChatModel;
      /** Default 20. */
      readonly maxMessages?: number | undefined;
      /** Needs `{summary}` and `{messages}`. */
      readonly promptTemplate?: PromptTemplate | undefined;
      /** Default false: `add` waits for the summary. */
      readonly background?: boolean | undefined;
    },
  ) {
    if (typeof options?.model?.call !== 'function') throw invalidArgument('model', 'must be a chat model');
    const promptTemplate = options.promptTemplate ?? new PromptTemplate(SUMMARY_PROMPT);
    requirePlaceholders(promptTemplate, ['summary', 'messages']);
    const maxMessages = checkedMaxMessages(options.maxMessages);
    const background = options.background ?? false;
    super(summarizingMemory({ ...options, maxMessages, promptTemplate, background }));
  }
}
