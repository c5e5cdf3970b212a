import {
  HybridToolIndex,
  KeywordToolIndex,
  type ToolIndex,
  type ToolReference,
  VectorToolIndex,
} from '@vernal/advisors-tool-search';
import { document } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import { SimpleVectorStore, type VectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const TOOLS: readonly ToolReference[] = [
  {
    name: 'sendEmail',
    description: 'Sends a message',
    parameters: [{ name: 'replyTo' }],
    categories: ['mail', 'office'],
  },
  { name: 'bookHotel', description: 'Books a hotel room', parameters: [], categories: ['travel'] },
  { name: 'findFlight', description: 'Finds a flight', parameters: [], categories: ['travel'] },
];

function store(): SimpleVectorStore {
  return new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel({ dimensions: 512 }) });
}

async function names(
  index: ToolIndex,
  session: string,
  query: string,
  more: { maxResults?: number; category?: string } = {},
) {
  return (await index.search({ session, query, maxResults: 5, ...more })).map(({ name }) => name);
}

async function count(vectorStore: VectorStore): Promise<number> {
  return (await vectorStore.similaritySearch({ query: 'hotel', topK: 1000 })).length;
}

describe('VectorToolIndex', () => {
  it('finds tools by the words of names, descriptions and parameters, above the threshold', async () => {
    const index = new VectorToolIndex({ vectorStore: store() });
    await index.index('s', TOOLS);
    expect(await names(index, 's', 'hotel room')).toEqual(['bookHotel']);
    expect(await names(index, 's', 'reply to email')).toEqual(['sendEmail']);
    expect(await names(index, 's', 'submarine')).toEqual([]);
    const matches = await index.search({ session: 's', query: 'hotel room', maxResults: 1 });
    expect(matches[0]?.score).toBeGreaterThan(0.2);
    const all = new VectorToolIndex({ vectorStore: store(), similarityThreshold: 0 });
    await all.index('s', TOOLS);
    expect(await names(all, 's', 'submarine')).toHaveLength(3);
    expect(await names(all, 's', 'submarine', { maxResults: 2 })).toHaveLength(2);
  });

  it('keeps sessions apart whatever their names say, and looks into one category', async () => {
    const index = new VectorToolIndex({ vectorStore: store(), similarityThreshold: 0 });
    const evil = "a' OR toolSearchSession != '";
    await index.index('a', TOOLS.slice(0, 1));
    await index.index(evil, TOOLS.slice(1));
    expect(await names(index, 'a', 'x')).toEqual(['sendEmail']);
    expect((await names(index, evil, 'x')).toSorted()).toEqual(['bookHotel', 'findFlight']);
    expect(await names(index, evil, 'x', { category: 'mail' })).toEqual([]);
    expect(await names(index, 'a', 'x', { category: 'office' })).toEqual(['sendEmail']);
    expect(await names(index, 'a', 'x', { category: "office' OR 'a' == 'a" })).toEqual([]);
    await index.clear(evil);
    expect(await names(index, 'a', 'x')).toEqual(['sendEmail']);
  });

  it('replaces a session whole, and leaves foreign documents alone', async () => {
    const vectorStore = store();
    await vectorStore.add([document({ id: 'mine', text: 'A hotel by the sea' })]);
    const index = new VectorToolIndex({ vectorStore });
    await index.index('s', TOOLS);
    await index.index('s', TOOLS);
    expect(await count(vectorStore)).toBe(4);
    await index.index('s', TOOLS.slice(0, 1));
    expect(await count(vectorStore)).toBe(2);
    expect(await names(index, 's', 'hotel sea')).toEqual([]);
    await index.clear('s');
    expect(await count(vectorStore)).toBe(1);
  });

  it('takes out what an earlier process put in', async () => {
    const vectorStore = store();
    await new VectorToolIndex({ vectorStore }).index('s', TOOLS);
    await new VectorToolIndex({ vectorStore }).clear('s');
    expect(await count(vectorStore)).toBe(0);
  });

  it('deletes by id where a store cannot delete by filter', async () => {
    const inner = store();
    const limited: VectorStore = {
      name: 'limited',
      capabilities: { ...inner.capabilities, deleteByFilter: false },
      add: (documents, context) => inner.add(documents, context),
      write: (documents, options) => inner.write(documents, options),
      similaritySearch: (request, context) => inner.similaritySearch(request, context),
      delete: async (target, context) => {
        if (!Array.isArray(target)) throw new Error('not here');
        return inner.delete(target, context);
      },
    };
    const index = new VectorToolIndex({ vectorStore: limited });
    await index.index('s', TOOLS);
    await index.index('s', TOOLS.slice(1));
    expect(await count(inner)).toBe(2);
    await index.clear('s');
    await index.clear('s');
    expect(await count(inner)).toBe(0);
  });

  it('hands its signal on, and refuses what it cannot search with', async () => {
    const index = new VectorToolIndex({ vectorStore: store() });
    const context = { signal: AbortSignal.abort() };
    await expect(index.index('s', TOOLS, context)).rejects.toMatchObject({ code: 'aborted' });
    await expect(index.search({ session: 's', query: 'x', maxResults: 1 }, context)).rejects.toMatchObject({
      code: 'aborted',
    });
    await expect(index.search({ session: 's', query: '', maxResults: 1 })).rejects.toMatchObject({ subject: 'query' });
    expect(() => new VectorToolIndex({} as { vectorStore: VectorStore })).toThrow(/vectorStore/);
    expect(() => new VectorToolIndex({ vectorStore: store(), similarityThreshold: Number.NaN })).toThrow(
      /similarityThreshold/,
    );
  });
});

describe('HybridToolIndex', () => {
  const list = (...found: readonly string[]): ToolIndex => ({
    index: async () => {},
    clear: async () => {},
    search: async ({ maxResults }) => found.slice(0, maxResults).map((name, i) => ({ name, score: 100 - i })),
  });

  it('puts first what stands high in all lists, and keeps what is in one only', async () => {
    const index = new HybridToolIndex({ indexes: [list('a', 'b', 'c'), list('b', 'd')] });
    expect(await names(index, 's', 'x')).toEqual(['b', 'a', 'd', 'c']);
    expect(await names(index, 's', 'x', { maxResults: 1 })).toEqual(['b']);
    const matches = await index.search({ session: 's', query: 'x', maxResults: 1 });
    expect(matches[0]?.score).toBeCloseTo(1 / 62 + 1 / 61, 12);
  });

  it('indexes, searches and clears all of them', async () => {
    const vectorStore = store();
    const index = new HybridToolIndex({ indexes: [new KeywordToolIndex(), new VectorToolIndex({ vectorStore })] });
    await index.index('s', TOOLS);
    expect(await names(index, 's', 'hotel')).toEqual(['bookHotel']);
    await index.clear('s');
    expect(await names(index, 's', 'hotel')).toEqual([]);
    expect(await count(vectorStore)).toBe(0);
  });

  it('fails when one of them fails, after the others have ended', async () => {
    const ended: string[] = [];
    const failing: ToolIndex = { ...list(), search: () => Promise.reject(new Error('down')) };
    const slow: ToolIndex = {
      ...list(),
      search: async () => {
        await Promise.resolve();
        await Promise.resolve();
        ended.push('slow');
        return [];
      },
    };
    const index = new HybridToolIndex({ indexes: [failing, slow] });
    await expect(names(index, 's', 'x')).rejects.toThrow('down');
    expect(ended).toEqual(['slow']);
  });

  it('refuses to be of nothing', () => {
    expect(() => new HybridToolIndex({ indexes: [] })).toThrow(/indexes/);
    expect(() => new HybridToolIndex({ indexes: [list()], rankConstant: 0 })).toThrow(/rankConstant/);
  });
});
