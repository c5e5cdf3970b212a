import { abortError, type EmbeddingModel } from '@vernal/core';
import { RateLimitedEmbeddingModel } from '@vernal/etl';
import { describeEmbeddingModel, hashingEmbeddingModel, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';

/** A model that answers when it is told to. */
function gated(limits: EmbeddingModel['limits'] = {}) {
  const waiting: (() => void)[] = [];
  let [running, most] = [0, 0];
  const inner = hashingEmbeddingModel();
  const model: EmbeddingModel = {
    ...inner,
    provider: inner.provider,
    limits,
    async call(request, context) {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => waiting.push(resolve));
      running--;
      const response = await inner.call(request, context);
      return { ...response, metadata: { usage: { totalTokens: 50 } } };
    },
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    model,
    asked: () => waiting.length,
    most: () => most,
    /** Lets all that wait go on until nothing more comes. */
    async drain() {
      for (await turn(); waiting.length > 0; await turn()) waiting.shift()?.();
    },
    turn,
  };
}

/** Time that passes when it is told to. */
class ManualClock {
  time = 0;
  readonly slept: number[] = [];
  now(): number {
    return this.time;
  }
  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw abortError(signal);
    this.slept.push(ms);
    this.time += ms;
  }
}

describeEmbeddingModel(
  'RateLimitedEmbeddingModel',
  () => ({
    subject: new RateLimitedEmbeddingModel(hashingEmbeddingModel(), { concurrency: 2, requestsPerMinute: 10_000 }),
  }),
  { runner: vitestRunner(vitest) },
);

describe('RateLimitedEmbeddingModel', () => {
  it('asks no more than so many times at once, in the order they came', async () => {
    const { model, most, drain } = gated();
    const limited = new RateLimitedEmbeddingModel(model, { concurrency: 2 });
    const done: number[] = [];
    const all = Promise.all(Array.from({ length: 6 }, (_, at) => limited.embed([`${at}`]).then(() => done.push(at))));
    await drain();
    await all;
    expect(most()).toBe(2);
    expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('lets requests start only as fast as it may, each request that the limits of the model make', async () => {
    const { model, drain } = gated({ maxInputs: 1 });
    const clock = new ManualClock();
    const limited = new RateLimitedEmbeddingModel(model, { requestsPerMinute: 2, clock });
    const embedding = limited.embed(['a', 'b', 'c', 'd', 'e']);
    await drain();
    await embedding;
    expect(clock.slept).toEqual([60_000, 60_000]);
  });

  it('counts tokens as the provider reports them', async () => {
    const { model, drain } = gated();
    const clock = new ManualClock();
    const limited = new RateLimitedEmbeddingModel(model, { tokensPerMinute: 100, clock });
    for (const text of ['a', 'b', 'c']) {
      const embedding = limited.embed([text]);
      await drain();
      await embedding;
    }
    // Each is thought to take one token and takes 50: the third does not fit.
    expect(clock.slept).toEqual([60_000]);
  });

  it('leaves by its signal, whatever it waits for, and takes no place with it', async () => {
    const { model, asked, drain, turn } = gated();
    const limited = new RateLimitedEmbeddingModel(model, { concurrency: 1 });
    const first = limited.embed(['a']);
    await turn();
    const leaving = new AbortController();
    const second = limited.embed(['b'], undefined, { signal: leaving.signal });
    const third = limited.embed(['c']);
    await turn();
    expect(asked()).toBe(1);
    leaving.abort();
    await expect(second).rejects.toMatchObject({ code: 'aborted' });
    await drain();
    await Promise.all([first, third]);
  });

  it('gives its place back when the model fails', async () => {
    const inner = hashingEmbeddingModel();
    let fails = true;
    const model: EmbeddingModel = {
      ...inner,
      provider: inner.provider,
      async call(request, context) {
        if (fails) throw new Error('busy');
        return inner.call(request, context);
      },
    };
    const limited = new RateLimitedEmbeddingModel(model, { concurrency: 1 });
    await expect(limited.embed(['a'])).rejects.toThrow('busy');
    fails = false;
    expect(await limited.embed(['a'])).toHaveLength(1);
  });

  it('refuses limits that are none', () => {
    const model = hashingEmbeddingModel();
    for (const options of [{}, { requestsPerMinute: 0.5 }, { tokensPerMinute: 0 }, { concurrency: 1.5 }])
      expect(() => new RateLimitedEmbeddingModel(model, options)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    expect(() => new RateLimitedEmbeddingModel({} as never, { concurrency: 1 })).toThrow(/EmbeddingModel/);
  });
});
