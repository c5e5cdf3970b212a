import { backOff } from '@vernal/core/adapter';
import { conditionalWrite, type Settled } from './conditional-write.js';
import { readHead } from './conversation-head.js';
import { findReferences } from './find-references.js';
import { longValue } from './long-value.js';
import type { MemorySession } from './memory-session.js';
import { deleteParts, dropLeftBehind } from './message-parts.js';
import { tooManyWriters } from './too-many-writers.js';

const TRIES = 60;

/** The whole partition in one conditional write; then the parts of its messages, and those that somebody left behind. */
export async function deleteConversation(
  session: MemorySession,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const head = await readHead(session, key, { code: 'store_write', signal });
    const references = head?.hasParts ? await findReferences(session, key, { end: head.sequence + 1 }, signal) : [];
    if (head === undefined || (await isDeleted(session, key, head.sequence, signal))) {
      await deleteParts(session, key, references, signal);
      await dropLeftBehind(session, key, signal);
      return;
    }
    await backOff(attempt, signal);
  }
  throw tooManyWriters();
}

async function isDeleted(
  session: MemorySession,
  key: string,
  sequence: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { cql } = session;
  const settled = async (): Promise<Settled> => {
    const now = await readHead(session, key, { code: 'store_write', isSerial: true, signal });
    if (now === undefined) return 'landed';
    return now.sequence === sequence ? 'open' : 'lost';
  };
  // A value that is set beside a deletion of all outlives it, so that the condition stands at a deletion, too.
  const statements = [
    { query: cql.end, params: [key, longValue(sequence)] },
    { query: cql.deleteAll, params: [key] },
  ];
  return (await conditionalWrite(session, { statements, settled }, signal)) === undefined;
}
