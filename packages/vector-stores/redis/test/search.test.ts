import { document } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { SearchMode } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import { expect, it } from 'vitest';
import { describeOnServer } from './server.js';

const texts = {
  ships: 'Engines of large ships',
  umlaut: 'Die GRÖSSE der Motoren',
  chinese: '日本語の検索エンジン',
  nul: 'before\u0000after',
  quote: 'the captain’s ship',
  stop: 'to be or not to be',
};

describeOnServer('searching', (server) => {
  const store = server.store({ metadataFields: [{ name: 'title', type: 'text' }] });
  const ready = store.add([
    ...Object.entries(texts).map(([id, text]) => document({ id, text, metadata: { lang: id.length } })),
    document({ id: 'titled', text: 'nothing', metadata: { title: ['Harbour master', 'Pilot'] } }),
  ]);
  const ids = async (query: string, mode: SearchMode = 'keyword'): Promise<string[]> => {
    await ready;
    return (await store.similaritySearch({ query, mode, topK: 20 })).map(({ id }) => id);
  };

  it('finds words of any script, case and width, stop words too', async () => {
    expect(await ids('Grösse')).toEqual(['umlaut']);
    expect(await ids('検索')).toEqual(['chinese']);
    expect(await ids('本')).toEqual(['chinese']);
    expect(await ids('after')).toEqual(['nul']);
    expect(await ids('captain')).toEqual(['quote']);
    expect(await ids('ＳＨＩＰＳ')).toContain('ships');
    expect(await ids('not')).toEqual(['stop']);
    expect(await ids('harbour')).toEqual(['titled']);
    expect(await ids('… !? |')).toEqual([]);
  });

  it.each(['BM25STD', 'BM25', 'TFIDF', 'TFIDF.DOCNORM', 'DISMAX'] as const)(
    'ranks by %s alike with and without a filter',
    async (textScorer) => {
      const ranked = server.store({ textScorer });
      await ranked.add(
        ['engines of ships', 'ships of the line and their large engines', 'of engines', 'birds of ships'].map(
          (text, n) => document({ id: `d${n}`, text, metadata: { n } }),
        ),
      );
      const request = { query: 'engines of ships', mode: 'keyword', topK: 10 } as const;
      const view = async (filterExpression?: string): Promise<unknown> =>
        (await ranked.similaritySearch({ ...request, filterExpression })).map(({ id, score }) => [id, score]);
      for (const filter of ['n IS NOT NULL', 'n != 7', 'n IN [0, 1, 2, 3] AND (n == 1 OR n != 1)'])
        expect(await view(filter)).toEqual(await view());
    },
  );

  it('stems in the language of the index', async () => {
    const german = server.store({ language: 'german' });
    await german.add([document({ id: 'a', text: 'die Häuser am Hafen' }), document({ id: 'b', text: 'boats' })]);
    const found = await german.similaritySearch({ query: 'Haus Hafens', mode: 'keyword' });
    expect(found.map(({ id }) => id)).toEqual(['a']);
  });

  it('fuses and diversifies as SimpleVectorStore does', async () => {
    const embeddingModel = hashingEmbeddingModel({ dimensions: 64 });
    const documents = Array.from({ length: 30 }, (_, at) =>
      document({ id: `d${at}`, text: `ship ${at % 7} engine ${at % 5} in harbour ${at}` }),
    );
    const simple = new SimpleVectorStore({ embeddingModel });
    const redis = server.store({ embeddingModel, algorithm: 'FLAT' });
    for (const one of [simple, redis]) await one.add(documents);
    const request = { query: 'engine 3 of ship 4', topK: 6, mmr: { lambda: 0.4, fetchK: 12 } };
    const view = async (one: typeof simple | typeof redis): Promise<unknown> =>
      (await one.similaritySearch(request)).map(({ id, score = 0 }) => [id, score.toFixed(4)]);
    expect(await view(redis)).toEqual(await view(simple));
    const hybrid = await redis.similaritySearch({ query: 'harbour 17', mode: 'hybrid', topK: 3 });
    expect(hybrid[0]?.id).toBe('d17');
  });

  it('finds every document of an HNSW index when as many are asked for', async () => {
    const graph = server.store({ maxBatch: 500, embeddingModel: hashingEmbeddingModel({ dimensions: 32 }) });
    await graph.add(Array.from({ length: 1500 }, (_, at) => document({ id: `d${at}`, text: `text ${at}` })));
    expect((await graph.similaritySearch({ query: 'text 7', topK: 1500 })).length).toBe(1500);
  });
});
