import { ConversationConflictError } from '@vernal/core';
import { backOff } from '@vernal/core/adapter';
import { isOutcomeUnknown } from './cassandra-error.js';
import type { CassandraMemoryStatement } from './cassandra-memory-client.js';
import { clearLeftovers } from './clear-leftovers.js';
import { type ConditionalWrite, conditionalWrite, type Settled } from './conditional-write.js';
import { findHead, readHead } from './conversation-head.js';
import { findReferences } from './find-references.js';
import { longValue } from './long-value.js';
import type { MemorySession } from './memory-session.js';
import { deleteParts, dropWrite, type PartsReference, storeParts } from './message-parts.js';
import type { PlannedRow, PlannedWrite } from './planned-write.js';
import { tooManyWriters } from './too-many-writers.js';

/** What is appended, or takes the place of what is there. */
export interface ConversationWrite {
  readonly key: string;
  readonly conversationId: string;
  /** The id as it is stored. */
  readonly storedId: string;
  readonly plan: PlannedWrite;
  readonly replaces: boolean;
  readonly expected: number | undefined;
}

const TRIES = 60;

/**
 * Parts first, which nobody sees yet; then one conditional write for all rows and the sequence. Whoever loses against another writer begins
 * again behind that one, with the parts that are there already.
 */
export async function writeConversation(
  session: MemorySession,
  write: ConversationWrite,
  signal: AbortSignal | undefined,
): Promise<{ readonly sequence: number }> {
  const { key, plan } = write;
  if (plan.parted.length === 0) return commit(session, write, signal);
  try {
    await storeParts(session, key, plan, plan.parted, signal);
    return await commit(session, write, signal);
  } catch (error) {
    // After an abort it may still land.
    if (!isOutcomeUnknown(error) && signal?.aborted !== true) await dropWrite(session, key, plan).catch(() => {});
    throw error;
  }
}

async function commit(
  session: MemorySession,
  write: ConversationWrite,
  signal: AbortSignal | undefined,
): Promise<{ readonly sequence: number }> {
  const { key, conversationId, plan, replaces, expected } = write;
  const context = { code: 'store_write', signal } as const;
  // Who expects a sequence and only appends to what is there need not ask for it.
  const asks = replaces || !expected || plan.rows.length === 0;
  const found = asks ? await findHead(session, key, context) : undefined;
  if (found === 'leftovers') await clearLeftovers(session, key, signal);
  let head = found === 'leftovers' ? undefined : found;
  let known = head?.sequence ?? (asks ? 0 : expected);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (expected !== undefined && known !== expected)
      throw ConversationConflictError.between(conversationId, expected, known);
    // Nothing to append; or nothing to replace by nothing.
    if (plan.rows.length === 0 && (!replaces || known === 0)) return { sequence: known };
    const replaced = replaces && head?.hasParts ? await findReferences(session, key, { end: known + 1 }, signal) : [];
    const standing = await conditionalWrite(session, claimOf(session, write, known), signal);
    if (standing === undefined) {
      await forgotten(session, key, replaced, signal);
      return { sequence: known + plan.rows.length };
    }
    if (expected !== undefined) throw ConversationConflictError.between(conversationId, expected, standing.sequence);
    await backOff(attempt, signal);
    if (replaces) head = await readHead(session, key, context);
    known = replaces ? (head?.sequence ?? 0) : standing.sequence;
  }
  throw tooManyWriters();
}

/** What was replaced is gone, whatever becomes of its parts: those that are left take room, and no more. */
async function forgotten(
  session: MemorySession,
  key: string,
  references: readonly PartsReference[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (references.length > 0) await deleteParts(session, key, references, signal).catch(() => {});
}

function claimOf(
  session: MemorySession,
  { key, storedId, plan, replaces }: ConversationWrite,
  known: number,
): ConditionalWrite {
  const { cql } = session;
  const { writeId, rows, parted } = plan;
  const sequence = known + rows.length;
  const values = [longValue(sequence), storedId, writeId, key];
  const next = longValue(known + 1);
  const begins = replaces || known === 0;
  const statements: CassandraMemoryStatement[] = [
    known === 0 ? { query: cql.claimNew, params: values } : { query: cql.claim, params: [...values, longValue(known)] },
    ...(begins ? [{ query: cql.setGeneration, params: [writeId, key] }] : []),
    ...(parted.length > 0 ? [{ query: cql.setHasParts, params: [key] }] : []),
    ...(replaces && known > 0
      ? [
          { query: cql.setFirst, params: [next, key] },
          { query: cql.deleteBefore, params: [key, true, next] },
          { query: cql.deleteBefore, params: [key, false, next] },
        ]
      : []),
    ...rows.map((row, index) => insertion(session, key, plan, row, known + 1 + index)),
  ];
  return { statements, settled: (signal) => settledClaim(session, { key, writeId, known }, signal) };
}

function insertion(
  { cql }: MemorySession,
  key: string,
  { writeId, createdAt }: PlannedWrite,
  { isSystem, type, text, message, item, parts }: PlannedRow,
  sequence: number,
): CassandraMemoryStatement {
  const values = [key, isSystem, longValue(sequence), type, text, new Date(createdAt), writeId];
  return message === undefined
    ? { query: cql.insertReference, params: [...values, item, parts] }
    : { query: cql.insert, params: [...values, message] };
}

/** By the write that stands at the conversation, else by the one that has the first of the sequences that were claimed. */
async function settledClaim(
  session: MemorySession,
  { key, writeId, known }: { readonly key: string; readonly writeId: string; readonly known: number },
  signal: AbortSignal | undefined,
): Promise<Settled> {
  const context = { code: 'store_write', isSerial: true, signal } as const;
  const head = await readHead(session, key, context);
  if (head?.lastWrite === writeId || head?.generation === writeId) return 'landed';
  if ((head?.sequence ?? 0) === known) return 'open';
  const { connection, cql } = session;
  const { rows } = await connection.execute({ query: cql.writeAt, params: [key, longValue(known + 1)] }, context);
  const row = rows?.[0];
  if (row === undefined) return 'unknown';
  return String(row['writeId']) === writeId ? 'landed' : 'lost';
}
