import { throwIfAborted, VernalError } from '@vernal/core';
import { backOff } from '@vernal/core/adapter';
import { isOutcomeUnknown } from './cassandra-error.js';
import type { CassandraMemoryStatement } from './cassandra-memory-client.js';
import { CASSANDRA_LAYOUT_VERSION } from './cassandra-schema.js';
import { otherLayout } from './conversation-head.js';
import { isNothing, numberOf } from './long-value.js';
import type { MemorySession } from './memory-session.js';

/**
 * What has become of a write whose answer was lost: it landed; another writer was first; it may still be done, by whoever sends it again; or
 * nobody can tell any more.
 */
export type Settled = 'landed' | 'lost' | 'open' | 'unknown';

/** A write that lands if the conversation stands where it is thought to. */
export interface ConditionalWrite {
  /** On one partition; the first has the condition. */
  readonly statements: CassandraMemoryStatement[];
  /** Asked when the answer was lost; reads in the order of the conditional writes. */
  settled(signal: AbortSignal | undefined): Promise<Settled>;
}

/** Where a conversation stands that a write was not for. */
export interface Standing {
  /** 0 for one that is not there. */
  readonly sequence: number;
  readonly hasParts: boolean;
}

const TRIES = 5;

/**
 * Sends it until its outcome is known. To send it again is safe: both times it has the same condition, and at most one can meet it.
 *
 * @returns undefined when it has landed, else where the conversation stands
 * @throws VernalError `store_write`, with `details.outcome: 'unknown'` when nobody can tell; `invalid_state` for another layout
 */
export async function conditionalWrite(
  session: MemorySession,
  write: ConditionalWrite,
  signal: AbortSignal | undefined,
): Promise<Standing | undefined> {
  let unanswered: unknown;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await backOff(attempt, signal);
    let standing: Standing | undefined;
    try {
      const { rows } = await session.connection.conditionalBatch(write.statements, { code: 'store_write', signal });
      const row = rows?.[0] ?? {};
      if (row['[applied]'] === true) return undefined;
      standing = standingOf(session, row);
      if (unanswered === undefined) return standing;
    } catch (error) {
      if (unanswered === undefined && !isOutcomeUnknown(error)) throw error;
      unanswered ??= error;
    }
    const settled = await write.settled(signal).catch(() => 'unknown' as const);
    throwIfAborted(signal);
    if (settled === 'landed') return undefined;
    if (settled === 'lost' && standing !== undefined) return standing;
    if (settled === 'unknown') break;
  }
  throw unanswered ?? new VernalError('Cassandra did not decide the write', { code: 'store_write', retryable: true });
}

function standingOf({ names }: MemorySession, row: Readonly<Record<string, unknown>>): Standing {
  const { lastSequence, hasParts, layout } = names.columnNames;
  const stored = row[layout];
  const sequence = numberOf(row[lastSequence]);
  if (sequence > 0 && !isNothing(stored) && stored !== CASSANDRA_LAYOUT_VERSION) throw otherLayout();
  return { sequence, hasParts: row[hasParts] === true };
}
