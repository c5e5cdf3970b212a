import { HybridToolIndex, KeywordToolIndex, type ToolIndex, VectorToolIndex } from '@vernal/advisors-tool-search';
import { LocalEmbeddingModel } from '@vernal/model-local';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { CHINESE_QUERIES, ENGLISH_QUERIES, manyTools, SYNONYM_QUERIES } from './many-tools.js';

type Language = Parameters<typeof manyTools>[0];

/** Queries whose tool is not among the first `within`, with what was found in its place. */
async function missed(
  index: ToolIndex,
  language: Language,
  queries: typeof ENGLISH_QUERIES,
  within: number,
): Promise<string[]> {
  await index.index('all', manyTools(language));
  const wrong: string[] = [];
  for (const [query, tool] of queries) {
    const found = (await index.search({ session: 'all', query, maxResults: within })).map(({ name }) => name);
    if (!found.includes(tool)) wrong.push(`${query}: not ${tool} but ${found.join(', ')}`);
  }
  return wrong;
}

const keywords = (): ToolIndex => new KeywordToolIndex();
const vectors = (): ToolIndex =>
  new VectorToolIndex({ vectorStore: new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() }) });
const both = (): ToolIndex => new HybridToolIndex({ indexes: [keywords(), vectors()] });
const all = [...ENGLISH_QUERIES, ...CHINESE_QUERIES];

/** The bounds leave room for one or two queries; synonyms by words are there to show what words cannot do. */
describe('what is found of 62 tools', () => {
  it.each([
    ['words', 'en', 'plain', keywords, ENGLISH_QUERIES, 5, 0.95],
    ['words', 'en', 'plain', keywords, ENGLISH_QUERIES, 1, 0.85],
    ['words', 'zh', 'plain', keywords, CHINESE_QUERIES, 5, 0.95],
    ['words', 'zh', 'plain', keywords, CHINESE_QUERIES, 1, 0.85],
    ['words', 'both', 'plain', keywords, all, 5, 0.95],
    ['words', 'en', 'synonyms', keywords, SYNONYM_QUERIES, 5, 0.1],
    ['meaning', 'en', 'plain', vectors, ENGLISH_QUERIES, 5, 0.95],
    ['meaning', 'en', 'synonyms', vectors, SYNONYM_QUERIES, 5, 0.8],
    ['both', 'en', 'plain', both, ENGLISH_QUERIES, 5, 0.95],
    ['both', 'en', 'synonyms', both, SYNONYM_QUERIES, 5, 0.8],
    ['both', 'both', 'plain', both, all, 5, 0.95],
  ] as const)('by %s, described in %s, %s', async (_by, language, _kind, index, queries, within, bound) => {
    const wrong = await missed(index(), language, queries, within);
    expect(1 - wrong.length / queries.length, wrong.join('\n')).toBeGreaterThanOrEqual(bound);
  });
});
