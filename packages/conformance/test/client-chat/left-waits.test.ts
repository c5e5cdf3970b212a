// A reader who leaves while nothing streams, as an HTTP server's ReadableStream does when its client is gone: whatever the turn waits for
// beside the model ends at once.
import { getEventListeners } from 'node:events';
import { type AnyAdvisor, ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { EvaluateAndRepeatAdvisor, RateLimitAdvisor, RetryAdvisor } from '@vernal/client-chat/advisors';
import { MessageWindowChatMemory, ModelError, tool } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const busy = new ModelError('busy', { code: 'model_overloaded', provider: 'scripted', retryable: true });

/** Everything that can go on without time passing has gone on. */
async function settled(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** Never ends by itself; tells when it was ended. */
function endless(ended: string[]): (signal: AbortSignal | undefined) => Promise<never> {
  return (signal) =>
    new Promise((_, reject) =>
      signal?.addEventListener('abort', () => {
        ended.push('ended');
        reject(signal.reason);
      }),
    );
}

type Wait = (never: (signal: AbortSignal | undefined) => Promise<never>) => {
  readonly steps: readonly ScriptStep[];
  readonly advisors: readonly AnyAdvisor[];
};

const clock = (sleep: (signal: AbortSignal | undefined) => Promise<never>) => ({
  now: () => 0,
  sleep: (_: number, signal: AbortSignal | undefined) => sleep(signal),
});

const waits: Record<string, Wait> = {
  'the pause of a retry': () => ({
    steps: [{ error: busy }, 'not asked'],
    advisors: [new RetryAdvisor({ policy: { initialDelayMs: 60_000 } })],
  }),
  'its turn at a rate limit': (never) => ({
    steps: [{ toolCalls: [{ name: 'look', arguments: {} }] }, 'not asked'],
    advisors: [new RateLimitAdvisor({ requestsPerMinute: 1, clock: clock(never) })],
  }),
  'a judge': (never) => ({
    steps: ['an answer', 'not asked'],
    advisors: [new EvaluateAndRepeatAdvisor({ evaluate: ({ signal }) => never(signal) })],
  }),
  'a tool': () => ({ steps: [{ toolCalls: [{ name: 'forever', arguments: {} }] }, 'not asked'], advisors: [] }),
};

describe.each(Object.entries(waits))('a reader who leaves while the turn waits for %s', (name, wait) => {
  it.each([false, true])(
    'is gone at once, asks nobody any more and leaves a valid history (own signal: %s)',
    async (own) => {
      const ended: string[] = [];
      const never = endless(ended);
      const { steps, advisors } = wait(never);
      const model = new ScriptedChatModel(steps);
      const chatMemory = new MessageWindowChatMemory();
      const controller = new AbortController();
      const client = ChatClient.builder(model)
        .defaultTools(
          tool({ name: 'look', execute: () => 'seen' }),
          tool({ name: 'forever', execute: (_, { signal }) => never(signal) }),
        )
        .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }), advisors)
        .build();
      const spec = client.prompt('q').conversation('c');
      const chunks = (own ? spec.signal(controller.signal) : spec).stream().content()[Symbol.asyncIterator]();
      const next = chunks.next();
      await settled();
      await chunks.return?.();
      expect((await next).done).toBe(true);
      await settled();

      expect(model.prompts).toHaveLength(1);
      expect(ended).toEqual(name.includes('retry') ? [] : ['ended']);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
      const messages = await chatMemory.get('c');
      expect(messages[0]?.type).toBe('user');
      expect(messages.at(-1)?.metadata).toEqual({ cancelled: true });
      const calls = messages.flatMap((message) => (message.type === 'assistant' ? message.toolCalls : []));
      const answers = messages.flatMap((message) => (message.type === 'tool' ? message.responses : []));
      expect(answers.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    },
  );
});

it('whoever left the line of a rate limit takes nobody’s place', async () => {
  let time = 0;
  const wakes: (() => void)[] = [];
  const limit = new RateLimitAdvisor({
    requestsPerMinute: 1,
    clock: {
      now: () => time,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          wakes.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
  });
  const model = new ScriptedChatModel(['one', 'two']);
  const client = ChatClient.builder(model).defaultAdvisors(limit).build();
  await client.prompt('first').call().content();
  const left = client.prompt('left').stream().content()[Symbol.asyncIterator]();
  const next = left.next();
  await settled();
  await left.return?.();
  await next;
  const second = client.prompt('second').call().content();
  await settled();
  time = 60_000;
  for (const wake of wakes.splice(0)) wake();
  expect(await second).toBe('two');
});
