import { LONGEST_TIMEOUT_MS, modelErrorFrom, RequestTimeout } from '@vernal/core/adapter';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);
const lateError = expect.objectContaining({ name: 'TimeoutError' });

/** What became of it, once it has settled. */
function outcomeOf(work: Promise<unknown>): { value?: unknown; error?: unknown } {
  const outcome: { value?: unknown; error?: unknown } = {};
  work.then(
    (value) => {
      outcome.value = value;
    },
    (error: unknown) => {
      outcome.error = error;
    },
  );
  return outcome;
}

describe('a wait', () => {
  it('settles as the work does, while there is time', async () => {
    const timeout = new RequestTimeout(100, undefined);
    const fault = new Error('no');
    await expect(timeout.within(Promise.resolve(7))).resolves.toBe(7);
    await expect(timeout.within(Promise.reject(fault))).rejects.toBe(fault);
    timeout.stop();
    expect([timeout.late, timeout.signal.aborted, vi.getTimerCount()]).toEqual([false, false, 0]);
  });

  it('ends with its time, to the millisecond, even if the work heeds no signal', async () => {
    const timeout = new RequestTimeout(100, undefined);
    const outcome = outcomeOf(timeout.within(never()));
    await vi.advanceTimersByTimeAsync(99);
    expect(outcome).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toEqual({ error: lateError });
    expect([timeout.late, timeout.signal.aborted, vi.getTimerCount()]).toEqual([true, true, 0]);
    expect(timeout.signal.reason).toBe(outcome.error);
    expect(modelErrorFrom(outcome.error, { provider: 'acme', name: 'Acme' })).toMatchObject({
      code: 'timeout',
      subject: 'timeoutMs',
      retryable: true,
    });
  });

  it('counts from when the request began', async () => {
    const began = performance.now();
    await vi.advanceTimersByTimeAsync(60);
    const timeout = new RequestTimeout(100, undefined);
    const outcome = outcomeOf(timeout.within(never(), began));
    await vi.advanceTimersByTimeAsync(39);
    expect(outcome).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toEqual({ error: lateError });
  });

  it('has a time of its own each, whatever the one before left of it', async () => {
    const timeout = new RequestTimeout(100, undefined);
    for (let i = 0; i < 5; i++) {
      const outcome = outcomeOf(timeout.within(new Promise((resolve) => setTimeout(resolve, 90, i))));
      await vi.advanceTimersByTimeAsync(90);
      expect(outcome).toEqual({ value: i });
    }
    const last = outcomeOf(timeout.within(never()));
    await vi.advanceTimersByTimeAsync(99);
    expect(last).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(last).toEqual({ error: lateError });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([undefined, null, '100'])('has no limit by what is no number: %j', async (ms) => {
    const timeout = new RequestTimeout(ms as undefined, undefined);
    const outcome = outcomeOf(timeout.within(never()));
    await vi.advanceTimersByTimeAsync(LONGEST_TIMEOUT_MS);
    expect(outcome).toEqual({});
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be longer than a timer of the platform can be', async () => {
    const timeout = new RequestTimeout(Number.POSITIVE_INFINITY, undefined);
    const outcome = outcomeOf(timeout.within(never()));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(outcome).toEqual({});
    const running = vi.getTimerCount();
    timeout.stop();
    expect(vi.getTimerCount()).toBe(running - 1);
  });
});

describe('the signal', () => {
  it("follows the caller's, with its reason, until the timeout is stopped", () => {
    const caller = new AbortController();
    const first = new RequestTimeout(100, caller.signal);
    const second = new RequestTimeout(100, caller.signal);
    second.stop();
    caller.abort('enough');
    expect(first.signal).toMatchObject({ aborted: true, reason: 'enough' });
    expect(second.signal.aborted).toBe(false);
    expect(first.late).toBe(false);
  });

  it('that has fired already is an error at once', () => {
    expect(() => new RequestTimeout(100, AbortSignal.abort())).toThrow(expect.objectContaining({ code: 'aborted' }));
  });
});

describe('the chunks of a body', () => {
  it('come one by one, each in its time; that of the reader does not count', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const timeout = new RequestTimeout(100, undefined);
    const chunks = timeout.chunks(readable)[Symbol.asyncIterator]();
    const first = outcomeOf(chunks.next());
    await vi.advanceTimersByTimeAsync(90);
    await writer.write(Uint8Array.of(1));
    await vi.advanceTimersByTimeAsync(0);
    expect(first.value).toEqual({ done: false, value: Uint8Array.of(1) });
    await vi.advanceTimersByTimeAsync(5_000);
    const second = outcomeOf(chunks.next());
    await vi.advanceTimersByTimeAsync(99);
    expect(second).toEqual({});
    await vi.advanceTimersByTimeAsync(1);
    expect(second).toEqual({ error: lateError });
    expect(timeout.signal.aborted).toBe(true);
  });

  it('leave the body when they are left, with or without a limit', async () => {
    for (const ms of [undefined, 100]) {
      const cancel = vi.fn();
      const body = new ReadableStream<Uint8Array>({ pull: (it) => it.enqueue(Uint8Array.of(1)), cancel });
      const timeout = new RequestTimeout(ms, undefined);
      for await (const _ of timeout.chunks(body)) break;
      timeout.stop();
      expect(cancel).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('of no body are none', async () => {
    const timeout = new RequestTimeout(100, undefined);
    for await (const chunk of timeout.chunks(null)) expect.unreachable(String(chunk));
    timeout.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
