import type { ConversationSlice } from '@vernal/core';
import { type FindRange, restoredMessage } from '@vernal/core/adapter';
import type { ConversationPartition } from './conversation-partition.js';
import { extentMessages } from './extent-messages.js';
import { type FoundExtent, type FoundRow, isExtent } from './found-row.js';
import { type ConversationItem, isValid } from './stored-items.js';

const MOST_TRIES = 10;

/** What is read of a conversation that stands where `conversation` says. */
export interface ReadPlan {
  readonly conversation: ConversationItem;
  /** All messages of these sequences are there, whatever their type: from `after`, not included, to `to`. */
  readonly after: number;
  readonly to: number;
  /** Whether system messages are asked for wherever they are. */
  readonly asksSystems: boolean;
}

/**
 * Reads where the conversation stands, then the messages. Valid sequences have no gaps, so that a message that was deleted between the two
 * reads is missed, and both are done again: what comes back is of one moment, that of the first read.
 */
export async function findMessages(
  partition: ConversationPartition,
  conversationId: string,
  range: FindRange,
): Promise<ConversationSlice> {
  let before: ConversationItem | undefined;
  for (let tries = 1; ; tries++) {
    const conversation = await partition.conversation();
    if (conversation === undefined) return { messages: [], sequences: [], sequence: 0 };
    const plan = readPlan(conversation, range);
    const rows = await plannedRows(partition, plan);
    // What nobody has changed in the meantime is really gone, by hand for example.
    const isSettled = before !== undefined && before._etag === conversation._etag;
    if (isWhole(plan, rows) || isSettled || tries >= MOST_TRIES)
      return sliceOf(conversationId, conversation, selected(plan, range, rows));
    before = conversation;
  }
}

function readPlan(conversation: ConversationItem, { last, before, includeSystem }: FindRange): ReadPlan {
  const { sequence, first, systems } = conversation;
  const to = Math.max(first - 1, Math.min(sequence, before === undefined ? sequence : before - 1));
  const after = last === undefined ? first - 1 : Math.max(first - 1, to - last);
  // System messages from before `first`, where there are gaps, are counted among the last ones, too.
  const reachesBack = last === undefined || last > to - after;
  return { conversation, after, to, asksSystems: systems > 0 && (includeSystem || reachesBack) };
}

async function plannedRows(partition: ConversationPartition, plan: ReadPlan): Promise<readonly FoundRow[]> {
  const { conversation, after, to, asksSystems } = plan;
  if (to <= after && !asksSystems) return [];
  const { generation, sequence, firstSystem, extentEnd } = conversation;
  const conditions = ["c.kind = 'message' AND c.sequence > @after AND c.sequence <= @to"];
  const hasExtents = extentEnd > after || (asksSystems && extentEnd >= firstSystem);
  if (hasExtents) conditions.push("c.kind = 'extent' AND c.toSequence > @after AND c.fromSequence <= @to");
  if (asksSystems) {
    conditions.push(
      "c.kind = 'message' AND c.type = 'system' AND c.sequence >= @firstSystem AND c.sequence <= @sequence",
    );
    if (hasExtents) conditions.push("c.kind = 'extent' AND c.systems > 0 AND c.toSequence >= @firstSystem");
  }
  const found = await partition.query<FoundRow | FoundExtent>(
    `SELECT c.id, c.kind, c.sequence, c.type, c.message, c.fromSequence, c.toSequence FROM c WHERE ${conditions
      .map((condition) => `c.generation = @generation AND ${condition}`)
      .join(' OR ')}`,
    { generation, after, to, ...(asksSystems && { firstSystem, sequence }) },
  );
  const extents = found.filter(isExtent);
  const rows = [
    ...found.filter((row): row is FoundRow => !isExtent(row)),
    ...(await extentMessages(partition, plan, extents)),
  ];
  return rows.filter((row) => isValid(conversation, row)).sort((a, b) => a.sequence - b.sequence);
}

function isWhole({ conversation, after, to, asksSystems }: ReadPlan, rows: readonly FoundRow[]): boolean {
  if (rows.some(({ message }) => message === undefined)) return false;
  const inRange = rows.filter(({ sequence }) => sequence > after && sequence <= to).length;
  const systems = rows.filter(({ type }) => type === 'system').length;
  return inRange === to - after && (!asksSystems || systems === conversation.systems);
}

function selected({ conversation }: ReadPlan, range: FindRange, rows: readonly FoundRow[]): readonly FoundRow[] {
  const { last, before = conversation.sequence + 1, includeSystem } = range;
  const earlier = rows.filter(({ sequence }) => sequence < before);
  const newest = new Set(last === undefined ? earlier : earlier.slice(Math.max(0, earlier.length - last)));
  return rows.filter((row) => newest.has(row) || (includeSystem && row.type === 'system'));
}

function sliceOf(conversationId: string, { sequence }: ConversationItem, rows: readonly FoundRow[]): ConversationSlice {
  return {
    messages: rows.map((row) => restoredMessage(row.message, { conversationId, sequence: row.sequence })),
    sequences: rows.map((row) => row.sequence),
    sequence,
  };
}
