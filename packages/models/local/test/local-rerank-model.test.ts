import { type Document, document } from '@vernal/core';
import { LocalEmbeddingModel, LocalRerankModel } from '@vernal/model-local';
import { describeRerankModel, RecordingObservationRegistry, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';

describeRerankModel('LocalRerankModel', () => ({ subject: new LocalRerankModel() }), { runner: vitestRunner(vitest) });

const model = new LocalRerankModel();
const documents = (...texts: string[]): Document[] => texts.map((text, at) => document({ id: String(at), text }));

async function firstOf(query: string, ...texts: string[]): Promise<string | undefined> {
  return (await model.rerank(query, documents(...texts)))[0]?.text;
}

async function scoreOf(query: string, text: string): Promise<number> {
  return (await model.rerank(query, documents(text)))[0]?.score ?? Number.NaN;
}

describe('LocalRerankModel', () => {
  it.each([
    ['can I get my money back?', 'Refunds are paid within a week.', 'The desk stands in the hall.'],
    ['Which physician treats children?', 'A doctor for kids has her office here.', 'Trains for the coast leave here.'],
    ['remove a file', 'Deleting documents from the disk', 'Bananas are rich in potassium'],
    ['E-4711', 'The code E-4711 means that the lid is open.', 'The codes E-4712 and E-4811 mean nothing.'],
    ['天气怎么样', '明天天气很好。', '向量数据库保存文档的向量。'],
    ['база данных', 'Векторная база данных хранит документы.', 'Сегодня хорошая погода.'],
  ])('puts what answers %j before what does not', async (query, answer, other) => {
    expect(await firstOf(query, other, answer)).toBe(answer);
    expect(await firstOf(query, answer, other)).toBe(answer);
  });

  it('prefers words that stand together, and rare words to common ones', async () => {
    // The same words, so that only their places can tell.
    const together = 'The parking permit costs nine euros. The dogs leave at noon.';
    const apart = 'The parking dogs leave at noon. The permit costs nine euros.';
    expect(await firstOf('parking permit', apart, together)).toBe(together);
    const rare = 'It is about a kiln.';
    const common = 'It is about people.';
    expect(await firstOf('people kiln', common, rare)).toBe(rare);
  });

  it('looks at the title, unless it is told not to', async () => {
    const titled = document({ id: 'a', text: 'It costs nine euros.', metadata: { title: 'Parking permit' } });
    const untitled = document({ id: 'b', text: 'It costs ten euros and a permit.' });
    expect((await model.rerank('parking permit', [untitled, titled]))[0]?.id).toBe('a');
    const blind = new LocalRerankModel({ metadataMode: 'none' });
    expect((await blind.rerank('parking permit', [untitled, titled]))[0]?.id).toBe('b');
  });

  it('gives a document the same score whatever stands beside it', async () => {
    const texts = ['Roses are pruned in spring.', 'Tulips grow in sand.', 'Roses need sun.'];
    for (const { text = '', score } of await model.rerank('When are roses pruned?', documents(...texts)))
      expect(await scoreOf('When are roses pruned?', text)).toBe(score);
  });

  it('gives the same scores in every process', async () => {
    const score = await scoreOf('When are roses pruned?', 'Cut your rose bushes in early spring. In June they bloom.');
    expect(score.toFixed(5)).toMatchInlineSnapshot(`"0.37365"`);
  });

  it('scores from 0 to 1', async () => {
    expect(await scoreOf('parking permit', 'parking permit')).toBeGreaterThan(0.9);
    expect(await scoreOf('parking permit', 'Clouds drift.')).toBeLessThan(0.1);
    for (const query of ['', '???', 'the of and', '🙂', '\ud800', 'ё'.repeat(50), 'x'.repeat(100_000)]) {
      for (const { score } of await model.rerank(query, documents(query, 'the of and', '🙂 ok', 'Any words at all.'))) {
        if (score !== undefined) expect(score >= 0 && score <= 1).toBe(true);
      }
    }
  });

  it('keeps the order of a query without words', async () => {
    const ranked = await model.rerank('', documents('Roses.', 'Tulips.', 'Lilies.'));
    expect(ranked.map(({ id }) => id)).toEqual(['0', '1', '2']);
  });

  it('takes time in proportion to what there is to read', async () => {
    const book = 'A sentence about gardens, kilns and permits, and one about 4711. '.repeat(20_000);
    const started = performance.now();
    await model.rerank('garden permits '.repeat(5_000), documents(book, `${book}!`, `${book}?`));
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('lets other work go on during a long list, and stops when it is told to', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `Passage ${at} ${'about many different things '.repeat(40)}`);
    const controller = new AbortController();
    let turns = 0;
    const tick = (): void => {
      if (++turns === 3) controller.abort(new Error('enough'));
      else setImmediate(tick);
    };
    await new LocalEmbeddingModel().embed(['the table is read']);
    const reranking = model.rerank('different things', documents(...texts), {}, { signal: controller.signal });
    setImmediate(tick);
    await expect(reranking).rejects.toMatchObject({ code: 'aborted' });
    expect(turns).toBe(3);
  });

  it('refuses another model, and says which it has', async () => {
    await expect(model.rerank('a', documents('b'), { model: 'rerank-v3' })).rejects.toMatchObject({
      code: 'model_not_found',
      subject: 'model',
      message: expect.stringContaining('vernal-rerank-en-1'),
    });
    expect(await model.rerank('a', documents('b'), { model: 'vernal-rerank-en-1' })).toHaveLength(1);
  });

  it('is observed, without query and documents', async () => {
    const observationRegistry = new RecordingObservationRegistry();
    await new LocalRerankModel({ observationRegistry }).rerank('secret', documents('a secret', 'none'));
    expect(observationRegistry.observations).toHaveLength(1);
    expect(observationRegistry.observations[0]).toMatchObject({ kind: 'rerank_model', name: 'vernal-rerank-en-1' });
    expect(JSON.stringify(observationRegistry.observations[0]?.data)).not.toContain('secret');
  });
});
