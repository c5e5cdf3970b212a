import { UnsupportedCapabilityError, VernalError } from '@vernal/core';
import { LocalEmbeddingModel } from '@vernal/model-local';
import { describeEmbeddingModel, RecordingObservationRegistry, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';

describeEmbeddingModel('LocalEmbeddingModel', () => ({ subject: new LocalEmbeddingModel() }), {
  runner: vitestRunner(vitest),
});

const model = new LocalEmbeddingModel();

async function similarity(a: string, b: string): Promise<number> {
  const [first = new Float32Array(), second = new Float32Array()] = await model.embed([a, b]);
  return first.reduce((sum, value, i) => sum + value * (second[i] ?? 0), 0);
}

/** Position of the text that is nearest to the question. */
async function nearest(question: string, texts: readonly string[]): Promise<number> {
  const scores = await Promise.all(texts.map((text) => similarity(question, text)));
  return scores.indexOf(Math.max(...scores));
}

describe('LocalEmbeddingModel', () => {
  it('gives the same vector in every process', async () => {
    const [vector = new Float32Array()] = await model.embed(['The quick brown fox uses SimpleVectorStore.']);
    expect(vector).toHaveLength(1024);
    // Stored vectors outlive a process: these figures may only change together with the model's name.
    expect(Array.from(vector.slice(0, 3), (value) => Number(value.toFixed(5)))).toMatchInlineSnapshot(`
      [
        -0.05692,
        -0.02458,
        -0.10219,
      ]
    `);
    const first = vector.findIndex((value, i) => i >= 100 && value !== 0);
    expect([first, Number(vector[first]?.toFixed(5))]).toMatchInlineSnapshot(`
      [
        118,
        0.1928,
      ]
    `);
  });

  it('gives a text the same vector alone and in a batch', async () => {
    const texts = ['one text', '', 'another text about vectors', '第三个文本', 'one text'];
    const together = await model.embed(texts);
    for (const [i, text] of texts.entries()) expect((await model.embed([text]))[0]).toEqual(together[i]);
    expect(together[0]).toEqual(together[4]);
  });

  it('knows its dimensions and its model, and counts no tokens', async () => {
    expect(await model.dimensions()).toBe(1024);
    const { metadata } = await model.call({ inputs: ['a'] });
    expect(metadata).toEqual({ model: 'vernal-words-en-1', usage: {} });
    expect(model.provider).toBe('local');
    expect(model.limits.maxInputs).toBeGreaterThan(0);
  });

  it.each([
    [
      'I forgot my password and cannot log in',
      'How to reset lost login credentials',
      'Our office is closed on Sundays',
    ],
    ['can I get my money back?', 'Refunds are paid within a week.', 'Vectors are compared by cosine.'],
    ['How long is the vacation?', 'Every employee has 30 days of holiday.', 'The server listens on port 8080.'],
    ['remove a file', 'Deleting documents from the disk', 'Bananas are rich in potassium'],
    ['The physician treated the patients', 'A doctor cared for sick people', 'The train departs from platform nine'],
  ])('puts %j nearer to a paraphrase than to something else', async (text, paraphrase, other) => {
    expect(await similarity(text, paraphrase)).toBeGreaterThan((await similarity(text, other)) + 0.1);
  });

  it('finds names that no dictionary holds, also inside other names and in another form', async () => {
    const texts = ['Set ZORBLATT_TIMEOUT in seconds.', 'Set the retry count.', 'Call frobnicateAll() first.'];
    expect(await nearest('zorblatt', texts)).toBe(0);
    expect(await nearest('What does frobnicate do?', texts)).toBe(2);
    expect(await nearest('retries', texts)).toBe(1);
  });

  it('compares texts of other scripts by what they are made of', async () => {
    const texts = [
      '向量数据库保存文档的向量。',
      '今天天气很好。',
      'Векторная база данных хранит документы.',
      'ベクトルを保存する',
    ];
    expect(await nearest('什么是向量数据库?', texts)).toBe(0);
    expect(await nearest('天气', texts)).toBe(1);
    expect(await nearest('база данных', texts)).toBe(2);
    expect(await nearest('ベクトル', texts)).toBe(3);
  });

  it('takes equal letters in other encodings for equal', async () => {
    expect(await similarity('cafe\u0301 Zürich', 'café Zu\u0308rich')).toBeCloseTo(1, 5);
    expect(await similarity('ＶＥＲＮＡＬ', 'vernal')).toBeCloseTo(1, 5);
  });

  it.each(['', '   \n', '???', '🙂🙂', '\u0000', '\ud800', 'a'.repeat(100_000), `${'word '.repeat(20_000)}end`])(
    'gives every text a finite vector of length 1 (%#)',
    async (text) => {
      const [vector = new Float32Array()] = await model.embed([text]);
      expect(vector.every(Number.isFinite)).toBe(true);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    },
  );

  it('tells texts without words apart', async () => {
    expect(await similarity('???', '!!!')).toBeLessThan(0.5);
    expect(await similarity('', '   ')).toBeCloseTo(1, 5);
  });

  it('lets other work go on during a big batch, and stops when it is told to', async () => {
    const texts = Array.from(
      { length: 256 },
      (_, i) => `Passage number ${i} ${'about many different things '.repeat(40)}`,
    );
    const controller = new AbortController();
    let turns = 0;
    const tick = (): void => {
      if (++turns === 3) controller.abort(new Error('enough'));
      else setImmediate(tick);
    };
    const embedding = model.embed(texts, undefined, { signal: controller.signal });
    setImmediate(tick);
    await expect(embedding).rejects.toMatchObject({ code: 'aborted' });
    expect(turns).toBe(3);
  });

  it('does not start when the signal is aborted already', async () => {
    await expect(model.embed(['a'], undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('refuses what it does not have, with the name of the option', async () => {
    const error = await model.embed(['a'], { dimensions: 256 }).catch((thrown: unknown) => thrown);
    expect(UnsupportedCapabilityError.is(error) && error.subject).toBe('dimensions');
    const other = await model.embed(['a'], { model: 'text-embedding-3-small' }).catch((thrown: unknown) => thrown);
    expect(VernalError.is(other) && [other.code, other.subject]).toEqual(['model_not_found', 'model']);
    expect(await model.embed(['a'], { dimensions: 1024, model: 'vernal-words-en-1' })).toHaveLength(1);
  });

  it('is observed', async () => {
    const observationRegistry = new RecordingObservationRegistry();
    await new LocalEmbeddingModel({ observationRegistry }).embed(['a', 'b']);
    expect(observationRegistry.observations[0]).toMatchObject({ kind: 'embedding_model' });
  });
});
