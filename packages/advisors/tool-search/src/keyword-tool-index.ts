import type { CallContext } from '@vernal/core';
import { throwIfAborted } from '@vernal/core';
import { requireQuery, requireText } from './index-checks.js';
import { KeywordScores } from './keyword-scores.js';
import type { ToolIndex, ToolIndexQuery, ToolMatch, ToolReference } from './tool-index.js';
import { queryWords } from './tool-words.js';

interface Session {
  readonly tools: readonly ToolReference[];
  readonly scores: KeywordScores;
}

/**
 * Finds tools by the words of their names, descriptions, categories and parameters; in memory, without a model. Words in `camelCase`,
 * `snake_case` and `kebab-case` are taken apart, plurals and words that begin alike match, Chinese, Japanese, Korean and Thai are
 * compared by pairs of characters. A tool whose whole name is in the query comes first. It knows no synonyms and no translations:
 * `VectorToolIndex` does, and `HybridToolIndex` joins both.
 *
 * @example
 * ```ts
 * const index = new KeywordToolIndex();
 * await index.index('mine', [{ name: 'sendEmail', description: 'Sends a message', parameters: [], categories: [] }]);
 * await index.search({ session: 'mine', query: 'emails', maxResults: 5 }); // [{ name: 'sendEmail', score: … }]
 * ```
 * Source: `RegexToolIndex` and `LuceneToolIndex` of Spring AI, whose place it takes.
 */
export class KeywordToolIndex implements ToolIndex {
  readonly #sessions = new Map<string, Session>();

  async index(session: string, tools: readonly ToolReference[], context?: CallContext): Promise<void> {
    requireText(session, 'session');
    throwIfAborted(context?.signal);
    this.#sessions.set(session, { tools: [...tools], scores: new KeywordScores(tools) });
  }

  /** @throws VernalError `invalid_argument` for a blank query and a number of results below 1, `aborted` */
  async search(query: ToolIndexQuery, context?: CallContext): Promise<readonly ToolMatch[]> {
    requireQuery(query);
    throwIfAborted(context?.signal);
    const session = this.#sessions.get(query.session);
    if (session === undefined) return [];
    const scores = session.scores.search(queryWords(query.query));
    const named = new Set(query.query.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u));
    return session.tools
      .flatMap(({ name, categories }, place) => {
        const score = scores.get(place);
        if (score === undefined || (query.category !== undefined && !categories.includes(query.category))) return [];
        return [{ name, score, named: named.has(name.toLowerCase()) }];
      })
      .sort((a, b) => Number(b.named) - Number(a.named) || b.score - a.score)
      .slice(0, query.maxResults)
      .map(({ name, score }) => ({ name, score }));
  }

  async clear(session: string, context?: CallContext): Promise<void> {
    throwIfAborted(context?.signal);
    this.#sessions.delete(session);
  }
}
