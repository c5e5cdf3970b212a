import { safeLogger } from '../logging/safe-logger.js';
import type { Message, SystemMessage } from '../messages/message.js';
import { messageList, withoutKnownSystem } from './added-messages.js';
import type { ChatMemory } from './chat-memory.js';
import { checkConversationId } from './conversation-id.js';
import { dropMessages } from './drop-messages.js';
import { errorLabel } from './error-label.js';
import { InMemoryChatMemoryRepository } from './in-memory-chat-memory-repository.js';
import type { WindowOptions } from './message-window-chat-memory.js';
import { isSystem, type RecentMessages, recentMessages } from './recent-messages.js';
import { RoomLeft } from './room-left.js';
import { sendableHistory } from './sendable-history.js';
import { lastUser, windowCut } from './window-cut.js';

/** What makes one window differ from another: its measure. */
export interface WindowMeasure {
  /** Messages to read at first. */
  readonly firstRead: number;
  /** Of a message that is no system message. */
  readonly cost: (message: Message) => number;
  /** What the others may cost together beside this system message. */
  readonly budget: (system: SystemMessage | undefined) => number;
}

/** How far the first read may grow, in times of `firstRead`: one conversation that was never trimmed is no measure for the others. */
const MAX_REACH = 32;

/** The memory behind the windows: appends, reads the newest part, trims in front. */
export function windowMemory(options: WindowOptions, { firstRead, cost, budget }: WindowMeasure): ChatMemory {
  const { repository = new InMemoryChatMemoryRepository(), transcript } = options;
  const logger = safeLogger(options.logger);
  const room = new RoomLeft(cost);
  const turns = new Map<string, Promise<void>>();
  let reach = firstRead;

  /** Too much for any window, and a place to cut. */
  function isEnough({ messages, complete }: RecentMessages): boolean {
    if (complete) return true;
    let used = 0;
    for (const message of messages) used += cost(message);
    return used > budget(undefined) && lastUser(messages) !== -1;
  }

  /** Reads back as far as the window reaches; nearly always in one go. */
  async function read<T>(
    conversationId: string,
    signal: AbortSignal | undefined,
    use: (recent: RecentMessages) => T,
  ): Promise<T> {
    checkConversationId(conversationId);
    for (let last = reach; ; last *= 2) {
      const slice = await repository.findByConversationId(conversationId, { last, includeSystem: true, signal });
      const recent = recentMessages(slice, last);
      if (!isEnough(recent)) continue;
      // Windows of one measure hold about as many messages: the next read gets there at once.
      reach = Math.max(reach, Math.min(last, firstRead * MAX_REACH));
      return use(recent);
    }
  }

  function windowOf({ messages, systems }: RecentMessages): Message[] {
    const system = systems.at(-1)?.message;
    const history = sendableHistory(messages.slice(windowCut(messages, budget(system), cost)));
    return system === undefined ? history : [system, ...history];
  }

  async function trim(conversationId: string): Promise<void> {
    try {
      const recent = await read(conversationId, undefined, (found) => found);
      const limit = budget(recent.systems.at(-1)?.message);
      const cut = windowCut(recent.messages, limit, cost);
      const first = firstKept(recent, cut);
      if (first !== undefined) await dropMessages({ repository, transcript, conversationId }, first, recent.systems);
      room.measure(conversationId, limit, recent.messages, cut);
    } catch (error) {
      // What was added has landed, and reading cuts for itself: the next add tries again.
      room.forget(conversationId);
      logger.warn('A conversation could not be trimmed; nothing was lost', { error: errorLabel(error) });
    }
  }

  /**
   * One after the other: nothing is handed to the transcript twice, and a trim does not reach into what is said after the conversation
   * was cleared.
   */
  function inTurn(conversationId: string, work: () => Promise<void>): Promise<void> {
    const before = turns.get(conversationId);
    const result = before === undefined ? work() : before.then(work);
    const over = (): void => {
      if (turns.get(conversationId) === done) turns.delete(conversationId);
    };
    const done = result.then(over, over);
    turns.set(conversationId, done);
    return result;
  }

  return {
    async add(conversationId, messages, addOptions) {
      checkConversationId(conversationId);
      const list = messageList(messages);
      const added = list.some(isSystem) ? await withoutKnownSystem(repository, conversationId, list, addOptions) : list;
      if (added.length === 0) return;
      await repository.append(conversationId, added, addOptions);
      if (!room.take(conversationId, added)) await inTurn(conversationId, () => trim(conversationId));
    },
    get: (conversationId, getOptions) => read(conversationId, getOptions?.signal, windowOf),
    async clear(conversationId, clearOptions) {
      checkConversationId(conversationId);
      await inTurn(conversationId, async () => {
        room.forget(conversationId);
        await repository.deleteByConversationId(conversationId, clearOptions);
      });
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
