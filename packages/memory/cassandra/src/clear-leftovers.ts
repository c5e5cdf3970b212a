import { conditionalWrite } from './conditional-write.js';
import { readHead } from './conversation-head.js';
import type { MemorySession } from './memory-session.js';

/**
 * What a conversation was at may expire before all of its messages do, or before where it began, when those who wrote to it had different times
 * to live. Before it begins anew, that is deleted: it would be taken for part of the new one.
 */
export async function clearLeftovers(
  session: MemorySession,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { cql } = session;
  const statements = [
    { query: cql.clear, params: [key] },
    { query: cql.deleteAll, params: [key] },
  ];
  // Whoever was first has cleared it, too.
  const settled = async (): Promise<'lost' | 'open'> =>
    (await readHead(session, key, { code: 'store_write', isSerial: true, signal })) === undefined ? 'open' : 'lost';
  await conditionalWrite(session, { statements, settled }, signal);
}
