import { backOff } from '@vernal/core/adapter';
import type { CassandraMemoryStatement } from './cassandra-memory-client.js';
import { conditionalWrite, type Settled } from './conditional-write.js';
import { readHead } from './conversation-head.js';
import { findReferences } from './find-references.js';
import { longValue } from './long-value.js';
import type { MemorySession } from './memory-session.js';
import { deleteParts, type PartsReference } from './message-parts.js';
import { tooManyWriters } from './too-many-writers.js';

const TRIES = 20;

/** What is trimmed away. */
export interface Trim {
  readonly key: string;
  /** Undefined: everything. */
  readonly before: number | undefined;
  readonly keepSystem: boolean;
}

/**
 * One conditional write: a deleted range for each kind of message, and where the conversation begins from now on. Conditional although it need
 * not lose against anybody: only so is it later than every write before it, and earlier than every one after, whatever the clocks say.
 */
export async function trimConversation(
  session: MemorySession,
  { key, before, keepSystem }: Trim,
  signal: AbortSignal | undefined,
): Promise<void> {
  let end = before ?? Number.MAX_SAFE_INTEGER;
  let hasParts = false;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const references = hasParts ? await trimmedReferences(session, { key, end, keepSystem }, signal) : [];
    const standing = await conditionalWrite(session, trimOf(session, { key, end, keepSystem, hasParts }), signal);
    if (standing === undefined) {
      // The messages are gone, whatever becomes of their parts: those that are left take room, and no more.
      if (references.length > 0) await deleteParts(session, key, references, signal).catch(() => {});
      return;
    }
    if (standing.sequence === 0) return;
    const isNearer = standing.sequence + 1 < end || standing.hasParts !== hasParts;
    end = Math.min(end, standing.sequence + 1);
    hasParts = standing.hasParts;
    if (!isNearer) await backOff(attempt, signal);
  }
  throw tooManyWriters();
}

async function trimmedReferences(
  session: MemorySession,
  { key, end, keepSystem }: Omit<KnownTrim, 'hasParts'>,
  signal: AbortSignal | undefined,
): Promise<readonly PartsReference[]> {
  const head = await readHead(session, key, { code: 'store_write', signal });
  return findReferences(session, key, { end, keepSystem, start: head?.first }, signal);
}

interface KnownTrim {
  readonly key: string;
  readonly end: number;
  readonly keepSystem: boolean;
  readonly hasParts: boolean;
}

function trimOf(session: MemorySession, { key, end, keepSystem, hasParts }: KnownTrim) {
  const { cql } = session;
  const writeId = globalThis.crypto.randomUUID();
  const deletion = (isSystem: boolean): CassandraMemoryStatement => ({
    query: cql.deleteBefore,
    params: [key, isSystem, longValue(end)],
  });
  return {
    statements: [
      // Nobody is to be kept from what will be appended: a range never ends above the sequence of the conversation.
      { query: cql.trim, params: [longValue(end), writeId, key, longValue(end - 1), hasParts ? true : null] },
      deletion(false),
      ...(keepSystem ? [] : [deletion(true)]),
    ],
    async settled(signal: AbortSignal | undefined): Promise<Settled> {
      const head = await readHead(session, key, { code: 'store_write', isSerial: true, signal });
      return head === undefined || head.lastWrite === writeId ? 'landed' : 'open';
    },
  };
}
