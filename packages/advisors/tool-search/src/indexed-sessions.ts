import type { CallContext, Logger } from '@vernal/core';
import { throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import type { IndexEviction } from './index-eviction.js';
import type { ToolIndex, ToolIndexQuery, ToolMatch, ToolReference } from './tool-index.js';

interface Entry {
  readonly session: string;
  /** Sessions of one owner take each other's place. */
  readonly owner: string | undefined;
  indexed: boolean;
  /** Searches that need it now. */
  users: number;
  lastUsed: number;
  /** The write that runs; never rejects. */
  writing?: Promise<void> | undefined;
}

/** What a search needs beside its query. */
export interface SessionSearch {
  readonly session: string;
  readonly owner: string | undefined;
  readonly tools: readonly ToolReference[];
  readonly context: CallContext;
  readonly logger: Logger;
}

/** Which sets of tools an index holds: indexed when they are searched first, forgotten as the eviction says, never while in use. */
export class IndexedSessions {
  readonly #index: ToolIndex;
  readonly #evict: IndexEviction;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();

  constructor(index: ToolIndex, evict: IndexEviction, now: () => number) {
    this.#index = index;
    this.#evict = evict;
    this.#now = now;
  }

  async search(search: SessionSearch, query: Omit<ToolIndexQuery, 'session'>): Promise<readonly ToolMatch[]> {
    const { session, context } = search;
    const entry = this.#use(search);
    try {
      await this.#indexed(entry, search);
      return await this.#index.search({ ...query, session }, context);
    } finally {
      entry.users--;
      await this.#forget(this.#unwanted(entry), search);
    }
  }

  /** Forgets all that is not in use. */
  async clear(context: CallContext | undefined): Promise<void> {
    for (const entry of [...this.#entries.values()]) {
      if (isIdle(entry)) await this.#clear(entry, context);
    }
  }

  #use({ session, owner }: SessionSearch): Entry {
    const entry = this.#entries.get(session) ?? { session, owner, indexed: false, users: 0, lastUsed: 0 };
    this.#entries.delete(session);
    this.#entries.set(session, entry);
    entry.users++;
    entry.lastUsed = this.#now();
    return entry;
  }

  /** Whoever comes first indexes, the others wait; when that fails, the next one tries with a signal of its own. */
  async #indexed(entry: Entry, { tools, context }: SessionSearch): Promise<void> {
    while (!entry.indexed) {
      throwIfAborted(context.signal);
      if (entry.writing !== undefined) await untilAborted(entry.writing, context.signal);
      else {
        await this.#write(entry, async () => {
          await this.#index.index(entry.session, tools, context);
          entry.indexed = true;
        });
      }
    }
  }

  #unwanted(current: Entry): Entry[] {
    const sessions = [...this.#entries.values()];
    const named = new Set(this.#evict({ sessions, current: current.session, now: this.#now() }));
    return sessions.filter(
      (entry) =>
        named.has(entry.session) || (entry !== current && entry.owner !== undefined && entry.owner === current.owner),
    );
  }

  /** Losing something from an index is no reason to fail a search; what stays is named again next time. */
  async #forget(entries: readonly Entry[], { context, logger }: SessionSearch): Promise<void> {
    for (const entry of entries) {
      if (isAborted(context)) return;
      if (!isIdle(entry)) continue;
      try {
        await this.#clear(entry, context);
      } catch (error) {
        if (isAborted(context)) return;
        logger.warn('A tool index could not forget a session', { session: entry.session, error: codeOf(error) });
      }
    }
  }

  #clear(entry: Entry, context: CallContext | undefined): Promise<void> {
    entry.indexed = false;
    return this.#write(entry, async () => {
      await this.#index.clear(entry.session, context);
      if (entry.users === 0) this.#entries.delete(entry.session);
    });
  }

  #write(entry: Entry, write: () => Promise<void>): Promise<void> {
    const written = (async () => {
      try {
        await write();
      } finally {
        entry.writing = undefined;
      }
    })();
    entry.writing = written.catch(() => {});
    return written;
  }
}

function isIdle({ users, writing }: Entry): boolean {
  return users === 0 && writing === undefined;
}

function isAborted({ signal }: CallContext): boolean {
  return signal?.aborted === true;
}

/** Never its message, which may hold contents. */
function codeOf(error: unknown): string {
  return VernalError.is(error) ? error.code : 'unknown';
}
