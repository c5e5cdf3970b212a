import { VernalError } from '@vernal/core';
import type { StatementContext } from './cassandra-connection.js';
import type { CassandraMemoryRow } from './cassandra-memory-client.js';
import { CASSANDRA_LAYOUT_VERSION } from './cassandra-schema.js';
import { isNothing, numberOf } from './long-value.js';
import type { MemorySession } from './memory-session.js';

/** The static columns of a conversation. */
export interface ConversationHead {
  readonly sequence: number;
  /** No message that is not a system message has a smaller sequence. */
  readonly first: number;
  /** Another one after the conversation was replaced, or deleted and begun anew. */
  readonly generation: string;
  readonly lastWrite: string;
  /** Whether it may hold messages that stand in parts. */
  readonly hasParts: boolean;
}

/** Undefined for a conversation that never was or was deleted; `'leftovers'` where only something of it is left: see `clearLeftovers`. */
export type FoundHead = ConversationHead | 'leftovers' | undefined;

/** Throws `invalid_state` for a conversation that a later release wrote in another layout. */
export async function findHead(
  { connection, cql }: MemorySession,
  key: string,
  context: StatementContext,
): Promise<FoundHead> {
  const { rows } = await connection.execute({ query: cql.head, params: [key] }, context);
  const row = rows?.[0];
  if (row === undefined) return undefined;
  if (isNothing(row['lastSequence'])) return 'leftovers';
  if (row['layout'] !== CASSANDRA_LAYOUT_VERSION) throw otherLayout();
  return {
    sequence: numberOf(row['lastSequence']),
    first: numberOf(row['firstSequence']),
    generation: String(row['generation']),
    lastWrite: String(row['lastWrite']),
    hasParts: row['hasParts'] === true,
  };
}

/** The same for those who do not mind what is left. */
export async function readHead(
  session: MemorySession,
  key: string,
  context: StatementContext,
): Promise<ConversationHead | undefined> {
  const found = await findHead(session, key, context);
  return found === 'leftovers' ? undefined : found;
}

export function otherLayout(): VernalError {
  return new VernalError(
    `The conversation is stored in another layout than ${CASSANDRA_LAYOUT_VERSION}, which this release knows; update @vernal/memory-cassandra`,
    { code: 'invalid_state', subject: 'layout' },
  );
}

/** Whether a row, with the static columns of its moment, is of the same conversation as the head. */
export function isOfHead(row: CassandraMemoryRow, { generation }: ConversationHead): boolean {
  return String(row['generation']) === generation;
}
