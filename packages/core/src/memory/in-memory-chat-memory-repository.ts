import { throwIfAborted } from '../context/abort-error.js';
import { ConversationConflictError } from '../errors/conversation-conflict-error.js';
import type { Message } from '../messages/message.js';
import type { SignalOptions } from './chat-memory.js';
import type {
  ChatMemoryRepository,
  ConversationSlice,
  DeleteBeforeOptions,
  FindMessagesOptions,
  WriteOptions,
} from './chat-memory-repository.js';
import { checkFind, checkWrite } from './check-write.js';
import { checkConversationId } from './conversation-id.js';
import { frozenMessage } from './frozen-message.js';
import { type HiddenState, hiddenState } from './hidden-state.js';

interface Conversation {
  readonly messages: Message[];
  /** Of `messages`, rising. */
  readonly sequences: number[];
  /** Of the last message ever appended. */
  sequence: number;
  /** Sequences of the system messages among them: a read finds them without looking through the rest. */
  readonly systems: number[];
}

/** Kept out of the class's type so that two copies of the package agree on it. */
const stores: HiddenState<InMemoryChatMemoryRepository, Map<string, Conversation>> = /* @__PURE__ */ hiddenState();

/**
 * Keeps conversations in the memory of this process, for tests and for applications that may forget. What is stored is a frozen copy:
 * neither the writer nor a reader can change it afterwards. Unbounded unless something trims it, as the chat memories do.
 * Source: `InMemoryChatMemoryRepository` of spring-ai-model.
 *
 * @example
 * const memory = new MessageWindowChatMemory({ repository: new InMemoryChatMemoryRepository() });
 */
export class InMemoryChatMemoryRepository implements ChatMemoryRepository {
  constructor() {
    stores.set(this, new Map());
  }

  /** In the order of their first message. Conversations without messages are left out. */
  async *findConversationIds(options?: SignalOptions): AsyncIterable<string> {
    for (const [id, { messages }] of stores.of(this)) {
      throwIfAborted(options?.signal);
      if (messages.length > 0) yield id;
    }
  }

  async findByConversationId(conversationId: string, options?: FindMessagesOptions): Promise<ConversationSlice> {
    checkFind(options);
    const conversation = open(this, conversationId, options);
    if (conversation === undefined) return { messages: [], sequences: [], sequence: 0 };
    const { messages, sequences, sequence, systems } = conversation;
    const { last, before, includeSystem = false } = options ?? {};
    const end = before === undefined ? sequences.length : firstFrom(sequences, before);
    const start = last === undefined ? 0 : Math.max(0, end - last);
    if (includeSystem && systems.length > 0 && end - start < sequences.length)
      return withSystems(conversation, start, end);
    return { messages: messages.slice(start, end), sequences: sequences.slice(start, end), sequence };
  }

  async append(
    conversationId: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ readonly sequence: number }> {
    checkWrite(messages, options);
    const known = open(this, conversationId, options);
    checkSequence(conversationId, known, options);
    const copies = messages.map(frozenMessage);
    if (copies.length === 0) return { sequence: known?.sequence ?? 0 };
    const conversation = known ?? create(this, conversationId);
    for (const copy of copies) push(conversation, copy);
    return { sequence: conversation.sequence };
  }

  async deleteBefore(conversationId: string, sequence: number, options?: DeleteBeforeOptions): Promise<void> {
    const conversation = open(this, conversationId, options);
    if (conversation === undefined) return;
    const { messages, sequences, systems } = conversation;
    const end = firstFrom(sequences, sequence);
    const oldSystems = systems.slice(0, firstFrom(systems, sequence));
    const kept = options?.keepSystem ? oldSystems : [];
    const keptMessages = kept
      .map((system) => messages[firstFrom(sequences, system)])
      .filter((one) => one !== undefined);
    messages.splice(0, end, ...keptMessages);
    sequences.splice(0, end, ...kept);
    systems.splice(0, oldSystems.length - kept.length);
  }

  async saveAll(
    conversationId: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ readonly sequence: number }> {
    checkWrite(messages, options);
    const known = open(this, conversationId, options);
    checkSequence(conversationId, known, options);
    const copies = messages.map(frozenMessage);
    const conversation = known ?? create(this, conversationId);
    for (const list of [conversation.messages, conversation.sequences, conversation.systems]) list.length = 0;
    for (const copy of copies) push(conversation, copy);
    return { sequence: conversation.sequence };
  }

  async deleteByConversationId(conversationId: string, options?: SignalOptions): Promise<void> {
    if (open(this, conversationId, options) !== undefined) stores.of(this).delete(conversationId);
  }
}

function open(
  repository: InMemoryChatMemoryRepository,
  conversationId: string,
  options: SignalOptions | undefined,
): Conversation | undefined {
  checkConversationId(conversationId);
  throwIfAborted(options?.signal);
  return stores.of(repository).get(conversationId);
}

function create(repository: InMemoryChatMemoryRepository, conversationId: string): Conversation {
  const conversation: Conversation = { messages: [], sequences: [], sequence: 0, systems: [] };
  stores.of(repository).set(conversationId, conversation);
  return conversation;
}

function push(conversation: Conversation, message: Message): void {
  conversation.messages.push(message);
  conversation.sequences.push(++conversation.sequence);
  if (message.type === 'system') conversation.systems.push(conversation.sequence);
}

function checkSequence(
  conversationId: string,
  conversation: Conversation | undefined,
  options: WriteOptions | undefined,
): void {
  const expectedSequence = options?.expectedSequence;
  const actualSequence = conversation?.sequence ?? 0;
  if (expectedSequence === undefined || expectedSequence === actualSequence) return;
  throw ConversationConflictError.between(conversationId, expectedSequence, actualSequence);
}

function withSystems(conversation: Conversation, start: number, end: number): ConversationSlice {
  const { messages, sequences, sequence, systems } = conversation;
  const places = systems.map((system) => firstFrom(sequences, system));
  const before = places.filter((at) => at < start);
  const after = places.filter((at) => at >= end);
  const select = <T>(list: readonly T[]): T[] => [
    ...before.flatMap((at) => list.slice(at, at + 1)),
    ...list.slice(start, end),
    ...after.flatMap((at) => list.slice(at, at + 1)),
  ];
  return { messages: select(messages), sequences: select(sequences), sequence };
}

/** Position of the first sequence that is not smaller. */
function firstFrom(sequences: readonly number[], sequence: number): number {
  let low = 0;
  let high = sequences.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sequences[middle] ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
