import { invalidArgument } from '@vernal/core';
import { requireCount } from './index-checks.js';

/** A set of tools that an index holds. */
export interface KeptSession {
  readonly session: string;
  /** When it was searched last, in milliseconds of the advisor's clock. */
  readonly lastUsed: number;
}

/** What an eviction decides from. */
export interface KeptSessions {
  /** Least recently used first. */
  readonly sessions: readonly KeptSession[];
  /** The one that was just searched. */
  readonly current: string;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * Names the sessions that an index is to forget; asked after each search. Has no state of its own. One that is forgotten is indexed
 * anew when it is searched again, and one that is being searched stays. Source: `EvictionStrategy` of Spring AI.
 */
export type IndexEviction = (kept: KeptSessions) => readonly string[];

/** Keeps everything. */
export const neverEvict: IndexEviction = () => [];

/** Keeps nothing: each search indexes its tools and forgets them. */
export const alwaysEvict: IndexEviction = ({ current }) => [current];

/** Keeps the `maxSessions` that were used last; default 1000. Throws `invalid_argument` unless it is at least 1. */
export function lruEviction(options: { readonly maxSessions?: number | undefined } = {}): IndexEviction {
  const max = requireCount(options.maxSessions ?? 1000, 'maxSessions');
  return ({ sessions }) => sessions.slice(0, Math.max(0, sessions.length - max)).map(({ session }) => session);
}

/** Forgets what was not used for `ttlMs` milliseconds or more, never the current one. Throws `invalid_argument` unless it is above 0. */
export function ttlEviction(options: { readonly ttlMs: number }): IndexEviction {
  const { ttlMs } = options;
  if (!(typeof ttlMs === 'number' && ttlMs > 0))
    throw invalidArgument('ttlMs', 'must be a number of milliseconds above 0');
  return ({ sessions, current, now }) =>
    sessions
      .filter(({ session, lastUsed }) => session !== current && now - lastUsed >= ttlMs)
      .map(({ session }) => session);
}

/** Forgets what any of them forgets. Throws `invalid_argument` for none. */
export function compositeEviction(...evictions: readonly IndexEviction[]): IndexEviction {
  if (evictions.length === 0) throw invalidArgument('evictions', 'needs at least one');
  return (kept) => [...new Set(evictions.flatMap((evict) => evict(kept)))];
}
