import { getEventListeners } from 'node:events';
import { type ToolCallback, ToolCallingManager, type ToolContext, tool } from '@vernal/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, calling, responsesOf, runRound } from './tool-calls.js';

const contexts: ToolContext[] = [];
const endless = tool({
  name: 'endless',
  execute: (_, context) => {
    contexts.push(context);
    return new Promise(() => {});
  },
});
const heeding = tool({
  name: 'heeding',
  execute: (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
});
const quick = tool({ name: 'quick', execute: () => 'done' });

beforeEach(() => {
  contexts.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  vi.useRealTimers();
});

describe('a time-out', () => {
  it('ends a call, not the others, and tells the tool', async () => {
    const manager = new ToolCallingManager({ timeoutMs: 1_000 });
    const work = answer(
      manager,
      [endless, heeding, quick],
      [calling('1', 'endless'), calling('2', 'heeding'), calling('3', 'quick')],
    );
    await vi.advanceTimersByTimeAsync(999);
    expect(contexts[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await work).toEqual([
      { id: '1', name: 'endless', result: "Tool 'endless' took longer than 1000 ms", isError: true },
      { id: '2', name: 'heeding', result: "Tool 'heeding' took longer than 1000 ms", isError: true },
      { id: '3', name: 'quick', result: 'done' },
    ]);
    expect(contexts[0]?.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('goes to the caller with throwOnError', async () => {
    const manager = new ToolCallingManager({ timeoutMs: 5, throwOnError: true });
    const work = expect(answer(manager, [endless], [calling('1', 'endless')])).rejects.toMatchObject({
      code: 'timeout',
      toolName: 'endless',
      retryable: true,
    });
    await vi.advanceTimersByTimeAsync(5);
    await work;
  });

  it('leaves no timer when the tool is done or throws', async () => {
    const manager = new ToolCallingManager({ timeoutMs: 60_000 });
    const throwing = tool({ name: 'throwing', execute: () => Promise.reject(new Error('x')) });
    await answer(manager, [quick, throwing], [calling('1', 'quick'), calling('2', 'throwing')]);
  });
});

describe('an abort', () => {
  it.each([1, 2])('answers open calls with "cancelled" and keeps finished ones (%i open)', async (open) => {
    const controller = new AbortController();
    const names = open === 1 ? ['endless'] : ['quick', 'endless', 'heeding'];
    const work = runRound(
      new ToolCallingManager({ timeoutMs: 60_000 }),
      [quick, endless, heeding],
      names.map((name) => calling(name, name)),
      {
        signal: controller.signal,
      },
    );
    await vi.advanceTimersByTimeAsync(0);
    controller.abort(new Error('user left'));
    const result = await work;
    expect(responsesOf(result).map(({ id, result, isError }) => [id, result, isError ?? false])).toEqual(
      names.map((name) => (name === 'quick' ? [name, 'done', false] : [name, 'cancelled', true])),
    );
    expect(result.returnDirect).toBe(false);
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('before the round runs nothing', async () => {
    const execute = vi.fn();
    const tools = ['a', 'b'].map((name) => tool({ name, execute }));
    const result = await runRound(new ToolCallingManager(), tools, [calling('1', 'a'), calling('2', 'b')], {
      signal: AbortSignal.abort(),
    });
    expect(responsesOf(result).map(({ result }) => result)).toEqual(['cancelled', 'cancelled']);
    expect(execute).not.toHaveBeenCalled();
  });

  it('before the only call of a round runs nothing either', async () => {
    const execute = vi.fn();
    const [response] = await answer(new ToolCallingManager(), [tool({ name: 'a', execute })], [calling('1', 'a')], {
      signal: AbortSignal.abort(),
    });
    expect(response).toEqual({ id: '1', name: 'a', result: 'cancelled', isError: true });
    expect(execute).not.toHaveBeenCalled();
  });

  it('keeps calls from starting that wait for their turn', async () => {
    const controller = new AbortController();
    const execute = vi.fn();
    const manager = new ToolCallingManager({ parallel: false });
    const work = answer(
      manager,
      [endless, tool({ name: 'next', execute })],
      [calling('1', 'endless'), calling('2', 'next')],
      {
        signal: controller.signal,
      },
    );
    await vi.advanceTimersByTimeAsync(0);
    controller.abort();
    expect((await work).map(({ result }) => result)).toEqual(['cancelled', 'cancelled']);
    expect(execute).not.toHaveBeenCalled();
  });
});

describe('signals', () => {
  it('of long life collect no listeners, however a call ends', async () => {
    const { signal } = new AbortController();
    const throwing: ToolCallback = tool({ name: 'throwing', execute: () => Promise.reject(new Error('x')) });
    const managers = [
      new ToolCallingManager(),
      new ToolCallingManager({ timeoutMs: 1_000 }),
      new ToolCallingManager({ throwOnError: true }),
      new ToolCallingManager({ approve: () => ({ type: 'approve' }) }),
    ];
    for (let i = 0; i < 50; i++)
      for (const manager of managers)
        await answer(manager, [quick, throwing], [calling('1', 'quick'), calling('2', i % 2 ? 'throwing' : 'quick')], {
          signal,
        }).catch(() => {});
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('of a round with many calls raise no warning', async () => {
    const warning = vi.fn();
    process.on('warning', warning);
    const manager = new ToolCallingManager({ maxConcurrency: 60, timeoutMs: 1_000, limits: { perTool: 'unlimited' } });
    await answer(
      manager,
      [quick],
      Array.from({ length: 60 }, (_, i) => calling(`${i}`, 'quick')),
      { signal: new AbortController().signal },
    );
    await vi.advanceTimersByTimeAsync(0);
    process.off('warning', warning);
    expect(warning).not.toHaveBeenCalled();
  });

  it('belong to one call: a tool that waits on it is told of its own end alone', async () => {
    const manager = new ToolCallingManager({ timeoutMs: 1_000 });
    const spies = ['a', 'b'].map((name) =>
      tool({
        name,
        execute: (_, context) => {
          contexts.push(context);
        },
      }),
    );
    await answer(manager, spies, [calling('1', 'a'), calling('2', 'b')]);
    expect(contexts[0]?.signal).not.toBe(contexts[1]?.signal);
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });
});
