import { Buffer } from 'node:buffer';
import type { OperationInput } from '@azure/cosmos';
import type { StoredMessage } from '@vernal/core/adapter';
import { type ConversationPartition, MOST_OPERATIONS } from './conversation-partition.js';
import type { ExtentItem, PartItem } from './stored-items.js';

/** Bytes of a request; the service takes 2 MiB. */
export const MOST_BYTES = 1_900_000;
/** UTF-16 units, of which each is up to three bytes: a piece has to fit into an item of 2 MB, and into a request. */
const LONGEST_PIECE = 500_000;
const LONGEST_CUT_TEXT = 10_000;
/** A write that has not ended after an hour never will: its process was stopped. */
const STALE_AFTER_MS = 3_600_000;

/** Bytes of an operation in a request. */
export function bytesOf(operation: OperationInput): number {
  return Buffer.byteLength(JSON.stringify(operation)) + 1;
}

/**
 * Writes messages that are too many or too large for one batch, before the conversation knows of them. They count once the extent of this
 * writer is written again, with a range, in the batch that moves the sequence.
 */
export async function writeAhead(
  partition: ConversationPartition,
  writer: string,
  messages: readonly StoredMessage[],
  ttl: number | undefined,
): Promise<void> {
  await deleteStale(partition);
  const extent = extentItem(partition.key, writer, messages, ttl);
  await partition.write([{ operationType: 'Upsert', resourceBody: extent as never }]);
  let batch: OperationInput[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await partition.write(batch);
    batch = [];
    bytes = 0;
  };
  for (const item of partItems(extent, messages)) {
    // Upsert: the SDK may send it twice.
    const operation: OperationInput = { operationType: 'Upsert', resourceBody: item as never };
    const size = bytesOf(operation);
    if (batch.length === MOST_OPERATIONS || bytes + size > MOST_BYTES) await flush();
    batch.push(operation);
    bytes += size;
  }
  await flush();
}

/** The item that stands for the messages: without a range as long as nobody may read them. */
export function extentItem(
  conversationKey: string,
  writer: string,
  messages: readonly StoredMessage[],
  ttl: number | undefined,
  range?: Required<Pick<ExtentItem, 'generation' | 'fromSequence' | 'toSequence'>>,
): ExtentItem {
  return {
    id: writer,
    kind: 'extent',
    conversationKey,
    systems: messages.filter(({ type }) => type === 'system').length,
    createdAt: new Date().toISOString(),
    ...range,
    ...(ttl !== undefined && { ttl }),
  };
}

/** Deletes the parts of a writer, whose extent is gone or about to go. */
export async function deleteParts(partition: ConversationPartition, writer: string): Promise<void> {
  const parts = await partition.query<string>("SELECT VALUE c.id FROM c WHERE c.kind = 'part' AND c.writer = @writer", {
    writer,
  });
  await partition.deleteAll(parts);
}

async function deleteStale(partition: ConversationPartition): Promise<void> {
  const stale = await partition.query<{ id: string; _etag: string }>(
    "SELECT c.id, c._etag FROM c WHERE c.kind = 'extent' AND NOT IS_DEFINED(c.generation) AND c.createdAt < @limit",
    { limit: new Date(Date.now() - STALE_AFTER_MS).toISOString() },
  );
  for (const { id, _etag } of stale) {
    // Without its extent the write cannot end any more; an extent that has changed is one that has ended.
    if (await partition.delete(id, _etag)) await deleteParts(partition, id);
  }
}

function* partItems(extent: ExtentItem, messages: readonly StoredMessage[]): Iterable<PartItem> {
  const { id: writer, conversationKey, createdAt, ttl } = extent;
  for (const [position, { type, text, message }] of messages.entries()) {
    const pieces = piecesOf(message);
    for (const [part, piece] of pieces.entries()) {
      yield {
        id: `${writer}.${position}.${part}`,
        kind: 'part',
        conversationKey,
        writer,
        position,
        part,
        parts: pieces.length,
        type,
        ...(part === 0 && { text: pieces.length === 1 ? text : cut(text, LONGEST_CUT_TEXT) }),
        message: piece,
        createdAt,
        ...(ttl !== undefined && { ttl }),
      };
    }
  }
}

function piecesOf(text: string): string[] {
  // The readable text stands beside a whole message: together they must fit.
  if (text.length <= LONGEST_PIECE / 2) return [text];
  const pieces: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const piece = cut(rest, LONGEST_PIECE);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

/** At most so long, and no half surrogate pair at its end. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const unit = text.charCodeAt(length - 1);
  return text.slice(0, unit >= 0xd800 && unit < 0xdc00 ? length - 1 : length);
}
