import type { CassandraMemoryRow } from './cassandra-memory-client.js';
import { isNothing, numberOf } from './long-value.js';
import type { PartsReference } from './message-parts.js';

/** A row of a message. */
export interface StoredRow {
  readonly sequence: number;
  readonly isSystem: boolean;
  /** What it is read from; undefined for one in parts. */
  readonly message: unknown;
  readonly reference: PartsReference | undefined;
}

export function storedRow(row: CassandraMemoryRow): StoredRow {
  const { isSystem, sequence, message, writeId, item, parts, createdAt } = row;
  const isWhole = isNothing(parts);
  return {
    sequence: numberOf(sequence),
    isSystem: isSystem === true,
    message: isWhole ? message : undefined,
    reference: isWhole
      ? undefined
      : {
          writeId: String(writeId),
          item: Number(item),
          parts: Number(parts),
          createdAt: createdAt instanceof Date ? createdAt.getTime() : 0,
        },
  };
}
