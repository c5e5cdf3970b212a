import {
  type AnyAdvisor,
  BaseAdvisor,
  type CallAdvisor,
  ChatClient,
  type ChatClientResponse,
  foldClient,
  MessageChatMemoryAdvisor,
  SafeGuardAdvisor,
  SimpleLoggerAdvisor,
  type StreamAdvisor,
  ToolCallingAdvisor,
  withResponse,
} from '@vernal/client-chat';
import { type Message, MessageWindowChatMemory, noopLogger, responseText, tool } from '@vernal/core';
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

class Stamp extends BaseAdvisor {
  readonly name = 'stamp';
  override after(response: ChatClientResponse): ChatClientResponse {
    const answer = response.chatResponse;
    if (answer === undefined) return response;
    return withResponse(response, {
      chatResponse: { ...answer, metadata: { ...answer.metadata, stamped: true } },
      context: { stamped: true },
    });
  }
}

const both: CallAdvisor & StreamAdvisor = {
  name: 'both',
  order: 3,
  adviseCall: (request, chain) => chain.nextCall(request),
  async *adviseStream(request, chain) {
    for await (const chunk of chain.nextStream(request)) yield chunk;
  },
};

/** Advisors to draw from; each run gets its own. */
const ADVISORS: readonly ((chatMemory: MessageWindowChatMemory) => AnyAdvisor)[] = [
  () => new Stamp(),
  () => both,
  () => ({ ...both, name: 'both around', scope: 'turn', order: 4 }),
  () => ({ name: 'calls only', order: 2, adviseCall: both.adviseCall }),
  () => ({ name: 'calls only, around', order: 2, scope: 'turn', adviseCall: both.adviseCall }),
  () => ({ name: 'streams only', order: 1, adviseStream: both.adviseStream }),
  () => ({ name: 'streams only, around', order: 1, scope: 'turn', adviseStream: both.adviseStream }),
  () => new SafeGuardAdvisor({ sensitiveWords: ['never said', 'x y z'] }),
  () => new SimpleLoggerAdvisor({ logger: noopLogger, scope: 'round' }),
  (chatMemory) => new MessageChatMemoryAdvisor({ chatMemory }),
];
const choice = fc.subarray([...ADVISORS.keys()]);

/** One for all runs: each holds an ambient context, and many of those slow every promise down. */
const registry = new RecordingObservationRegistry();

function setUp(steps: readonly ScriptStep[], chosen: readonly number[], insideMemory = false) {
  const model = new ScriptedChatModel(steps);
  const chatMemory = new MessageWindowChatMemory({ maxMessages: 100 });
  const client = ChatClient.builder(model, {
    observationRegistry: registry,
    toolCallingAdvisor: new ToolCallingAdvisor({ maxRounds: 3 }),
  })
    .defaultTools(tools)
    .defaultAdvisors(...chosen.flatMap((i) => ADVISORS[i]?.(chatMemory) ?? []))
    .defaultAdvisors(...(insideMemory ? [new MessageChatMemoryAdvisor({ chatMemory, scope: 'round' })] : []))
    .build();
  return { model, chatMemory, spec: client.prompt('q').system('s').conversation('c') };
}

function openCalls(messages: readonly Message[]): string[] {
  return messages.flatMap((message, i) => {
    if (message.type !== 'assistant') return [];
    const next = messages[i + 1];
    const answered = next?.type === 'tool' ? next.responses.map(({ id }) => id) : [];
    return message.toolCalls.map(({ id }) => id).filter((id) => !answered.includes(id));
  });
}

it('a stream, folded, is the call: answer, turn, context, prompts and memory', async () => {
  await fc.assert(
    fc.asyncProperty(script, choice, async (steps, chosen) => {
      const called = setUp(steps, chosen);
      const streamed = setUp(steps, chosen);
      const answer = await called.spec.call().chatClientResponse();
      const folded = await foldClient(streamed.spec.stream().chatClientResponse());
      expect(folded).toEqual(answer);
      expect(streamed.model.prompts.map(({ messages }) => messages)).toEqual(
        called.model.prompts.map(({ messages }) => messages),
      );
      expect(await streamed.chatMemory.get('c')).toEqual(await called.chatMemory.get('c'));
      expect(openCalls(answer.turn)).toEqual([]);
      registry.assertAllStopped();
    }),
    { numRuns: 100 },
  );
});

it('whatever the cut, no stream leaves a call without its answer, or an observation open', async () => {
  await fc.assert(
    fc.asyncProperty(script, choice, fc.nat(20), fc.boolean(), async (steps, chosen, after, insideMemory) => {
      const withoutMemory = chosen.filter((i) => i !== ADVISORS.length - 1);
      const { chatMemory, spec } = setUp(
        steps,
        insideMemory ? withoutMemory : [...withoutMemory, ADVISORS.length - 1],
        insideMemory,
      );
      const seen: string[] = [];
      for await (const chunk of spec.stream().chatClientResponse()) {
        if (chunk.chatResponse !== undefined) seen.push(responseText(chunk.chatResponse));
        if (seen.length > after) break;
      }
      registry.assertAllStopped();
      const stored = await chatMemory.get('c');
      expect(openCalls(stored)).toEqual([]);
      expect(stored[0]?.type).toBe('user');
      expect(stored.at(-1)?.type).toBe('assistant');
    }),
    { numRuns: 100 },
  );
});

it('an error anywhere leaves as little behind', async () => {
  await fc.assert(
    fc.asyncProperty(
      script,
      choice,
      fc.nat(3),
      fc.nat(6),
      fc.boolean(),
      async (steps, chosen, at, afterChunks, asCall) => {
        const failing = steps.map(
          (step, i): ScriptStep =>
            i === at && typeof step === 'object' ? { ...step, error: new Error('500'), afterChunks } : step,
        );
        const { chatMemory, spec } = setUp(failing, [...new Set([...chosen, ADVISORS.length - 1])]);
        try {
          if (asCall) await spec.call().content();
          else for await (const _ of spec.stream().content());
        } catch (error) {
          expect(error).toMatchObject({ message: '500' });
        }
        registry.assertAllStopped();
        const stored = await chatMemory.get('c');
        expect(openCalls(stored)).toEqual([]);
        expect(stored.at(-1)?.type).toBe('assistant');
      },
    ),
    { numRuns: 100 },
  );
});
