import { CONVERSATION_ITEM, COSMOS_DB_LAYOUT_VERSION, type ConversationItem } from './stored-items.js';

/** Writes that a conversation remembers. */
const REMEMBERED_WRITES = 16;

/** A conversation that nobody has written to. */
export function newConversation(conversationKey: string, conversationId: string): ConversationItem {
  return {
    id: CONVERSATION_ITEM,
    kind: 'conversation',
    layout: COSMOS_DB_LAYOUT_VERSION,
    conversationKey,
    conversationId,
    generation: globalThis.crypto.randomUUID(),
    sequence: 0,
    first: 1,
    firstSystem: 1,
    systems: 0,
    hasMessages: false,
    extentEnd: 0,
    unswept: false,
    writes: [],
    createdAt: new Date().toISOString(),
  };
}

/** What is appended. */
export interface AppendedMessages {
  readonly writer: string;
  readonly count: number;
  /** How many of them are system messages. */
  readonly systems: number;
  /** Whether they take the place of all that are there. */
  readonly replaces: boolean;
  readonly isExtent: boolean;
}

/** The conversation after an append. */
export function appended(conversation: ConversationItem, append: AppendedMessages): ConversationItem {
  const { sequence } = conversation;
  const { writer, count, replaces } = append;
  const next = sequence + count;
  const systems = (replaces ? 0 : conversation.systems) + append.systems;
  const first = replaces ? sequence + 1 : conversation.first;
  return {
    ...conversation,
    sequence: next,
    first,
    firstSystem: replaces ? first : conversation.firstSystem,
    systems,
    hasMessages: first <= next || systems > 0,
    extentEnd: append.isExtent ? next : conversation.extentEnd,
    writes: [...conversation.writes, { writer, sequence: next }].slice(-REMEMBERED_WRITES),
  };
}

/** The conversation without what is before a sequence; the same one when nothing is. Its `systems` are not counted anew. */
export function trimmed(
  conversation: ConversationItem,
  before: number | undefined,
  keepSystem: boolean,
): ConversationItem {
  const end = Math.min(before ?? Number.POSITIVE_INFINITY, conversation.sequence + 1);
  const first = Math.max(conversation.first, end);
  const firstSystem = keepSystem ? conversation.firstSystem : Math.max(conversation.firstSystem, end);
  if (first === conversation.first && firstSystem === conversation.firstSystem) return conversation;
  return { ...conversation, first, firstSystem };
}

/** The conversation with as many system messages less. */
export function withoutSystems(conversation: ConversationItem, removed: number): ConversationItem {
  const systems = Math.max(0, conversation.systems - removed);
  return { ...conversation, systems, hasMessages: conversation.first <= conversation.sequence || systems > 0 };
}

/** What is written of it: the service gives an item its own fields. */
export function withoutServiceFields(conversation: ConversationItem): object {
  return Object.fromEntries(Object.entries(conversation).filter(([name]) => !name.startsWith('_')));
}
