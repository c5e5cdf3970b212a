import { VernalError } from '../errors/vernal-error.js';
import { safeLogger } from '../logging/safe-logger.js';
import type { Message } from '../messages/message.js';
import { type ChatModel, callText } from '../model/chat-model.js';
import type { PromptTemplate } from '../templates/prompt-template.js';
import { messageList, withoutKnownSystem } from './added-messages.js';
import type { ChatMemory } from './chat-memory.js';
import { checkConversationId } from './conversation-id.js';
import { errorLabel } from './error-label.js';
import { InMemoryChatMemoryRepository } from './in-memory-chat-memory-repository.js';
import type { WindowOptions } from './message-window-chat-memory.js';
import { isSystem } from './recent-messages.js';
import { RoomLeft } from './room-left.js';
import { sendableHistory } from './sendable-history.js';
import { storeSummary } from './store-summary.js';
import { readSummarized, type SummarizedConversation } from './summarized-conversation.js';
import { summaryTurn } from './summary-message.js';
import { writtenMessages } from './summary-prompt.js';
import { windowCut } from './window-cut.js';

interface SummarizingSettings extends WindowOptions {
  readonly model: ChatModel;
  readonly maxMessages: number;
  readonly promptTemplate: PromptTemplate;
  readonly background: boolean;
}

/** The memory behind `SummarizingChatMemory`: appends, and has the older half summarised when there is too much. */
export function summarizingMemory(settings: SummarizingSettings): ChatMemory {
  const { repository = new InMemoryChatMemoryRepository(), transcript, maxMessages } = settings;
  const logger = safeLogger(settings.logger);
  const room = new RoomLeft(() => 1);
  const running = new Map<string, Promise<void>>();
  const storing = new Map<string, Promise<unknown>>();

  async function written(seen: SummarizedConversation, cut: number, signal: AbortSignal | undefined): Promise<string> {
    const prompt = settings.promptTemplate.create({
      summary: seen.summary?.text ?? '',
      messages: writtenMessages(seen.messages.slice(0, cut)),
    });
    const text = (await callText(settings.model, prompt, { signal })).trim();
    if (text !== '') return text;
    throw new VernalError('The model gave an empty summary; try another model or prompt template', {
      code: 'model_error',
      subject: 'model',
    });
  }

  /** Noted, so that a conversation that is cleared meanwhile is cleared after, not in between. */
  async function store(
    conversationId: string,
    seen: SummarizedConversation,
    cut: number,
    summary: string,
  ): Promise<readonly Message[] | undefined> {
    const stored = storeSummary({ repository, transcript, conversationId }, seen, cut, summary);
    storing.set(conversationId, stored);
    try {
      return await stored;
    } finally {
      storing.delete(conversationId);
    }
  }

  async function summarise(conversationId: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      const seen = await readSummarized(repository, conversationId);
      // Down to half, or every turn of a long conversation would cost a call of the model.
      const half = Math.floor(maxMessages / 2);
      const cut = seen.messages.length > maxMessages ? windowCut(seen.messages, half, () => 1) : 0;
      const left = cut === 0 ? seen.messages : await store(conversationId, seen, cut, await written(seen, cut, signal));
      if (left !== undefined) room.measure(conversationId, maxMessages, left);
    } catch (error) {
      // Nothing was deleted: `get` gives every message that no summary covers, and the next add tries again.
      room.forget(conversationId);
      logger.warn('A conversation could not be summarised; nothing was lost', { error: errorLabel(error) });
    }
  }

  /** One at a time for a conversation; never rejects. */
  function summariseOnce(conversationId: string, signal: AbortSignal | undefined): Promise<void> {
    const inFlight = running.get(conversationId);
    if (inFlight !== undefined) return inFlight;
    const run = summarise(conversationId, signal).then(() => {
      running.delete(conversationId);
    });
    running.set(conversationId, run);
    return run;
  }

  return {
    async add(conversationId, messages, options) {
      checkConversationId(conversationId);
      const list = messageList(messages);
      const added = list.some(isSystem) ? await withoutKnownSystem(repository, conversationId, list, options) : list;
      if (added.length === 0) return;
      await repository.append(conversationId, added, options);
      if (room.take(conversationId, added)) return;
      // In the background the caller's signal has no say: his request is over long before the summary is.
      const summary = summariseOnce(conversationId, settings.background ? undefined : options?.signal);
      if (!settings.background) await summary;
    },
    async get(conversationId, options) {
      checkConversationId(conversationId);
      const { system, summary, messages } = await readSummarized(repository, conversationId, options);
      return [
        ...(system === undefined ? [] : [system.message]),
        ...(summary === undefined ? [] : summaryTurn(summary)),
        ...sendableHistory(messages),
      ];
    },
    async clear(conversationId, options) {
      checkConversationId(conversationId);
      while (storing.has(conversationId)) await storing.get(conversationId)?.catch(() => undefined);
      room.forget(conversationId);
      await repository.deleteByConversationId(conversationId, options);
    },
  };
}
