import type { CallContext, Document } from '@vernal/core';
import { contentId, document, invalidArgument } from '@vernal/core';
import type { VectorStore } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import { requireQuery, requireText } from './index-checks.js';
import type { ToolIndex, ToolIndexQuery, ToolMatch, ToolReference } from './tool-index.js';

const SESSION = 'toolSearchSession';
const NAME = 'toolName';
const CATEGORIES = 'toolCategories';

/** The store, and how near a tool has to be. */
export interface VectorToolIndexOptions {
  /** Best one of its own: other searches in it would find tools. */
  readonly vectorStore: VectorStore;
  /** Tools below it are not found; in the scale of the store's metric. Default 0.2; 0 keeps all. */
  readonly similarityThreshold?: number | undefined;
}

/**
 * Finds tools by meaning, in a vector store: synonyms and other languages, as far as its embedding model knows them. Each tool is one
 * document, whose id is made of session and name. It touches no document but its own: they carry their session as metadata.
 *
 * In a store that several processes share, equal sets of tools are the same entries: let none of them forget (`neverEvict`), or give
 * each a `session` of its own.
 *
 * Source: `VectorToolIndex` of Spring AI.
 */
export class VectorToolIndex implements ToolIndex {
  readonly #store: VectorStore;
  readonly #threshold: number;
  /** What was added here: for stores that cannot delete by filter. */
  readonly #ids = new Map<string, readonly string[]>();

  /** @throws VernalError `invalid_argument` without a store, and for a threshold that is no number */
  constructor(options: VectorToolIndexOptions) {
    const { vectorStore, similarityThreshold = 0.2 } = options;
    if (typeof vectorStore?.similaritySearch !== 'function')
      throw invalidArgument('vectorStore', 'must be a vector store');
    if (!Number.isFinite(similarityThreshold)) throw invalidArgument('similarityThreshold', 'must be a finite number');
    this.#store = vectorStore;
    this.#threshold = similarityThreshold;
  }

  /** Takes the old documents of the session out, then adds these. */
  async index(session: string, tools: readonly ToolReference[], context?: CallContext): Promise<void> {
    requireText(session, 'session');
    await this.clear(session, context);
    const documents = await Promise.all(tools.map((tool) => documentOf(session, tool)));
    this.#ids.set(
      session,
      documents.map(({ id }) => id),
    );
    await this.#store.add(documents, context);
  }

  /** @throws VernalError `invalid_argument` for a blank query and a number of results below 1; what the store throws */
  async search(query: ToolIndexQuery, context?: CallContext): Promise<readonly ToolMatch[]> {
    requireQuery(query);
    const own = filter.eq(SESSION, query.session);
    const found = await this.#store.similaritySearch(
      {
        query: query.query,
        topK: query.maxResults,
        similarityThreshold: this.#threshold,
        filterExpression: query.category === undefined ? own : filter.and(own, filter.eq(CATEGORIES, query.category)),
      },
      context,
    );
    return found.flatMap(({ metadata, score }) => {
      const name = metadata[NAME];
      return typeof name === 'string' ? [{ name, score: score ?? 0 }] : [];
    });
  }

  async clear(session: string, context?: CallContext): Promise<void> {
    const known = this.#ids.get(session);
    if (this.#store.capabilities.deleteByFilter) {
      await this.#store.delete({ filter: filter.eq(SESSION, session) }, context);
    } else if (known !== undefined) await this.#store.delete(known, context);
    this.#ids.delete(session);
  }
}

async function documentOf(session: string, tool: ToolReference): Promise<Document> {
  const { name, description, parameters, categories } = tool;
  const about = [inWords(name), description, parameters.map((one) => inWords(one.name)).join(', ')];
  return document({
    id: await contentId(name, { [SESSION]: session }),
    text: about.filter((part) => part !== '').join('\n'),
    metadata: { [SESSION]: session, [NAME]: name, [CATEGORIES]: categories },
    format: { excludedEmbedMetadataKeys: [SESSION, NAME, CATEGORIES] },
  });
}

/** Embedding models know words, not identifiers. */
function inWords(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[\s_.-]+/g, ' ')
    .trim();
}
