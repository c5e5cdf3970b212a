import type { CallContext } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { requireCount, requireQuery } from './index-checks.js';
import type { ToolIndex, ToolIndexQuery, ToolMatch, ToolReference } from './tool-index.js';

/** How far down a list is looked at, for tools that stand in the middle of several. */
const DEPTH = 3;

/** The indexes that are asked, and how much the first places count. */
export interface HybridToolIndexOptions {
  /** At least one, such as a `KeywordToolIndex` and a `VectorToolIndex`. */
  readonly indexes: readonly ToolIndex[];
  /** The higher, the less the first places count more than the next. A whole number >= 1; default 60, as its authors found. */
  readonly rankConstant?: number | undefined;
}

/**
 * Several indexes as one: a tool stands the higher the higher it stands in each. What one of them throws is thrown, when all have
 * ended.
 *
 * Source: reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009.
 */
export class HybridToolIndex implements ToolIndex {
  readonly #indexes: readonly ToolIndex[];
  readonly #rankConstant: number;

  /** @throws VernalError `invalid_argument` without an index, and for a rank constant below 1 */
  constructor(options: HybridToolIndexOptions) {
    const { indexes, rankConstant = 60 } = options;
    if (!Array.isArray(indexes) || indexes.length === 0)
      throw invalidArgument('indexes', 'needs at least one ToolIndex');
    this.#indexes = [...indexes];
    this.#rankConstant = requireCount(rankConstant, 'rankConstant');
  }

  async index(session: string, tools: readonly ToolReference[], context?: CallContext): Promise<void> {
    await this.#all((index) => index.index(session, tools, context));
  }

  async search(query: ToolIndexQuery, context?: CallContext): Promise<readonly ToolMatch[]> {
    requireQuery(query);
    const lists = await this.#all((index) => index.search({ ...query, maxResults: query.maxResults * DEPTH }, context));
    const scores = new Map<string, number>();
    for (const list of lists) {
      for (const [rank, { name }] of list.entries()) {
        scores.set(name, (scores.get(name) ?? 0) + 1 / (this.#rankConstant + rank + 1));
      }
    }
    return [...scores]
      .map(([name, score]) => ({ name, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, query.maxResults);
  }

  async clear(session: string, context?: CallContext): Promise<void> {
    await this.#all((index) => index.clear(session, context));
  }

  /** Nothing goes on running when one has failed. */
  async #all<T>(work: (index: ToolIndex) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled(this.#indexes.map(work));
    return settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }
}
