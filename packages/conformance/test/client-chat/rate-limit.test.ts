import { getEventListeners } from 'node:events';
import { ChatClient } from '@vernal/client-chat';
import {
  RateLimitAdvisor,
  type RateLimitAdvisorOptions,
  type RateLimitClock,
  RetryAdvisor,
} from '@vernal/client-chat/advisors';
import { abortError, tool } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { collect } from './collect.js';

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** Time that passes when it is told to. */
class ManualClock implements RateLimitClock {
  time = 0;
  readonly sleepers: Sleeper[] = [];

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { until: this.time + ms, wake: () => end(resolve) };
      const onAbort = (): void => end(() => reject(signal === undefined ? undefined : abortError(signal)));
      const end = (settle: () => void): void => {
        signal?.removeEventListener('abort', onAbort);
        this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
        settle();
      };
      this.sleepers.push(sleeper);
      signal?.addEventListener('abort', onAbort);
    });
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (;;) {
      const next = this.sleepers.toSorted((a, b) => a.until - b.until)[0];
      if (next === undefined || next.until > end) break;
      this.time = next.until;
      next.wake();
      await settled();
    }
    this.time = end;
  }
}

/** Everything that can go on without time passing has gone on. */
async function settled(): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.resolve();
}

function limited(options: RateLimitAdvisorOptions, step: ScriptStep = 'x') {
  const clock = new ManualClock();
  const starts: [string, number][] = [];
  const played: ScriptStep = (prompt) => {
    starts.push([prompt.userMessage.text, clock.time]);
    return step;
  };
  const model = new ScriptedChatModel(Array.from({ length: 200 }, () => played));
  const client = ChatClient.builder(model)
    .defaultAdvisors(new RateLimitAdvisor({ ...options, clock }))
    .build();
  return { clock, client, starts };
}

describe.each(['call', 'stream'] as const)('RateLimitAdvisor in a %s', (mode) => {
  const ask = async (client: ChatClient, text: string, signal?: AbortSignal): Promise<string> => {
    const spec = signal === undefined ? client.prompt(text) : client.prompt(text).signal(signal);
    return mode === 'call' ? spec.call().content() : (await collect(spec.stream().content())).join('');
  };

  it('lets as many requests start as a minute may have, the others in the order they came', async () => {
    const { clock, client, starts } = limited({ requestsPerMinute: 2 });
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => ask(client, text)));
    await clock.pass(120_000);
    await all;
    expect(starts).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 60_000],
      ['d', 60_000],
      ['e', 120_000],
    ]);
    expect(clock.sleepers).toEqual([]);
  });

  it('counts tokens by the answer before, and puts them right by the answer itself', async () => {
    const used: Readonly<Record<string, number>> = { a: 90, b: 40, c: 30, d: 30, e: 1 };
    const { clock, client, starts } = limited({ tokensPerMinute: 100 }, (prompt) => ({
      text: 'x',
      usage: { totalTokens: used[prompt.userMessage.text] ?? 0 },
    }));
    for (const text of ['a', 'b', 'c', 'd', 'e']) {
      const asked = ask(client, text);
      await settled();
      if (clock.sleepers.length > 0) await clock.pass(60_000);
      await asked;
    }
    expect(starts).toEqual([
      ['a', 0],
      ['b', 60_000],
      ['c', 60_000],
      ['d', 60_000],
      ['e', 120_000],
    ]);
  });

  it('lets a request alone that is larger than the limit', async () => {
    const { clock, client, starts } = limited({ tokensPerMinute: 5 });
    const all = Promise.all([ask(client, 'x'.repeat(400)), ask(client, 'y')]);
    await clock.pass(60_000);
    await all;
    expect(starts.map(([, at]) => at)).toEqual([0, 60_000]);
  });

  it('is left while it waits: those behind it keep their order, and none is let through for it', async () => {
    const { clock, client, starts } = limited({ requestsPerMinute: 1 });
    const controller = new AbortController();
    await ask(client, 'a');
    const first = ask(client, 'b');
    const left = ask(client, 'c', controller.signal);
    const last = ask(client, 'd');
    await settled();
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: 'aborted' });
    await clock.pass(120_000);
    await Promise.all([first, last]);
    expect(starts).toEqual([
      ['a', 0],
      ['b', 60_000],
      ['d', 120_000],
    ]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('lets nobody overtake, however small, when one between them leaves', async () => {
    const { clock, client, starts } = limited({ tokensPerMinute: 100 });
    const controller = new AbortController();
    await ask(client, 'a'.repeat(320));
    const large = ask(client, 'b'.repeat(360));
    const left = ask(client, 'c', controller.signal);
    const small = ask(client, 'd');
    await settled();
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: 'aborted' });
    await clock.pass(60_000);
    await Promise.all([large, small]);
    expect(starts.map(([text, at]) => [text[0], at])).toEqual([
      ['a', 0],
      ['b', 60_000],
      ['d', 60_000],
    ]);
  });

  it('lets the next one through when the first in line leaves', async () => {
    const { clock, client, starts } = limited({ requestsPerMinute: 1 });
    const controller = new AbortController();
    await ask(client, 'a');
    const left = ask(client, 'b', controller.signal);
    const last = ask(client, 'c');
    await settled();
    controller.abort();
    await expect(left).rejects.toMatchObject({ code: 'aborted' });
    await clock.pass(60_000);
    await last;
    expect(starts.at(-1)).toEqual(['c', 60_000]);
  });

  it('refuses at once what would wait too long, and says when to come again', async () => {
    const { clock, client } = limited({ requestsPerMinute: 1, maxWaitMs: 90_000 });
    await ask(client, 'a');
    await clock.pass(10_000);
    const second = ask(client, 'b');
    await settled();
    await expect(ask(client, 'c')).rejects.toMatchObject({
      code: 'model_rate_limit',
      subject: 'maxWaitMs',
      retryable: true,
      retryAfterMs: 110_000,
    });
    await clock.pass(50_000);
    await second;
  });

  it('counts the rounds of a turn and the tries of a RetryAdvisor', async () => {
    let round = 0;
    const { clock, client, starts } = limited({ requestsPerMinute: 1 }, () =>
      round++ === 0 ? { toolCalls: [{ name: 'time', arguments: {} }] } : 'noon',
    );
    const asked = ask(
      client
        .mutate()
        .defaultTools(tool({ name: 'time', execute: () => 'noon' }))
        .defaultAdvisors(new RetryAdvisor())
        .build(),
      'q',
    );
    await clock.pass(60_000);
    expect(await asked).toBe('noon');
    expect(starts.map(([, at]) => at)).toEqual([0, 60_000]);
  });
});

it('whoever comes when, no minute has more than its share, and nobody overtakes', async () => {
  const arrivals = fc.array(fc.tuple(fc.nat(90_000), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 4 }), async (waits, requestsPerMinute) => {
      const used: number[] = [];
      const { clock, client, starts } = limited({ requestsPerMinute, tokensPerMinute: 100 }, (prompt) => {
        const totalTokens = waits[Number(prompt.userMessage.text)]?.[1] ?? 0;
        used.push(totalTokens);
        return { text: 'x', usage: { totalTokens } };
      });
      const all: Promise<string>[] = [];
      for (const [i, [wait]] of waits.entries()) {
        await clock.pass(wait);
        all.push(client.prompt(`${i}`).call().content());
        await settled();
      }
      await clock.pass(60_000 * (waits.length + 1));
      await Promise.all(all);
      expect(starts.map(([text]) => Number(text))).toEqual(waits.map((_, i) => i));
      for (const [, from] of starts) {
        const within = starts.filter(([, at]) => at >= from && at < from + 60_000);
        expect(within.length).toBeLessThanOrEqual(requestsPerMinute);
      }
      expect(clock.sleepers).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

it('leaves no timer of the real clock behind when it is aborted', async () => {
  vi.useFakeTimers();
  try {
    const model = new ScriptedChatModel(['x']);
    const client = ChatClient.builder(model)
      .defaultAdvisors(new RateLimitAdvisor({ requestsPerMinute: 1 }))
      .build();
    await client.prompt('a').call().content();
    const controller = new AbortController();
    const second = client.prompt('b').signal(controller.signal).call().content();
    await settled();
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'aborted' });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('needs a limit that lets something through', () => {
  const wrong: RateLimitAdvisorOptions[] = [
    {},
    { requestsPerMinute: 0 },
    { tokensPerMinute: 0 },
    { requestsPerMinute: 1, maxWaitMs: -1 },
  ];
  for (const options of wrong) {
    expect(() => new RateLimitAdvisor(options)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  }
});

it('thousands in line cost no more each than a look along the line', async () => {
  const model = new ScriptedChatModel(['first']);
  const limit = new RateLimitAdvisor({ requestsPerMinute: 1, maxWaitMs: 1e12, clock: new ManualClock() });
  const client = ChatClient.builder(model).defaultAdvisors(limit).build();
  const askers = Array.from({ length: 4_000 }, () => new AbortController());
  const line = askers.map(({ signal }) => client.prompt('q').signal(signal).call().content());
  expect(await line[0]).toBe('first');
  for (const asker of askers) asker.abort();
  const left = (await Promise.allSettled(line)).filter(({ status }) => status === 'rejected');
  expect(left).toHaveLength(3_999);
});
