import type { FindRange } from '@vernal/core/adapter';
import type { CassandraMemoryRow, CassandraMemoryStatement } from './cassandra-memory-client.js';
import { type ConversationHead, isOfHead, readHead } from './conversation-head.js';
import { longValue, numberOf } from './long-value.js';
import type { MemorySession } from './memory-session.js';
import { type StoredRow, storedRow } from './stored-row.js';

/** Rows of one moment. */
export interface ConversationRows {
  /** Oldest first. */
  readonly rows: readonly StoredRow[];
  readonly sequence: number;
}

interface Pages {
  readonly rows: readonly CassandraMemoryRow[];
  readonly count: number;
}

/** Rows of at most 32 KiB each. */
const PAGE = 500;
/** The largest limit that a statement can have. */
const MOST = 2 ** 31 - 1;

/**
 * What a range holds as the conversation stands; undefined when it changed so much in between that it has to be read again. A statement of
 * one page is of one moment by itself. Reading never goes below `first`: what was trimmed lies there as long as Cassandra keeps it.
 */
export async function readRows(
  session: MemorySession,
  key: string,
  head: ConversationHead,
  range: FindRange,
  signal: AbortSignal | undefined,
): Promise<ConversationRows | undefined> {
  if (range.last === 0 && !range.includeSystem) return { rows: [], sequence: head.sequence };
  return range.before === undefined
    ? newestRows(session, key, head, range, signal)
    : rowsBefore(session, key, head, { ...range, before: Math.min(range.before, head.sequence + 1) }, signal);
}

/**
 * One slice: all system messages, then the newest others. It reads one row more than is wanted, for a conversation mostly has one system
 * message; where there are more, it is read again with as much room as they need.
 */
async function newestRows(
  session: MemorySession,
  key: string,
  head: ConversationHead,
  { last, includeSystem }: FindRange,
  signal: AbortSignal | undefined,
): Promise<ConversationRows | undefined> {
  const { newest, newestLimited } = session.cql;
  for (let limit = last === undefined ? undefined : Math.min(last + 1, MOST); ; ) {
    const query = limit === undefined ? newest : newestLimited;
    const params = limit === undefined ? [key, longValue(head.first)] : [key, longValue(head.first), limit];
    const { rows: found, count } = await readPages(session, { query, params }, limit, signal);
    const [row] = found;
    if (row === undefined) return unchanged(session, key, head, [], signal);
    if (!isOfHead(row, head)) return undefined;
    if (count > 1 && !(await isStill(session, key, row, signal))) return undefined;
    const sequence = numberOf(row['lastSequence']);
    // The first page may have had no room for others than system messages, and more may have come before the next.
    const rows = found
      .map(storedRow)
      .filter((one) => one.sequence <= sequence)
      .sort(bySequence);
    if (last === undefined || limit === undefined) return { rows, sequence };
    const systems = rows.filter((one) => one.isSystem).length;
    const oldest = rows.findIndex((one) => !one.isSystem);
    // From the oldest of the others on, nothing is missing.
    if (found.length < limit || (oldest >= 0 && rows.length - oldest >= last))
      return { rows: windowOf(rows, last, includeSystem), sequence };
    limit = Math.min(systems < rows.length ? last + systems : 2 * limit, MOST);
  }
}

async function rowsBefore(
  session: MemorySession,
  key: string,
  head: ConversationHead,
  { last, before, includeSystem }: FindRange & { readonly before: number },
  signal: AbortSignal | undefined,
): Promise<ConversationRows | undefined> {
  const read = async (isSystem: boolean, end: number, limit: number | undefined): Promise<readonly StoredRow[]> => {
    if (limit === 0) return [];
    const start = isSystem ? 0 : head.first;
    const { before: all, beforeLimited } = session.cql;
    const statement =
      limit === undefined
        ? { query: all, params: [key, isSystem, longValue(end), longValue(start)] }
        : { query: beforeLimited, params: [key, isSystem, longValue(end), longValue(start), limit] };
    return (await readPages(session, statement, limit, signal)).rows.map(storedRow);
  };
  const [systems, others] = await Promise.all([
    includeSystem ? read(true, head.sequence + 1, undefined) : read(true, before, last),
    read(false, before, last),
  ]);
  const inRange = [...systems.filter(({ sequence }) => sequence < before), ...others].sort(bySequence);
  const rows = last === undefined ? inRange : windowOf(inRange, last, false);
  if (!includeSystem) return unchanged(session, key, head, rows, signal);
  const picked = new Set(rows.map(({ sequence }) => sequence));
  const all = [...rows, ...systems.filter(({ sequence }) => !picked.has(sequence))].sort(bySequence);
  return unchanged(session, key, head, all, signal);
}

/** The rows, if the conversation was neither replaced nor trimmed since the head was read; what was appended is above them. */
async function unchanged(
  session: MemorySession,
  key: string,
  head: ConversationHead,
  rows: readonly StoredRow[],
  signal: AbortSignal | undefined,
): Promise<ConversationRows | undefined> {
  const now = await readHead(session, key, { code: 'store_read', signal });
  if (now === undefined || now.generation !== head.generation || now.first !== head.first) return undefined;
  // Without rows nothing tells whether an append came before or after they were read.
  if (rows.length === 0 && now.sequence !== head.sequence) return undefined;
  return { rows, sequence: head.sequence };
}

/** Of several pages: whether the conversation is as it was when the first row was read, but for what was appended. */
async function isStill(
  session: MemorySession,
  key: string,
  row: CassandraMemoryRow,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const now = await readHead(session, key, { code: 'store_read', signal });
  return now !== undefined && isOfHead(row, now) && now.first === numberOf(row['firstSequence']);
}

async function readPages(
  { connection }: MemorySession,
  statement: CassandraMemoryStatement,
  limit: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Pages> {
  const rows: CassandraMemoryRow[] = [];
  let pageState: string | undefined;
  let count = 0;
  do {
    const fetchSize = limit === undefined ? PAGE : Math.min(PAGE, limit - rows.length);
    const page = await connection.execute(statement, { code: 'store_read', signal, fetchSize, pageState });
    for (const row of page.rows ?? []) rows.push(row);
    count += 1;
    pageState = page.pageState ?? undefined;
  } while (pageState !== undefined && (limit === undefined || rows.length < limit));
  return { rows, count };
}

/** Of rows by sequence: the last ones, and system messages in front of them if they are wanted. */
function windowOf(rows: readonly StoredRow[], last: number, includeSystem: boolean): readonly StoredRow[] {
  const start = Math.max(0, rows.length - last);
  const window = rows.slice(start);
  return includeSystem ? [...rows.slice(0, start).filter(({ isSystem }) => isSystem), ...window] : window;
}

function bySequence(a: StoredRow, b: StoredRow): number {
  return a.sequence - b.sequence;
}
