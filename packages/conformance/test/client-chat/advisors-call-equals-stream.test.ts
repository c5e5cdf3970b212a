// Any of the advisors of the second entry, together, in any place: a stream, folded, is the call.
import {
  type AdvisorScope,
  type AnyAdvisor,
  ChatClient,
  foldClient,
  MessageChatMemoryAdvisor,
  SafeGuardAdvisor,
  ToolCallingAdvisor,
} from '@vernal/client-chat';
import {
  BudgetAdvisor,
  EvaluateAndRepeatAdvisor,
  FallbackAdvisor,
  InMemoryResponseCache,
  RateLimitAdvisor,
  RedactionAdvisor,
  ResponseCacheAdvisor,
  RetryAdvisor,
} from '@vernal/client-chat/advisors';
import { MessageWindowChatMemory, ModelError, responseText, tool, VernalError } from '@vernal/core';
import { RecordingObservationRegistry, ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';

const tools = [
  tool({ name: 'echo', input: z.object({ text: z.string() }), execute: ({ text }) => text }),
  tool({
    name: 'throws',
    execute: () => {
      throw new Error('no');
    },
  }),
  tool({ name: 'direct', returnDirect: true, execute: () => 'direct' }),
];

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const cut = {
  chunks: fc.oneof(fc.constant('char' as const), fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 })),
  usage: fc.oneof(
    fc.constant({}),
    fc.record({ promptTokens: fc.nat(9), completionTokens: fc.nat(9) }).map((u) => ({ ...u, totalTokens: 20 })),
  ),
};
const call = fc.oneof(
  text.map((value) => ({ name: 'echo', arguments: { text: value } })),
  fc.constantFrom(
    { name: 'echo', arguments: '{"text"' },
    { name: 'throws', arguments: {} },
    { name: 'unknown', arguments: {} },
    { name: 'direct', arguments: '' },
  ),
);
const round = fc.record({ text, reasoning: text, toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }), ...cut });
const last = fc.record({ text, reasoning: text, ...cut });
/** Up to three rounds of tools, then an answer. */
const script = fc.tuple(fc.array(round, { maxLength: 3 }), last).map(([rounds, end]): ScriptStep[] => [...rounds, end]);

const busy = new ModelError('busy', { provider: 'scripted', code: 'model_overloaded', retryable: true });
const steps = fc
  .array(fc.oneof({ weight: 3, arbitrary: script }, { weight: 1, arbitrary: fc.constant([{ error: busy }]) }), {
    minLength: 3,
    maxLength: 6,
  })
  .map((scripts): ScriptStep[] => scripts.flat());

/** Advisors to draw from; each run gets its own. */
const ADVISORS: readonly ((scope: AdvisorScope) => AnyAdvisor)[] = [
  (scope) => new RetryAdvisor({ policy: { initialDelayMs: 0, maxAttempts: 3 }, scope }),
  () => new FallbackAdvisor({ models: [{ model: new ScriptedChatModel([{ error: busy }, 'from the other']) }] }),
  (scope) =>
    new EvaluateAndRepeatAdvisor({
      evaluate: async (_, response) => ({ pass: responseText(response).length % 2 === 0, feedback: 'odd' }),
      scope,
    }),
  (scope) => new ResponseCacheAdvisor({ cache: new InMemoryResponseCache(), scope }),
  () => new RateLimitAdvisor({ requestsPerMinute: 1_000 }),
  () => new BudgetAdvisor({ maxTokens: 50 }),
  (scope) =>
    new RedactionAdvisor({ patterns: [{ pattern: /[a-m ]{2,3}|e/, replacement: '[W]', maxLength: 3 }], scope }),
  (scope) =>
    new RedactionAdvisor({
      patterns: [{ pattern: /q|[0-9a-f]{1,2}|direct/, replacement: '<x>', maxLength: 6 }],
      restore: true,
      scope,
      order: scope === 'turn' ? 5 : undefined,
    }),
  () => new SafeGuardAdvisor({ sensitiveWords: ['never said', 'x y z'] }),
];
const choice = fc
  .subarray([...ADVISORS.keys()])
  .chain((chosen) =>
    fc
      .array(fc.constantFrom<AdvisorScope>('turn', 'round'), { minLength: chosen.length, maxLength: chosen.length })
      .map((scopes) => chosen.map((index, i) => [index, scopes[i] ?? 'turn'] as const)),
  );

/** One for all runs: each holds an ambient context, and many of those slow every promise down. */
const registry = new RecordingObservationRegistry();

it('a stream, folded, is the call: answer, turn, context, prompts and memory, or the same error', async () => {
  await fc.assert(
    fc.asyncProperty(steps, choice, async (played, chosen) => {
      const outcomes: unknown[] = [];
      for (const mode of ['call', 'stream']) {
        const model = new ScriptedChatModel(played);
        const chatMemory = new MessageWindowChatMemory({ maxMessages: 100 });
        const client = ChatClient.builder(model, {
          observationRegistry: registry,
          toolCallingAdvisor: new ToolCallingAdvisor({ maxRounds: 3 }),
        })
          .defaultTools(tools)
          .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }))
          .defaultAdvisors(chosen.flatMap(([index, scope]) => ADVISORS[index]?.(scope) ?? []))
          .build();
        for (const question of ['q', 'q', 'tell me more']) {
          const spec = client.prompt(question).system('s').conversation('c');
          try {
            outcomes.push(
              mode === 'call'
                ? await spec.call().chatClientResponse()
                : await foldClient(spec.stream().chatClientResponse()),
            );
          } catch (error) {
            if (!VernalError.is(error)) throw error;
            outcomes.push(error.code);
          }
        }
        const memory = await chatMemory.get('c');
        outcomes.push(
          memory,
          model.prompts.map(({ messages }) => messages),
        );
        for (const [i, message] of memory.entries()) {
          if (message.type !== 'assistant' || message.toolCalls.length === 0) continue;
          const next = memory[i + 1];
          const answered = next?.type === 'tool' ? next.responses.map(({ id }) => id) : [];
          expect(answered).toEqual(message.toolCalls.map(({ id }) => id));
        }
        registry.assertAllStopped();
      }
      const half = outcomes.length / 2;
      expect(outcomes.slice(half)).toEqual(outcomes.slice(0, half));
    }),
    { numRuns: 150 },
  );
});
