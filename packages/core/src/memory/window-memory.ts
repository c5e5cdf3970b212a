import { noopLogger } from '../logging/logger.js';
import type { Message, SystemMessage } from '../messages/message.js';
import { messageList, withoutKnownSystem } from './added-messages.js';
import type { ChatMemory } from './chat-memory.js';
import { checkConversationId } from './conversation-id.js';
import { dropMessages } from './drop-messages.js';
import { errorLabel } from './error-label.js';
import { InMemoryChatMemoryRepository } from './in-memory-chat-memory-repository.js';
import type { WindowOptions } from './message-window-chat-memory.js';
import { isSystem, type RecentMessages, readRecent } from './recent-messages.js';
import { RoomLeft } from './room-left.js';
import { sendableHistory } from './sendable-history.js';
import { lastUser, windowCut } from './window-cut.js';

/** What makes one window differ from another: its measure. */
export interface WindowMeasure {
  /** Messages to read at first. */
  readonly firstRead: number;
  /** Of a message that is no system message. */
  cost(message: Message): number;
  /** What the others may cost together beside this system message. */
  budget(system: SystemMessage | undefined): number;
}

/** The memory behind the windows: appends, reads the newest part, trims in front. */
export function windowMemory(options: WindowOptions, measure: WindowMeasure): ChatMemory {
  const { repository = new InMemoryChatMemoryRepository(), transcript, logger = noopLogger } = options;
  const cost = (message: Message): number => measure.cost(message);
  const room = new RoomLeft(cost);
  const trims = new Map<string, Promise<void>>();

  function enough(messages: readonly Message[]): boolean {
    const budget = measure.budget(undefined);
    let used = 0;
    for (const message of messages) used += cost(message);
    return used > budget && lastUser(messages) !== -1;
  }

  async function trim(conversationId: string): Promise<void> {
    try {
      const recent = await readRecent(repository, conversationId, measure.firstRead, enough, undefined);
      const budget = measure.budget(recent.systems.at(-1)?.message);
      const cut = windowCut(recent.messages, budget, cost);
      const sequence = firstKept(recent, cut);
      if (sequence !== undefined)
        await dropMessages({ repository, transcript, conversationId }, sequence, recent.systems);
      room.measure(conversationId, budget, recent.messages.slice(cut));
    } catch (error) {
      // What was added has landed, and reading cuts for itself: the next add tries again.
      room.forget(conversationId);
      logger.warn('A conversation could not be trimmed; nothing was lost', { error: errorLabel(error) });
    }
  }

  /** One after the other, so that nothing is handed to the transcript twice. */
  async function trimInTurn(conversationId: string): Promise<void> {
    const before = trims.get(conversationId);
    const own = before === undefined ? trim(conversationId) : before.then(() => trim(conversationId));
    trims.set(conversationId, own);
    await own;
    if (trims.get(conversationId) === own) trims.delete(conversationId);
  }

  return {
    async add(conversationId, messages, signalOptions) {
      checkConversationId(conversationId);
      const list = messageList(messages);
      const added = list.some(isSystem)
        ? await withoutKnownSystem(repository, conversationId, list, signalOptions)
        : list;
      if (added.length === 0) return;
      await repository.append(conversationId, added, signalOptions);
      if (!room.take(conversationId, added)) await trimInTurn(conversationId);
    },
    async get(conversationId, signalOptions) {
      checkConversationId(conversationId);
      const recent = await readRecent(repository, conversationId, measure.firstRead, enough, signalOptions?.signal);
      const system = recent.systems.at(-1)?.message;
      const cut = windowCut(recent.messages, measure.budget(system), cost);
      const history = sendableHistory(cut === 0 ? recent.messages : recent.messages.slice(cut));
      return system === undefined ? [...history] : [system, ...history];
    },
    async clear(conversationId, signalOptions) {
      checkConversationId(conversationId);
      room.forget(conversationId);
      await repository.deleteByConversationId(conversationId, signalOptions);
    },
  };
}

/** Everything before this sequence is to go, but for the newest system message; undefined when nothing is. */
function firstKept({ sequences, systems, complete }: RecentMessages, cut: number): number | undefined {
  const first = sequences[cut] ?? systems.at(-1)?.sequence;
  const oldest = systems.length > 1 ? systems[0] : undefined;
  const hasOlder = cut > 0 || !complete || (oldest !== undefined && first !== undefined && oldest.sequence < first);
  return hasOlder ? first : undefined;
}
