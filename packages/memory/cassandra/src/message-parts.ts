import type { CassandraMemoryStatement } from './cassandra-memory-client.js';
import { longValue, numberOf } from './long-value.js';
import type { MemorySession } from './memory-session.js';

/** Where the parts of a message are. */
export interface PartsReference {
  readonly writeId: string;
  /** Which message of its write it was. */
  readonly item: number;
  readonly parts: number;
  /** Of the write, milliseconds. */
  readonly createdAt: number;
}

/** A message that stands in parts. */
export interface PartedMessage {
  readonly item: number;
  readonly parts: readonly string[];
}

/** Up to 512 KiB in UTF-8: far below what Cassandra takes as one mutation. */
const PART_LENGTH = 128 * 1024;
const BATCH_LENGTH = 256 * 1024;
const BATCH_STATEMENTS = 100;
const AT_ONCE = 4;
const PAGE = 16;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** What no conversation refers to and is older than this was left behind by a writer that is gone. */
const LEFT_BEHIND_MS = 3_600_000;

/** Text in pieces that are texts themselves: no character is cut in two. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PART_LENGTH;
    const last = text.charCodeAt(end - 1);
    const next = last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
    parts.push(text.slice(start, next));
    start = next;
  }
  return parts;
}

/**
 * Stores parts before anything refers to them. Their timestamp is that of the write, and whatever deletes them says a later one: neither depends
 * on the clocks of others, and to store them twice is to store them once.
 */
export async function storeParts(
  { connection, cql }: MemorySession,
  key: string,
  { writeId, createdAt }: Pick<PartsReference, 'writeId' | 'createdAt'>,
  messages: readonly PartedMessage[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const statements = messages.flatMap(({ item, parts }) =>
    parts.map((content, part) => ({
      length: content.length,
      query: cql.insertPart,
      params: [key, writeId, item, part, content, longValue(timestampOf(createdAt))],
    })),
  );
  const batches: CassandraMemoryStatement[][] = [];
  let room = 0;
  for (const { length, ...statement } of statements) {
    const batch = batches.at(-1);
    if (batch === undefined || length > room || batch.length >= BATCH_STATEMENTS) {
      batches.push([statement]);
      room = BATCH_LENGTH - length;
    } else {
      batch.push(statement);
      room -= length;
    }
  }
  for (let start = 0; start < batches.length; start += AT_ONCE) {
    const some = batches.slice(start, start + AT_ONCE);
    await Promise.all(some.map((batch) => connection.batch(batch, { code: 'store_write', signal })));
  }
}

/** By `writeId item`; those that are not all there are left out. */
export async function readParts(
  session: MemorySession,
  key: string,
  references: readonly PartsReference[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  await Promise.all(
    [...byWrite(references)].map(async ([writeId, ofWrite]) => {
      const found = await readWrite(session, [key, writeId, ...ends(ofWrite)], signal);
      for (const { item, parts } of ofWrite) {
        const pieces = found.get(item) ?? [];
        if (pieces.length === parts) texts.set(partsKey({ writeId, item }), pieces.join(''));
      }
    }),
  );
  return texts;
}

export function partsKey({ writeId, item }: Pick<PartsReference, 'writeId' | 'item'>): string {
  return `${writeId} ${item}`;
}

/** Of messages that are gone already. */
export async function deleteParts(
  { connection, cql }: MemorySession,
  key: string,
  references: readonly PartsReference[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const statements = references.map(({ writeId, item, createdAt }) => ({
    query: cql.deleteItem,
    params: [longValue(timestampOf(createdAt) + 1), key, writeId, item],
  }));
  for (let start = 0; start < statements.length; start += BATCH_STATEMENTS)
    await connection.batch(statements.slice(start, start + BATCH_STATEMENTS), { code: 'store_write', signal });
}

/** All of one write that did not come to be. */
export async function dropWrite(
  { connection, cql }: MemorySession,
  key: string,
  { writeId, createdAt }: Pick<PartsReference, 'writeId' | 'createdAt'>,
): Promise<void> {
  const params = [longValue(timestampOf(createdAt) + 1), key, writeId];
  await connection.execute({ query: cql.deleteParts, params }, { code: 'store_write' });
}

/** What writers have left behind that were ended between storing parts and referring to them. */
export async function dropLeftBehind(
  session: MemorySession,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { connection, cql } = session;
  for (let after = FIRST_ID; ; ) {
    const { rows } = await connection.execute(
      { query: cql.nextParts, params: [key, after] },
      { code: 'store_write', signal },
    );
    const row = rows?.[0];
    if (row === undefined) return;
    after = String(row['writeId']);
    const createdAt = numberOf(row['writtenAt']) / 1000;
    if (Date.now() - createdAt > LEFT_BEHIND_MS) await dropWrite(session, key, { writeId: after, createdAt });
  }
}

async function readWrite(
  { connection, cql }: MemorySession,
  params: unknown[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, string[]>> {
  const items = new Map<number, string[]>();
  let pageState: string | undefined;
  do {
    const page = await connection.execute(
      { query: cql.findParts, params },
      { code: 'store_read', signal, fetchSize: PAGE, pageState },
    );
    for (const row of page.rows ?? []) {
      const item = Number(row['item']);
      const pieces = items.get(item) ?? [];
      pieces.push(String(row['content']));
      items.set(item, pieces);
    }
    pageState = page.pageState ?? undefined;
  } while (pageState !== undefined);
  return items;
}

function byWrite(references: readonly PartsReference[]): ReadonlyMap<string, PartsReference[]> {
  const writes = new Map<string, PartsReference[]>();
  for (const reference of references) {
    const ofWrite = writes.get(reference.writeId);
    if (ofWrite === undefined) writes.set(reference.writeId, [reference]);
    else ofWrite.push(reference);
  }
  return writes;
}

function ends(references: readonly PartsReference[]): [number, number] {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { item } of references) {
    first = Math.min(first, item);
    last = Math.max(last, item);
  }
  return [first, last];
}

/** Microseconds. */
function timestampOf(createdAt: number): number {
  return createdAt * 1000;
}
