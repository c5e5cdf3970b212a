import type { ConversationPartition } from './conversation-partition.js';
import { type FoundExtent, isExtent } from './found-row.js';
import type { ConversationItem } from './stored-items.js';

/** What a conversation has no use for any more. */
export interface HiddenItems {
  /** Extents last: as long as one is there, its parts are found. */
  readonly ids: readonly string[];
  /** How many are system messages that were valid up to now. */
  readonly systems: number;
}

type Hidden = { readonly id: string; readonly type: string; readonly sequence: number };
type HiddenExtent = FoundExtent & { readonly systems: number };

/** Items of messages that are valid before a change and not after it, or that an earlier change has left. */
export async function hiddenItems(
  partition: ConversationPartition,
  before: ConversationItem,
  after: ConversationItem,
): Promise<HiddenItems> {
  const { generation, first, firstSystem } = after;
  const conditions = [
    "c.kind = 'message' AND c.sequence < @firstSystem",
    "c.kind = 'message' AND c.sequence < @first AND c.type != 'system'",
  ];
  if (before.extentEnd > 0) conditions.push("c.kind = 'extent' AND c.fromSequence < @first");
  const found = await partition.query<Hidden | HiddenExtent>(
    `SELECT c.id, c.kind, c.type, c.sequence, c.fromSequence, c.toSequence, c.systems FROM c WHERE ${conditions
      .map((condition) => `c.generation = @generation AND ${condition}`)
      .join(' OR ')}`,
    { generation, first, firstSystem },
  );
  const extents = found.filter(isExtent) as HiddenExtent[];
  const messages = found.filter((row): row is Hidden => !isExtent(row));
  const parts: Hidden[] = [];
  for (const extent of extents) parts.push(...(await hiddenParts(partition, extent, after)));
  const over = extents.filter(
    ({ toSequence, systems }) => toSequence < firstSystem || (toSequence < first && systems === 0),
  );
  const removed = [...messages, ...parts].filter(
    ({ type, sequence }) => type === 'system' && sequence >= before.firstSystem,
  );
  return {
    ids: [...messages, ...parts, ...over].map(({ id }) => id),
    // A message in several pieces is one.
    systems: new Set(removed.map(({ sequence }) => sequence)).size,
  };
}

async function hiddenParts(
  partition: ConversationPartition,
  { id, fromSequence }: HiddenExtent,
  { first, firstSystem }: ConversationItem,
): Promise<readonly Hidden[]> {
  const parts = await partition.query<{ id: string; type: string; position: number }>(
    `SELECT c.id, c.type, c.position FROM c WHERE c.writer = @writer AND c.position < @firstSystem
      OR c.writer = @writer AND c.position < @first AND c.type != 'system'`,
    { writer: id, first: first - fromSequence, firstSystem: firstSystem - fromSequence },
  );
  return parts.map(({ position, ...part }) => ({ ...part, sequence: fromSequence + position }));
}
