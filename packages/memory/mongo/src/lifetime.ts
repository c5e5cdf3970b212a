import type { UpdateFilter } from 'mongodb';
import type { ConversationHead } from './conversation-head.js';
import type { MemoryDocument } from './memory-document.js';

/** The dates of the documents of one write. */
export interface Lifetime {
  readonly until?: Date;
  readonly keptUntil?: Date;
  readonly expiresAt?: Date;
}

/** The dates of a write, and what has to be done to the documents before it so that none of them is removed too early, or never. */
export interface Renewal {
  readonly lifetime: Lifetime;
  readonly before?: UpdateFilter<MemoryDocument>;
  readonly after?: UpdateFilter<MemoryDocument>;
}

const MINUTE_MS = 60_000;

/**
 * A conversation ends as a whole, when its newest document says; the server removes its documents after that, one by one. So that an append need
 * not touch all of them each time, they are given a tenth more than they need, and are touched again when that is used up.
 */
export function renewal(head: ConversationHead | undefined, ttlMs: number | undefined): Renewal {
  if (ttlMs === undefined) {
    if (head?.until === undefined) return { lifetime: {} };
    return { lifetime: {}, before: { $unset: { until: '', keptUntil: '', expiresAt: '' } } };
  }
  const now = Date.now();
  const until = new Date(now + ttlMs);
  const expiresAt = new Date(until.getTime() + Math.max(MINUTE_MS, Math.ceil(ttlMs / 10)));
  const renewed = { lifetime: { until, keptUntil: expiresAt, expiresAt } };
  if (head === undefined) return renewed;
  if (head.keptUntil !== undefined && head.keptUntil >= until)
    return { lifetime: { until, keptUntil: head.keptUntil, expiresAt } };
  const $set = { until, expiresAt };
  // What had no end must not get one from an append that may yet fail.
  if (head.until === undefined) return { lifetime: { until, expiresAt }, after: { $set } };
  return { ...renewed, before: { $set } };
}

/** The dates of what is written on top of a head without renewing them. */
export function inherited(head: ConversationHead | undefined): Lifetime {
  const { until, keptUntil } = head ?? {};
  if (until === undefined) return {};
  return keptUntil === undefined ? { until, expiresAt: until } : { until, keptUntil, expiresAt: keptUntil };
}

/** How long the mark of a deleted conversation is kept: longer than any write that began before is under way. */
export function markLifetime(): Lifetime {
  return { expiresAt: new Date(Date.now() + 60 * MINUTE_MS) };
}
