import { getEventListeners } from 'node:events';
import { ModelError, noRetry, type RetryPolicy, retry, retryAfterMs, retryStream, VernalError } from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';

const quick: RetryPolicy = { initialDelayMs: 0, jitter: 0 };
const busy = (options: { retryAfterMs?: number } = {}): ModelError =>
  new ModelError('busy', { provider: 'p', status: 429, retryable: true, ...options });

/** Fails `times` times, then gives the number of the try. */
function failing(
  times: number,
  error: (attempt: number) => unknown = () => busy(),
): (attempt: number) => Promise<number> {
  return async (attempt) => {
    if (attempt <= times) throw error(attempt);
    return attempt;
  };
}

describe('retry', () => {
  it('tries until it succeeds', async () => {
    expect(await retry(failing(3), quick)).toBe(4);
    expect(await retry(failing(0))).toBe(1);
  });

  it('throws the original error after the last try', async () => {
    const errors = [busy(), busy(), busy()];
    const attempt = vi.fn(failing(9, (n) => errors[n - 1]));
    await expect(retry(attempt, { ...quick, maxAttempts: 3 })).rejects.toBe(errors[2]);
    expect(attempt).toHaveBeenCalledTimes(3);
    await expect(
      retry(
        failing(1, () => errors[0]),
        noRetry,
      ),
    ).rejects.toBe(errors[0]);
  });

  it('tries 11 times unless told otherwise', async () => {
    const attempt = vi.fn(failing(99));
    await expect(retry(attempt, quick)).rejects.toThrow('busy');
    expect(attempt).toHaveBeenCalledTimes(11);
  });

  it.each<[string, unknown, boolean]>([
    ['a retryable VernalError', busy(), true],
    ['a final VernalError', new VernalError('m', { code: 'invalid_argument' }), false],
    ['408', { status: 408 }, true],
    ['409', { status: 409 }, true],
    ['429', { statusCode: 429 }, true],
    ['503', { status: 503 }, true],
    ['400', { status: 400 }, false],
    ['a reset connection', Object.assign(new Error('x'), { code: 'ECONNRESET' }), true],
    [
      'a failed fetch',
      new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
      true,
    ],
    ['an SDK connection error', Object.assign(new Error('x'), { name: 'APIConnectionError' }), true],
    ['an abort', new DOMException('x', 'AbortError'), false],
    ['a bug', new TypeError('x is not a function'), false],
    ['text', 'text', false],
  ])('by default judges %s', async (_name, error, again) => {
    const attempt = vi.fn(failing(1, () => error));
    const outcome = retry(attempt, quick);
    if (again) expect(await outcome).toBe(2);
    else await expect(outcome).rejects.toBe(error);
  });

  it('asks its own judge with the number of the try', async () => {
    const retryable = vi.fn((_error: unknown, attempt: number) => attempt < 2);
    await expect(
      retry(
        failing(9, () => 'x'),
        { ...quick, retryable },
      ),
    ).rejects.toBe('x');
    expect(retryable.mock.calls).toEqual([
      ['x', 1],
      ['x', 2],
    ]);
  });

  it('waits exponentially, within bounds, jitter within its part', async () => {
    const delays = async (policy: RetryPolicy): Promise<number[]> => {
      const list: number[] = [];
      await retry(failing(4), policy, { onRetry: (event) => list.push(event.delayMs) });
      return list;
    };
    expect(await delays({ initialDelayMs: 0.1, multiplier: 2, maxDelayMs: 0.5, jitter: 0 })).toEqual([
      0.1, 0.2, 0.4, 0.5,
    ]);
    for (const delay of await delays({ initialDelayMs: 1, multiplier: 1, jitter: 0.5 })) {
      expect(delay).toBeGreaterThanOrEqual(0.5);
      expect(delay).toBeLessThanOrEqual(1);
    }
  });

  it('waits as long as Retry-After says', async () => {
    const events: number[] = [];
    const headers = new Headers({ 'retry-after': '0' });
    const errors = [
      busy({ retryAfterMs: 1 }),
      { status: 429, headers },
      { status: 429, headers: { 'retry-after-ms': '2' } },
    ];
    await retry(
      failing(3, (n) => errors[n - 1]),
      { initialDelayMs: 60_000 },
      { onRetry: (event) => events.push(event.delayMs) },
    );
    expect(events).toEqual([1, 0, 2]);
  });

  it('tells each wait to onRetry and the logger, without the message', async () => {
    const warn = vi.fn();
    const onRetry = vi.fn();
    const error = new ModelError('SECRET', { provider: 'p', code: 'model_rate_limit', retryable: true });
    await retry(
      failing(1, () => error),
      quick,
      { logger: { debug() {}, info() {}, warn }, onRetry },
    );
    expect(onRetry.mock.calls).toEqual([[{ attempt: 1, delayMs: 0, error }]]);
    expect(warn.mock.calls[0]?.[1]).toEqual({ attempt: 1, delayMs: 0, code: 'model_rate_limit' });
    expect(JSON.stringify(warn.mock.calls)).not.toContain('SECRET');
  });

  it.each<RetryPolicy>([
    { maxAttempts: Number.NaN },
    { initialDelayMs: -1 },
    { jitter: Number.NaN },
    { deadlineMs: -1 },
  ])('does not begin with %o', async (policy) => {
    const attempt = vi.fn(failing(0));
    const refused = { code: 'invalid_argument', subject: Object.keys(policy)[0] };
    await expect(retry(attempt, policy)).rejects.toMatchObject(refused);
    const stream = retryStream(async function* () {
      yield await attempt(1);
    }, policy)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject(refused);
    expect(attempt).not.toHaveBeenCalled();
  });

  it('gives up at once when the next wait would pass the deadline', async () => {
    const error = busy({ retryAfterMs: 60_000 });
    const attempt = vi.fn(failing(9, () => error));
    await expect(retry(attempt, { deadlineMs: 1_000 })).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledTimes(1);
    expect(await retry(failing(2), { ...quick, deadlineMs: 60_000 })).toBe(3);
  });

  it('ends a wait at once when the signal aborts, and leaves no timer and no listener', async () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const outcome = retry(failing(9), { initialDelayMs: 60_000 }, { signal: controller.signal });
      const settled = expect(outcome).rejects.toMatchObject({ code: 'aborted', cause: 'stop' });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 60_000 });
      controller.abort('stop');
      await settled;
      expect(vi.getTimerCount()).toBe(0);
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not start with an aborted signal, and says timeout for a time-out', async () => {
    const attempt = vi.fn(failing(0));
    await expect(retry(attempt, quick, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    const reason = new DOMException('x', 'TimeoutError');
    await expect(retry(attempt, quick, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      code: 'timeout',
      cause: reason,
    });
    expect(attempt).not.toHaveBeenCalled();
  });

  it('leaves no listener on a signal that outlives it', async () => {
    const { signal } = new AbortController();
    await retry(failing(3), quick, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('retryStream', () => {
  async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
    const list: T[] = [];
    for await (const item of items) list.push(item);
    return list;
  }

  it('opens again until the first item came', async () => {
    const open = vi.fn(async function* (attempt: number) {
      if (attempt < 3) throw busy();
      yield* [attempt, 'b'];
    });
    const stream = retryStream(open, quick);
    expect(open).not.toHaveBeenCalled();
    expect(await collect(stream)).toEqual([3, 'b']);
    expect(open).toHaveBeenCalledTimes(3);
  });

  it('throws a later failure as it is, without opening again', async () => {
    const error = busy();
    const open = vi.fn(async function* () {
      yield 'a';
      throw error;
    });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const item of retryStream(open, quick)) seen.push(item);
    })();
    await expect(reading).rejects.toBe(error);
    expect(seen).toEqual(['a']);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('also tries again when opening throws at once, and takes an empty stream for a success', async () => {
    const open = vi.fn((attempt: number): AsyncIterable<string> => {
      if (attempt === 1) throw busy();
      return (async function* () {})();
    });
    expect(await collect(retryStream(open, quick))).toEqual([]);
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('throws the original error after the last try', async () => {
    const error = busy();
    const open = (): AsyncIterable<string> => {
      throw error;
    };
    await expect(collect(retryStream(open, { ...quick, maxAttempts: 2 }))).rejects.toBe(error);
  });

  it('throws once and is over then', async () => {
    const open = (): AsyncIterable<string> => {
      throw busy();
    };
    const iterator = retryStream(open, noRetry)[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toThrow('busy');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('closes the source when the loop is left, before and after the second item', async () => {
    const closed: number[] = [];
    const source = async function* () {
      let n = 0;
      try {
        for (;;) yield n++;
      } finally {
        closed.push(n);
      }
    };
    for await (const _ of retryStream(source, quick)) break;
    for await (const n of retryStream(source, quick)) if (n === 1) break;
    expect(closed).toEqual([1, 2]);
  });

  it('is read once: a second reading is an error, not an empty stream', async () => {
    const stream = retryStream(async function* () {
      yield 1;
    }, quick);
    await collect(stream);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'invalid_state', subject: 'stream' });
  });

  it('keeps the order of reads that do not wait for each other', async () => {
    const stream = retryStream(async function* () {
      yield* [1, 2, 3];
    }, quick)[Symbol.asyncIterator]();
    const results = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next()]);
    expect(results.map((result) => result.value)).toEqual([1, 2, 3, undefined]);
  });
});

describe('retryAfterMs', () => {
  const now = Date.UTC(2026, 0, 1);
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '3', 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads %j', (headers, expected) => {
    expect(retryAfterMs(headers, now)).toBe(expected);
    expect(retryAfterMs(new Headers(headers), now)).toBe(expected);
  });
});
