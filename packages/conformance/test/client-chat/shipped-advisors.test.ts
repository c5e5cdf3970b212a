// The suite of advisors, run on those of the second entry; then all of them at once.
import { getEventListeners } from 'node:events';
import { ChatClient, foldClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  BudgetAdvisor,
  EvaluateAndRepeatAdvisor,
  FallbackAdvisor,
  InMemoryResponseCache,
  RateLimitAdvisor,
  RedactionAdvisor,
  ResponseCacheAdvisor,
  RetryAdvisor,
  redactionPatterns,
} from '@vernal/client-chat/advisors';
import { MessageWindowChatMemory, ModelError, responseText, tool, VernalError } from '@vernal/core';
import { describeAdvisor, ScriptedChatModel, type ScriptStep, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const runner = vitestRunner(vitest);

describeAdvisor('RetryAdvisor', () => ({ subject: new RetryAdvisor() }), { runner });
describeAdvisor(
  'RetryAdvisor around the turn',
  () => ({ subject: new RetryAdvisor({ scope: 'turn', order: 0, policy: { maxAttempts: 2 } }) }),
  { runner },
);
describeAdvisor(
  'FallbackAdvisor',
  () => ({ subject: new FallbackAdvisor({ models: [{ model: new ScriptedChatModel([]) }] }) }),
  { runner, deviations: [{ case: 'advisor.error', reason: 'It asks the next model, and the error is of that one.' }] },
);
describeAdvisor(
  'EvaluateAndRepeatAdvisor that is content',
  () => ({ subject: new EvaluateAndRepeatAdvisor({ evaluate: async () => ({ pass: true }) }) }),
  { runner },
);
describeAdvisor(
  'EvaluateAndRepeatAdvisor that is not',
  () => ({
    subject: new EvaluateAndRepeatAdvisor({
      evaluate: async (_, response) => ({ pass: false, feedback: `not ${responseText(response)}` }),
    }),
  }),
  {
    runner,
    deviations: [
      {
        case: 'advisor.tool-rounds',
        reason: 'What was said before the tools ran is part of the answer that did not pass.',
      },
    ],
  },
);
describeAdvisor(
  'EvaluateAndRepeatAdvisor around each round',
  () => ({
    subject: new EvaluateAndRepeatAdvisor({
      scope: 'round',
      evaluate: async (_, response) => ({ pass: false, feedback: `not ${responseText(response)}` }),
      maxRepeats: 1,
    }),
  }),
  { runner },
);
describeAdvisor(
  'ResponseCacheAdvisor that finds nothing',
  () => {
    let request = 0;
    const tenant = (): string => `${request++}`;
    return { subject: new ResponseCacheAdvisor({ cache: new InMemoryResponseCache(), tenant }) };
  },
  { runner },
);
describeAdvisor(
  'ResponseCacheAdvisor',
  () => ({ subject: new ResponseCacheAdvisor({ cache: new InMemoryResponseCache() }) }),
  {
    runner,
    deviations: [
      {
        case: 'advisor.call-equals-stream',
        reason: 'The stream is given the answer of the call: the model is not asked.',
      },
      { case: 'advisor.question-arrives', reason: 'The second time it does not, for the answer is there.' },
    ],
  },
);
describeAdvisor(
  'RateLimitAdvisor',
  () => {
    let now = 0;
    const clock = {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
      },
    };
    return { subject: new RateLimitAdvisor({ requestsPerMinute: 1, tokensPerMinute: 5, clock }) };
  },
  { runner },
);
describeAdvisor('BudgetAdvisor', () => ({ subject: new BudgetAdvisor({ maxTokens: 1_000 }) }), { runner });
const patterns = Object.values(redactionPatterns);
describeAdvisor('RedactionAdvisor', () => ({ subject: new RedactionAdvisor({ patterns }) }), { runner });
const words = [{ pattern: /weather|rain|Delft|user|assistant/, replacement: '[WORD]', maxLength: 9 }];
describeAdvisor(
  'RedactionAdvisor that finds much',
  () => ({ subject: new RedactionAdvisor({ patterns: words, restore: true }) }),
  { runner },
);
describeAdvisor(
  'RedactionAdvisor around the turn',
  () => ({ subject: new RedactionAdvisor({ patterns, restore: true, scope: 'turn', order: 0 }) }),
  { runner },
);

describe('all of them in one chain', () => {
  const error = new ModelError('busy', { provider: 'scripted', retryable: true });
  const steps = (): ScriptStep[] => [
    { error },
    {
      text: 'Let me see.',
      toolCalls: [{ id: 'f', name: 'find', arguments: { who: '[EMAIL_1]' } }],
      usage: { totalTokens: 3 },
    },
    { text: 'It is [EMAIL_2], of course, I am sure.', usage: { totalTokens: 4 } },
    { text: '[EMAIL_2]', usage: { totalTokens: 5 } },
  ];
  const clientOf = (calls: string[]) => {
    const model = new ScriptedChatModel(steps());
    const chatMemory = new MessageWindowChatMemory();
    const find = tool({
      name: 'find',
      input: z.object({ who: z.string() }),
      execute: ({ who }) => {
        calls.push(who);
        return 'bob@example.org';
      },
    });
    const client = ChatClient.builder(model)
      .defaultTools(find)
      .defaultAdvisors(
        new MessageChatMemoryAdvisor({ chatMemory }),
        new ResponseCacheAdvisor({ cache: new InMemoryResponseCache() }),
        new EvaluateAndRepeatAdvisor({
          evaluate: async (_, response) => ({ pass: responseText(response).length < 20, feedback: 'too long' }),
        }),
        new RedactionAdvisor({ patterns, restore: true }),
        new RetryAdvisor({ policy: { initialDelayMs: 0 } }),
        new BudgetAdvisor({ maxTokens: 100 }),
        new RateLimitAdvisor({ requestsPerMinute: 1_000 }),
        new FallbackAdvisor({ models: [{ model: new ScriptedChatModel([{ error }]) }] }),
      )
      .build();
    return { model, client, chatMemory };
  };
  const question = 'Who leads ann@example.org?';

  it('a stream, folded, is the call: answer, turn, memory, prompts', async () => {
    const seen: unknown[] = [];
    for (const mode of ['call', 'stream']) {
      const calls: string[] = [];
      const { model, client, chatMemory } = clientOf(calls);
      const spec = client.prompt(question).conversation('c');
      const response =
        mode === 'call' ? await spec.call().chatClientResponse() : await foldClient(spec.stream().chatClientResponse());
      seen.push({
        response,
        calls,
        memory: await chatMemory.get('c'),
        prompts: model.prompts.map((prompt) => prompt.messages),
      });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ calls: ['ann@example.org'] });
  });

  it('left at any chunk, or aborted, it leaves no listener and a valid history', async () => {
    for (let chunks = 0; chunks < 8; chunks++) {
      for (const leaves of [true, false]) {
        const { client, chatMemory } = clientOf([]);
        const controller = new AbortController();
        let left = chunks;
        const read = async (): Promise<void> => {
          const spec = client.prompt(question).conversation('c').signal(controller.signal);
          for await (const _ of spec.stream().chatClientResponse()) {
            if (left-- > 0) continue;
            if (leaves) break;
            controller.abort();
          }
        };
        await read().catch((reason: unknown) => {
          if (!VernalError.is(reason) || reason.code !== 'aborted') throw reason;
        });
        expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
        const types = (await chatMemory.get('c')).map(({ type }) => type);
        expect(types.join(' ')).toMatch(/^user( assistant tool)? assistant$/);
      }
    }
  });
});
