import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Observation,
  type ObservationData,
  type ObservationRegistry,
  type ObservationStart,
  ToolCallingManager,
  tool,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer, calling } from './tool-calls.js';

interface Seen {
  readonly start: ObservationStart;
  readonly observation: Observation;
  readonly data: ObservationData[];
  readonly events: [string, ObservationData | undefined][];
  readonly errors: unknown[];
  stops: number;
}

function recording(
  content: boolean,
): ObservationRegistry & { readonly seen: Seen[]; readonly ambient: () => Observation | undefined } {
  const seen: Seen[] = [];
  const ambient = new AsyncLocalStorage<Observation>();
  return {
    enabled: true,
    content,
    seen,
    ambient: () => ambient.getStore(),
    start(start) {
      const observation: Observation = {
        kind: start.kind,
        add: (data) => entry.data.push(data),
        event: (name, data) => entry.events.push([name, data]),
        error: (error) => entry.errors.push(error),
        stop: () => {
          entry.stops++;
        },
        run: (fn) => ambient.run(observation, fn),
      };
      const entry: Seen = { start, observation, data: [], events: [], errors: [], stops: 0 };
      seen.push(entry);
      return observation;
    },
  };
}

const secret = 'PIN 4711';
const echo = tool({
  name: 'echo',
  description: 'Echoes',
  input: z.object({ text: z.string() }),
  execute: ({ text }, context) => {
    context.progress?.({ progress: 1, total: 2 });
    return text;
  },
});
const broken = tool({ name: 'broken', execute: () => Promise.reject(new Error(secret)) });

describe('the observation of a tool call', () => {
  it('says what is called, under whom, and nothing of the contents', async () => {
    const registry = recording(false);
    const parent = registry.start({ kind: 'advisor', name: 'p', data: {} });
    registry.seen.length = 0;
    await answer(
      new ToolCallingManager({ observationRegistry: registry }),
      [echo],
      [calling('7', 'echo', JSON.stringify({ text: secret }))],
      { observation: parent },
    );
    expect(registry.seen).toMatchObject([
      {
        start: {
          kind: 'tool',
          name: 'echo',
          parent,
          data: { description: 'Echoes', toolCallId: '7', type: 'function' },
        },
        data: [],
        errors: [],
        events: [['progress', { progress: 1, total: 2 }]],
        stops: 1,
      },
    ]);
    expect(JSON.stringify(registry.seen.map(({ start, data }) => [start.data, data]))).not.toContain(secret);
  });

  it('holds arguments and result when contents are switched on', async () => {
    const registry = recording(true);
    await answer(
      new ToolCallingManager({ observationRegistry: registry }),
      [echo],
      [calling('7', 'echo', '{"text":"hi"}')],
    );
    expect(registry.seen[0]?.start.data).toMatchObject({ arguments: '{"text":"hi"}' });
    expect(registry.seen[0]?.data).toEqual([{ result: 'hi' }]);
  });

  it('is the ambient one and the parent for what the tool does', async () => {
    const registry = recording(false);
    let inside: unknown[] = [];
    const spy = tool({
      name: 'spy',
      execute: (_, { observation }) => {
        inside = [observation, registry.ambient()];
      },
    });
    await answer(new ToolCallingManager({ observationRegistry: registry }), [spy], [calling('1', 'spy')]);
    expect(inside).toEqual([registry.seen[0]?.observation, registry.seen[0]?.observation]);
  });

  it('gets the error, whose cause is what was thrown', async () => {
    const registry = recording(false);
    await answer(new ToolCallingManager({ observationRegistry: registry }), [broken], [calling('1', 'broken')]);
    expect(registry.seen[0]?.errors).toMatchObject([{ code: 'tool_execution', cause: { message: secret } }]);
    expect(registry.seen[0]?.stops).toBe(1);
  });

  it('stops once for every way a call can end', async () => {
    const registry = recording(false);
    const aborted = new AbortController();
    const endless = tool({ name: 'endless', execute: () => new Promise(() => {}) });
    const leaving = tool({
      name: 'leaving',
      execute: () => {
        aborted.abort();
        return new Promise(() => {});
      },
    });
    const tools = [echo, broken, endless, leaving];
    const watched = new ToolCallingManager({ observationRegistry: registry });
    await answer(watched, tools, [calling('1', 'endless'), calling('2', 'echo', '{'), calling('6', 'leaving')], {
      signal: aborted.signal,
    });
    const strict = new ToolCallingManager({ observationRegistry: registry, throwOnError: true });
    await expect(answer(strict, tools, [calling('3', 'endless'), calling('4', 'broken')])).rejects.toThrow();
    const quick = new ToolCallingManager({ observationRegistry: registry, timeoutMs: 1 });
    await answer(quick, tools, [calling('5', 'endless')]);
    const byId = new Map(registry.seen.map((one) => [one.start.data['toolCallId'], one]));
    expect([...byId.keys()].sort()).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const { stops, errors } of registry.seen) expect([stops, errors.length]).toEqual([1, 1]);
    expect(byId.get('1')?.errors).toMatchObject([{ code: 'aborted' }]);
    expect(byId.get('5')?.errors).toMatchObject([{ code: 'timeout' }]);
  });
});
