import { ChatClient } from '@vernal/client-chat';
import { tool } from '@vernal/core';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';

const callResearch = (args: object) => ({ toolCalls: [{ name: 'research', arguments: JSON.stringify(args) }] });

it('an agent is a tool of another: one turn a call', async () => {
  const inner = new ScriptedChatModel(['Delft lies in Holland']);
  const outer = new ScriptedChatModel([callResearch({ input: 'Where is Delft?' }), 'In Holland']);
  const researcher = ChatClient.builder(inner).defaultSystem('You research.').build();
  const client = ChatClient.builder(outer)
    .defaultTools(researcher.asTool({ name: 'research', description: 'Finds facts' }))
    .build();
  expect(await client.prompt('Delft?').call().content()).toBe('In Holland');
  expect(inner.prompts[0]?.userMessage.text).toBe('Where is Delft?');
  expect(outer.prompts[1]?.messages.at(-1)).toMatchObject({ responses: [{ result: 'Delft lies in Holland' }] });
  expect(outer.prompts[0]?.options.tools?.[0]?.definition).toMatchObject({
    name: 'research',
    description: 'Finds facts',
    inputSchema: { type: 'object', required: ['input'] },
  });
});

it('it may have an input and a request of its own', async () => {
  const Pair = z.object({ a: z.string(), b: z.string() });
  const inner = new ScriptedChatModel(['1', '2', '3']);
  const researcher = ChatClient.create(inner);
  const context = { values: {}, signal: new AbortController().signal, toolCallId: 'x', messages: [] };
  const asJson = researcher.asTool({ name: 'compare', description: 'Compares', input: Pair });
  await asJson.call('{"a":"x","b":"y"}', context);
  const asked = researcher.asTool({
    name: 'compare',
    description: 'Compares',
    input: Pair,
    request: (spec, { a, b }) => spec.user(`Compare ${a} with ${b}`).options({ temperature: 0 }),
  });
  await asked.call('{"a":"x","b":"y"}', context);
  const text = researcher.asTool({
    name: 'say',
    description: 'Says',
    request: (spec, { input }) => spec.user(`Say ${input}`),
  });
  await text.call('{"input":"hi"}', context);
  expect(inner.prompts.map(({ userMessage }) => userMessage.text)).toEqual([
    '{"a":"x","b":"y"}',
    'Compare x with y',
    'Say hi',
  ]);
  expect(inner.prompts[1]?.options.temperature).toBe(0);
  await expect(asked.call('{"a":1}', context)).rejects.toMatchObject({ code: 'tool_execution' });
  await expect(text.call('{}', context)).rejects.toMatchObject({ code: 'tool_execution' });
});

it('runs under the caller’s signal, observation and tool context', async () => {
  const registry = new RecordingObservationRegistry();
  const controller = new AbortController();
  const seen: unknown[] = [];
  const signals: AbortSignal[] = [];
  const spy = tool({
    name: 'spy',
    execute: (_, context) => {
      seen.push(context.values);
      signals.push(context.signal);
      controller.abort();
      return 'ok';
    },
  });
  const inner = new ScriptedChatModel([{ toolCalls: [{ name: 'spy', arguments: {} }] }]);
  const outer = new ScriptedChatModel([callResearch({ input: 'q' })]);
  const researcher = ChatClient.builder(inner, { observationRegistry: registry }).defaultTools(spy).build();
  const client = ChatClient.builder(outer, { observationRegistry: registry })
    .defaultTools(researcher.asTool({ name: 'research', description: 'Finds facts' }))
    .defaultToolContext({ tenant: 'acme' })
    .build();
  await expect(client.prompt('q').signal(controller.signal).call().content()).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(seen).toEqual([{ tenant: 'acme' }]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(inner.prompts).toHaveLength(1);
  registry.assertAllStopped();
  const clients = registry.observations.filter(({ kind }) => kind === 'chat_client');
  expect(clients).toHaveLength(2);
  expect(clients[1]?.parent?.kind).toBe('tool');
});
