import { longValue } from './long-value.js';
import type { MemorySession } from './memory-session.js';
import type { PartsReference } from './message-parts.js';
import { storedRow } from './stored-row.js';

const PAGE = 500;

/** Which sequences are looked through. */
export interface ReferenceRange {
  /** Not included. */
  readonly end: number;
  /** System messages are left out. Default false. */
  readonly keepSystem?: boolean | undefined;
  /** Of those that are no system messages. Default all. */
  readonly start?: number | undefined;
}

/** The parts that messages in a range stand in: they are found before the messages are deleted, and deleted after them. */
export async function findReferences(
  { connection, cql }: MemorySession,
  key: string,
  { end, keepSystem = false, start = 0 }: ReferenceRange,
  signal: AbortSignal | undefined,
): Promise<readonly PartsReference[]> {
  const references: PartsReference[] = [];
  for (const isSystem of keepSystem ? [false] : [false, true]) {
    const statement = {
      query: cql.references,
      params: [key, isSystem, longValue(end), longValue(isSystem ? 0 : start)],
    };
    let pageState: string | undefined;
    do {
      const page = await connection.execute(statement, { code: 'store_write', signal, fetchSize: PAGE, pageState });
      references.push(...(page.rows ?? []).flatMap((row) => storedRow(row).reference ?? []));
      pageState = page.pageState ?? undefined;
    } while (pageState !== undefined);
  }
  return references;
}
