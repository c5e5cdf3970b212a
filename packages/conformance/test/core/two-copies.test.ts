// Two copies of the packages in one process: what one makes, the other takes.
import * as clientOne from '@vernal/client-chat';
import * as coreOne from '@vernal/core';
import type * as adapterOne from '@vernal/core/adapter';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import * as storeOne from '@vernal/vector-store';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

let coreTwo: typeof coreOne;
let adapterTwo: typeof adapterOne;
let clientTwo: typeof clientOne;
let storeTwo: typeof storeOne;

beforeAll(async () => {
  vi.resetModules();
  coreTwo = await import('@vernal/core');
  adapterTwo = await import('@vernal/core/adapter');
  clientTwo = await import('@vernal/client-chat');
  storeTwo = await import('@vernal/vector-store');
});

const { assistantMessage, chatResponse, Prompt, tool, userMessage } = coreOne;
const adder = tool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});
const callOf = (args: string) =>
  chatResponse([{ output: assistantMessage({ toolCalls: [{ id: 'c', name: 'add', arguments: args }] }) }]);

it('the copies are two', () => {
  expect(coreTwo.VernalError).not.toBe(coreOne.VernalError);
  expect(clientTwo.ChatClient).not.toBe(clientOne.ChatClient);
  expect(new coreTwo.Prompt('x')).not.toBeInstanceOf(Prompt);
});

describe('errors', () => {
  it('of one are known by the guards of the other, each by its own and by that of the base', () => {
    const errors = {
      VernalError: new coreOne.VernalError('x', { code: 'invalid_argument' }),
      ModelError: new coreOne.ModelError('x', { provider: 'p' }),
      TemplateError: new coreOne.TemplateError('x'),
      StructuredOutputError: new coreOne.StructuredOutputError('x', { rawText: '' }),
      ToolExecutionError: new coreOne.ToolExecutionError('x', { toolName: 't' }),
      ToolLimitError: new coreOne.ToolLimitError('x', { limit: 1 }),
      BatchError: new coreOne.BatchError('x', { failedIds: [] }),
      EmbeddingError: new coreOne.EmbeddingError('x', { failedIds: [], embedded: new Map() }),
      UnsupportedCapabilityError: new coreOne.UnsupportedCapabilityError('x', { capability: 'c', owner: 'o' }),
      ConversationConflictError: new coreOne.ConversationConflictError('x', {
        conversationId: 'c',
        expectedSequence: 1,
        actualSequence: 2,
      }),
    };
    const guards = Object.keys(errors) as (keyof typeof errors)[];
    const [one, two] = [{ ...coreOne }, { ...coreTwo }];
    for (const [name, error] of Object.entries(errors)) {
      const known = guards.filter((guard) => two[guard].is(error));
      expect(known).toEqual(guards.filter((guard) => one[guard].is(error)));
      expect(known).toContain(name);
      expect(known).toContain('VernalError');
    }
  });

  it('of a model of one are retried, and translated once, by the other', async () => {
    const fault = new coreOne.ModelError('busy', { provider: 'p', retryable: true, retryAfterMs: 0 });
    const operation = vi.fn().mockRejectedValueOnce(fault).mockResolvedValue('ok');
    expect(await coreTwo.retry(operation)).toBe('ok');
    const place = { provider: 'q', name: 'Q' };
    expect(adapterTwo.modelErrorFrom(fault, place)).toBe(fault);
    expect(coreOne.ModelError.is(adapterTwo.streamInterrupted(place))).toBe(true);
  });
});

describe('messages, prompts and responses', () => {
  it('of one go through a client and a model of the other', async () => {
    const seen: coreOne.Message[] = [];
    class Echo extends coreTwo.BaseChatModel {
      readonly provider = 'echo';
      readonly capabilities = coreTwo.TEXT_ONLY;
      protected async *doStream({ messages }: coreOne.ModelRequest) {
        seen.push(...messages);
        yield chatResponse(messages.map(coreOne.messageText).join(' '));
      }
    }
    const client = clientTwo.ChatClient.create(new Echo());
    const prompt = new Prompt([coreOne.systemMessage('Be brief.'), userMessage('Hi')], { temperature: 0 });
    expect(await client.prompt(prompt).call().content()).toBe('Be brief. Hi');
    expect(seen).toEqual(prompt.messages);
    expect(await coreTwo.callText(new Echo(), prompt)).toBe('Be brief. Hi');
  });

  it('of one are stored, encoded and compared by the other', async () => {
    const message = userMessage('see', { media: [coreOne.media('image/png', new Uint8Array([1, 2]), { name: 'a' })] });
    const memory = new coreTwo.MessageWindowChatMemory({ repository: new coreOne.InMemoryChatMemoryRepository() });
    await memory.add('c', message);
    expect(coreTwo.messageEquals((await memory.get('c'))[0] ?? message, message)).toBe(true);
    expect(coreTwo.decodeMessage(coreOne.encodeMessage(message))).toEqual(message);
  });

  it('templates of one render in an advisor of the other', async () => {
    const model = new ScriptedChatModel([{ text: 'a' }, { text: 'b' }]);
    const chatMemory = new coreOne.MessageWindowChatMemory();
    const promptTemplate = new coreOne.PromptTemplate('{instructions}|{memory}');
    const client = clientTwo.ChatClient.builder(model)
      .defaultAdvisors(new clientTwo.PromptChatMemoryAdvisor({ chatMemory, promptTemplate }))
      .build();
    await client.prompt('one').conversation('c').call().content();
    await client.prompt('two').conversation('c').call().content();
    expect(model.prompts[1]?.systemMessage.text).toBe('|USER: one\nASSISTANT: a');
  });
});

describe('tools', () => {
  it('of one run in a manager of the other, which knows that they check their arguments', async () => {
    const approve = vi.fn(() => ({ type: 'approve' as const }));
    const manager = new coreTwo.ToolCallingManager({ approve });
    const prompt = new coreTwo.Prompt('x', { tools: [adder] });
    const bad = await manager.executeToolCalls(prompt, callOf('{"a":"x"}'));
    expect(approve).not.toHaveBeenCalled();
    expect(bad.conversationHistory.at(-1)).toMatchObject({ responses: [{ isError: true }] });
    const good = await manager.executeToolCalls(prompt, callOf('{"a":1,"b":2}'));
    expect(good.conversationHistory.at(-1)).toMatchObject({ responses: [{ result: '3' }] });
  });

  it('decorated by one are collected by the other', async () => {
    class Clock {
      now(): string {
        return 'noon';
      }
    }
    const { value: method, ...descriptor } = Object.getOwnPropertyDescriptor(Clock.prototype, 'now') ?? {};
    coreOne.Tool({ description: 'The time' })(Clock.prototype, 'now', { ...descriptor, value: method });
    const [now] = coreTwo.toolsFrom(new Clock());
    expect(await now?.call('{}')).toBe('noon');
  });

  it('a manager of one serves an advisor of the other, limits included', async () => {
    const manager = new coreOne.ToolCallingManager({ limits: { perTool: 1 } });
    const step = { toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] };
    const client = clientTwo.ChatClient.builder(new ScriptedChatModel([step, step]), {
      toolCallingAdvisor: new clientTwo.ToolCallingAdvisor({ manager }),
    }).build();
    const answer = await client.prompt('x').tools(adder).call().chatResponse();
    expect(answer.result?.metadata.finishReason).toBe('tool_call_limit');
  });
});

describe('advisors', () => {
  it('of one stand in a chain of the other, in both modes, tool loop and memory too', async () => {
    const chatMemory = new coreOne.MessageWindowChatMemory();
    const rounds = [{ toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, { text: 'three' }];
    const client = clientTwo.ChatClient.builder(new ScriptedChatModel([...rounds, ...rounds]))
      .defaultAdvisors(
        new clientOne.MessageChatMemoryAdvisor({ chatMemory }),
        new clientOne.ToolCallingAdvisor(),
        new clientOne.SafeGuardAdvisor({ sensitiveWords: ['never'] }),
        new clientOne.StructuredOutputValidationAdvisor({ schema: coreOne.jsonSchema({}), maxRepeats: 0 }),
      )
      .defaultTools(adder)
      .toolCalling(true)
      .build();
    const spec = client.prompt('sum').conversation('c');
    await expect(spec.call().content()).rejects.toSatisfy(coreTwo.StructuredOutputError.is);
    await expect(coreTwo.fold(spec.stream().chatResponse())).rejects.toSatisfy(coreOne.StructuredOutputError.is);
    const kinds = (await chatMemory.get('c')).map(({ type }) => type);
    expect(kinds).toEqual([...Array<string>(2)].flatMap(() => ['user', 'assistant', 'tool', 'assistant']));
  });

  it('of one repair an entity for a client of the other', async () => {
    const model = new ScriptedChatModel([{ text: '{"n":"x"}' }, { text: '{"n":1}' }]);
    const schema = z.object({ n: z.number() });
    const client = clientTwo.ChatClient.builder(model)
      .defaultAdvisors(new clientOne.StructuredOutputValidationAdvisor({ schema }))
      .build();
    expect(await client.prompt('x').call().entity(schema)).toEqual({ n: 1 });
  });

  it('spans of a client of one are the parents of those of the other, in a tool', async () => {
    const registry = new RecordingObservationRegistry();
    const inner = clientTwo.ChatClient.create(new ScriptedChatModel([{ text: 'in' }]), {
      observationRegistry: registry,
    });
    const agent = inner.asTool({ name: 'agent', description: 'Answers' });
    const model = new ScriptedChatModel([
      { toolCalls: [{ name: 'agent', arguments: { input: 'q' } }] },
      { text: 'out' },
    ]);
    const outer = clientOne.ChatClient.create(model, { observationRegistry: registry });
    expect(await outer.prompt('x').tools(agent).call().content()).toBe('out');
    registry.assertAllStopped();
    const clients = registry.observations.filter(({ kind }) => kind === 'chat_client');
    expect(clients).toHaveLength(2);
    expect(clients[1]?.parent?.kind).toBe('tool');
    let root = clients[1];
    while (root?.parent !== undefined) root = root.parent;
    expect(root).toBe(clients[0]);
  });
});

describe('documents and filters', () => {
  it('of one are stored and searched by the other', async () => {
    const { hashingEmbeddingModel } = await import('@vernal/testing');
    const store = new storeTwo.SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await store.add([coreOne.document('roses', { year: 2020 }), coreOne.document('tulips', { year: 2010 })]);
    const filterExpression = storeOne.filter.gte('year', 2015);
    const found = await store.similaritySearch({ query: 'roses', filterExpression });
    expect(found.map(({ text }) => text)).toEqual(['roses']);
    expect(coreTwo.formatDocument(coreOne.document('Body', { a: 1 }))).toBe('a: 1\n\nBody');
  });
});
