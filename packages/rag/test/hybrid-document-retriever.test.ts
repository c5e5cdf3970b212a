import { document, VernalError } from '@vernal/core';
import { HybridDocumentRetriever, KeywordDocumentRetriever, query, VECTOR_STORE_FILTER_EXPRESSION } from '@vernal/rag';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { SearchMode, SearchRequest, VectorStoreRetriever } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const docs = ['a', 'b', 'c', 'd'].map((id, i) =>
  document({ id, text: `${id} text`, metadata: { tenant: i % 2 === 0 ? 'acme' : 'evil' } }),
);
const [a, b, c, d] = docs as [(typeof docs)[0], (typeof docs)[0], (typeof docs)[0], (typeof docs)[0]];
const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);

type Answer = (request: SearchRequest, signal: AbortSignal | undefined) => Promise<typeof docs>;

/** A store that declares some modes, and what it was asked. */
function store(modes: readonly SearchMode[], answer: Answer): VectorStoreRetriever & { requests: SearchRequest[] } {
  const requests: SearchRequest[] = [];
  return Object.assign(
    {
      requests,
      similaritySearch: (request: string | SearchRequest, context?: { signal?: AbortSignal | undefined }) => {
        const asked = typeof request === 'string' ? { query: request } : request;
        requests.push(asked);
        return answer(asked, context?.signal);
      },
    },
    { capabilities: { modes } },
  );
}

interface Hanging {
  readonly answer: (signal: AbortSignal | undefined) => Promise<never>;
  readonly state: string[];
  readonly asked: Promise<void>;
}

/** Never answers, and says whether it was let go. */
function hanging(): Hanging {
  const state: string[] = [];
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const answer = (signal: AbortSignal | undefined): Promise<never> => {
    state.push('asked');
    ask();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        state.push('ended');
        reject(signal.reason);
      });
    });
  };
  return { answer, state, asked };
}

const broken = new VernalError('no answer', { code: 'store_read' });

describe('HybridDocumentRetriever', () => {
  it('asks a store that can do both once, for as many as are wanted', async () => {
    const vectorStore = store(['vector', 'keyword', 'hybrid'], async () => [a, b]);
    const keywords = (): never => {
      throw new Error('not to be asked');
    };
    const retriever = new HybridDocumentRetriever({
      vectorStore,
      keywords,
      topK: 7,
      requiredFilter: "tenant == 'acme'",
    });
    expect(await retriever.retrieve(query('q'))).toEqual([a, b]);
    expect(vectorStore.requests).toMatchObject([
      { query: 'q', topK: 7, mode: 'hybrid', filterExpression: { type: 'EQ' } },
    ]);
  });

  it('finds with a real store what is near and what has the words', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await vectorStore.add([document({ id: 'x', text: 'invoice 4711' }), document({ id: 'y', text: 'roses are red' })]);
    const [best] = await new HybridDocumentRetriever({ vectorStore }).retrieve(query('invoice 4711'));
    expect(best).toMatchObject({ id: 'x', score: 1 });
  });

  it('joins both lists by rank where the store cannot, best first and no more than wanted', async () => {
    const vectorStore = store(['vector'], async () => [a, b, c]);
    const retriever = new HybridDocumentRetriever({ vectorStore, keywords: async () => [d, c, b], topK: 3 });
    const found = await retriever.retrieve(query('q'));
    expect(ids(found)).toEqual(['b', 'c', 'a']);
    expect(found[0]?.score).toBeCloseTo((61 / 62 + 61 / 63) / 2, 9);
    expect(vectorStore.requests).toMatchObject([{ mode: 'vector', topK: 50 }]);
    const weighted = new HybridDocumentRetriever({
      vectorStore,
      keywords: () => [d, c, b],
      topK: 1,
      weights: [1, 9],
      k: 0,
    });
    expect(ids(await weighted.retrieve(query('q')))).toEqual(['d']);
  });

  it('takes the keyword search of a store that has one', async () => {
    const vectorStore = store(['vector', 'keyword'], async ({ mode }) => (mode === 'keyword' ? [d] : [a]));
    expect(ids(await new HybridDocumentRetriever({ vectorStore }).retrieve(query('q')))).toEqual(['a', 'd']);
  });

  it('asks both at the same time', async () => {
    let asked = 0;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const wait = async (): Promise<typeof docs> => {
      asked++;
      // Opens when the other one was asked too: one after the other would wait for ever.
      if (asked === 2) open();
      await gate;
      return [a];
    };
    const retriever = new HybridDocumentRetriever({ vectorStore: store(['vector'], wait), keywords: wait });
    expect(ids(await retriever.retrieve(query('q')))).toEqual(['a']);
  });

  it('holds what the search by words finds against its filters, and hands them to it', async () => {
    const seen: unknown[] = [];
    const careless = ({ context }: { readonly context: Readonly<Record<string, unknown>> }): typeof docs => {
      seen.push(context[VECTOR_STORE_FILTER_EXPRESSION]);
      return docs;
    };
    const vectorStore = store(['vector'], async () => [a]);
    const retriever = new HybridDocumentRetriever({
      vectorStore,
      keywords: careless,
      requiredFilter: "tenant == 'acme'",
    });
    expect(ids(await retriever.retrieve(query('q')))).toEqual(['a', 'c']);
    const evil = query('q', { context: { [VECTOR_STORE_FILTER_EXPRESSION]: "tenant == 'evil'" } });
    expect(ids(await retriever.retrieve(evil))).toEqual([]);
    expect(seen).toMatchObject([{ type: 'EQ' }, { type: 'AND' }]);
    expect(vectorStore.requests).toMatchObject([
      { filterExpression: { type: 'EQ' } },
      { filterExpression: { type: 'AND' } },
    ]);
    const careful = new KeywordDocumentRetriever({ documents: docs, topK: 1 });
    const both = new HybridDocumentRetriever({ vectorStore, keywords: careful, requiredFilter: "tenant == 'evil'" });
    expect(ids(await both.retrieve(query('text')))).toEqual(['b']);
  });

  it('goes on with what one side found when the other fails, and says so without contents', async () => {
    const warned: unknown[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (...said: unknown[]) => void warned.push(said) };
    const fails = async (): Promise<never> => {
      throw broken;
    };
    const words = new HybridDocumentRetriever({
      vectorStore: store(['vector'], async () => [a]),
      keywords: fails,
      logger,
    });
    expect(ids(await words.retrieve(query('secret')))).toEqual(['a']);
    const vectors = new HybridDocumentRetriever({ vectorStore: store(['vector'], fails), keywords: () => [d], logger });
    expect(ids(await vectors.retrieve(query('secret')))).toEqual(['d']);
    expect(warned).toMatchObject([
      [expect.any(String), { side: 'words', code: 'store_read' }],
      [expect.any(String), { side: 'vectors', code: 'store_read' }],
    ]);
    expect(JSON.stringify(warned)).not.toContain('secret');
  });

  it('fails when both sides do, and with onError throw when one does, which ends the other', async () => {
    const fails = async (): Promise<never> => {
      throw broken;
    };
    const both = new HybridDocumentRetriever({ vectorStore: store(['vector'], fails), keywords: fails });
    await expect(both.retrieve(query('q'))).rejects.toBe(broken);
    const { answer, state } = hanging();
    const strict = new HybridDocumentRetriever({
      vectorStore: store(['vector'], (_, signal) => answer(signal)),
      keywords: fails,
      onError: 'throw',
    });
    await expect(strict.retrieve(query('q'))).rejects.toBe(broken);
    expect(state).toEqual(['asked', 'ended']);
  });

  it('ends both when the signal fires', async () => {
    const vectors = hanging();
    const words = hanging();
    const retriever = new HybridDocumentRetriever({
      vectorStore: store(['vector'], (_, signal) => vectors.answer(signal)),
      keywords: (_, context) => words.answer(context?.signal),
    });
    const controller = new AbortController();
    const found = retriever.retrieve(query('q'), { signal: controller.signal });
    await Promise.all([vectors.asked, words.asked]);
    controller.abort();
    await expect(found).rejects.toMatchObject({ code: 'aborted' });
    expect([vectors.state, words.state]).toEqual([
      ['asked', 'ended'],
      ['asked', 'ended'],
    ]);
  });

  it('refuses what cannot work', () => {
    const vectorStore = store(['vector'], async () => []);
    const refused = (options: object) =>
      expect(() => new HybridDocumentRetriever({ vectorStore, keywords: () => [], ...options })).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    refused({ keywords: undefined });
    refused({ keywords: {} });
    refused({ vectorStore: {} });
    refused({ topK: 0 });
    refused({ k: -1 });
    refused({ weights: [-1, 1] });
    refused({ onError: 'ignore' });
  });
});
