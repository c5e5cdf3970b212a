import {
  BaseAdvisor,
  type CallAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  MessageChatMemoryAdvisor,
  type StreamAdvisor,
  type StreamAdvisorChain,
} from '@vernal/client-chat';
import {
  BaseChatModel,
  type ChatModelCapabilities,
  type ChatResponse,
  chatResponse,
  MessageWindowChatMemory,
  type ModelRequest,
  TEXT_ONLY,
  tool,
} from '@vernal/core';
import {
  type RecordedObservation,
  RecordingObservationRegistry,
  ScriptedChatModel,
  type ScriptStep,
} from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { collect } from './collect.js';

/** A model that observes itself, as providers do. */
class ObservedModel extends BaseChatModel {
  readonly provider = 'observed';
  readonly capabilities: ChatModelCapabilities = { ...TEXT_ONLY, tools: true };
  readonly #script: ScriptedChatModel;

  constructor(steps: readonly ScriptStep[], observationRegistry: RecordingObservationRegistry) {
    super({ observationRegistry });
    this.#script = new ScriptedChatModel(steps);
  }

  protected override doStream({ messages, options, signal }: ModelRequest): AsyncIterable<ChatResponse> {
    const prompt = { messages, options } as Parameters<ScriptedChatModel['stream']>[0];
    return this.#script.stream(prompt, { signal });
  }
}

class Plain extends BaseAdvisor {
  readonly name = 'plain';
  override readonly order = 5;
}

/** Streams by itself, so that it is observed hop by hop. */
const streaming: StreamAdvisor & CallAdvisor = {
  name: 'streaming',
  order: 6,
  scope: 'round',
  adviseCall: (request, chain) => chain.nextCall(request),
  async *adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse> {
    for await (const chunk of chain.nextStream(request)) yield chunk;
  },
};

function observed(steps: readonly ScriptStep[], advisors = [new Plain(), streaming]) {
  const registry = new RecordingObservationRegistry();
  const time = tool({ name: 'time', execute: () => 'noon' });
  const broken = tool({
    name: 'broken',
    execute: () => {
      throw new Error('broken');
    },
  });
  const client = ChatClient.builder(new ObservedModel(steps, registry), { observationRegistry: registry })
    .defaultTools(time, broken)
    .defaultAdvisors(...advisors)
    .build();
  return { registry, client };
}

function path(observation: RecordedObservation | undefined): string {
  if (observation === undefined) return '';
  const above = path(observation.parent);
  return `${above === '' ? '' : `${above} / `}${observation.kind}:${observation.name}`;
}

const callTime: ScriptStep = { toolCalls: [{ name: 'time', arguments: {} }], chunks: 'char' };
const long: ScriptStep = { text: 'one two three four five' };

describe.each(['call', 'stream'] as const)('observations of a %s', (mode) => {
  it('nest: client, advisors, rounds, models, tools; all are stopped', async () => {
    const { registry, client } = observed([callTime, 'It is noon']);
    const spec = client.prompt('q').conversation('c-1');
    if (mode === 'call') await spec.call().content();
    else await collect(spec.stream().content());
    registry.assertAllStopped();
    const loop = 'chat_client:chat_client / advisor:ToolCallingAdvisor';
    const inside = `${loop} / advisor:plain / advisor:streaming`;
    expect(registry.observations.map((one) => path(one).replace(/chat_model:.*/, 'chat_model'))).toEqual([
      'chat_client:chat_client',
      loop,
      `${loop} / advisor:plain`,
      inside,
      `${inside} / chat_model`,
      `${loop} / tool:time`,
      `${loop} / advisor:plain`,
      inside,
      `${inside} / chat_model`,
    ]);
    expect(registry.observations[0]?.data).toEqual({
      stream: mode === 'stream',
      advisors: ['ToolCallingAdvisor', 'plain', 'streaming'],
      conversationId: 'c-1',
      toolNames: ['time', 'broken'],
    });
    expect(registry.observations[3]?.data).toEqual({ order: 6, scope: 'round' });
    expect(registry.observations.every(({ error }) => error === undefined)).toBe(true);
  });

  it('stand under the observation that the request was given', async () => {
    const { registry, client } = observed(['ok'], []);
    const parent = registry.start({ kind: 'custom', name: 'web-request', data: {} });
    const spec = client.prompt('q').observation(parent);
    if (mode === 'call') await spec.call().content();
    else await collect(spec.stream().content());
    parent.stop();
    registry.assertAllStopped();
    expect(path(registry.observations[1])).toBe('custom:web-request / chat_client:chat_client');
  });

  it('end with the error, from the model up', async () => {
    const failure = new Error('500');
    const { registry, client } = observed([callTime, { ...(long as object), error: failure, afterChunks: 2 }]);
    const spec = client.prompt('q');
    await expect(mode === 'call' ? spec.call().content() : collect(spec.stream().content())).rejects.toThrow('500');
    registry.assertAllStopped();
    const failed = registry.observations
      .filter(({ error }) => error !== undefined)
      .map(({ kind, name }) => `${kind}:${name}`);
    expect(failed.map((one) => one.replace(/chat_model:.*/, 'chat_model'))).toEqual([
      'chat_client:chat_client',
      'advisor:ToolCallingAdvisor',
      'advisor:plain',
      'advisor:streaming',
      'chat_model',
    ]);
  });

  it('end cancelled, not failed, by the signal', async () => {
    const controller = new AbortController();
    const { registry, client } = observed([
      () => {
        controller.abort();
        return long;
      },
    ]);
    const spec = client.prompt('q').signal(controller.signal);
    await expect(mode === 'call' ? spec.call().content() : collect(spec.stream().content())).rejects.toMatchObject({
      code: 'aborted',
    });
    registry.assertAllStopped();
    for (const one of registry.observations.filter(({ kind }) => kind !== 'chat_model')) {
      expect(one.error).toBeUndefined();
      expect(one.events.map(({ name }) => name)).toContain('cancelled');
    }
  });

  it('take what conventions say in place of their data', async () => {
    const registry = new RecordingObservationRegistry();
    const client = ChatClient.builder(new ScriptedChatModel(['ok']), {
      observationRegistry: registry,
      conventions: { client: () => ({ team: 'search' }), advisor: (advisor) => ({ who: advisor.name }) },
    }).build();
    if (mode === 'call') await client.prompt('q').call().content();
    else await collect(client.prompt('q').stream().content());
    expect(registry.observations.map(({ data }) => data)).toEqual([{ team: 'search' }, { who: 'ToolCallingAdvisor' }]);
  });

  it('hold no contents', async () => {
    const { registry, client } = observed([callTime, 'It is noon']);
    const spec = client.prompt('my secret').system('also secret');
    if (mode === 'call') await spec.call().content();
    else await collect(spec.stream().content());
    const ours = registry.observations.filter(({ kind }) => kind === 'chat_client' || kind === 'advisor');
    expect(JSON.stringify(ours.map(({ data, events }) => ({ data, events })))).not.toMatch(/secret|noon/);
  });

  it('of a tool that throws: one for the tool, and the turn goes on', async () => {
    const { registry, client } = observed([{ toolCalls: [{ name: 'broken', arguments: {} }] }, 'ok']);
    if (mode === 'call') await client.prompt('q').call().content();
    else await collect(client.prompt('q').stream().content());
    registry.assertAllStopped();
    expect(registry.observations.filter(({ kind }) => kind === 'tool')).toHaveLength(1);
  });
});

describe('a stream that is left', () => {
  const exits: Record<string, (texts: AsyncIterable<string>) => Promise<void>> = {
    'by break': async (texts) => {
      for await (const _ of texts) break;
    },
    'by return()': async (texts) => {
      const iterator = texts[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.return?.();
    },
    'by an error of the loop': async (texts) => {
      await expect(
        (async () => {
          for await (const _ of texts) throw new Error('mine');
        })(),
      ).rejects.toThrow('mine');
    },
  };

  it.each(Object.entries(exits))('%s ends every observation once, cancelled', async (_, exit) => {
    for (const steps of [[long], [callTime, long]]) {
      const { registry, client } = observed(steps);
      await exit(client.prompt('q').stream().content());
      registry.assertAllStopped();
      const client0 = registry.observations.find(({ kind }) => kind === 'chat_client');
      expect(client0?.error).toBeUndefined();
      expect(client0?.events).toEqual([{ name: 'cancelled' }]);
      const last = registry.observations.findLast(({ name }) => name === 'streaming');
      expect(last?.events).toEqual([{ name: 'cancelled' }]);
      expect(last?.error).toBeUndefined();
    }
  });

  it('by throw() ends them with that error', async () => {
    const { registry, client } = observed([long]);
    const iterator = client.prompt('q').stream().content()[Symbol.asyncIterator]();
    await iterator.next();
    const mine = new Error('mine');
    await expect(iterator.throw?.(mine)).rejects.toBe(mine);
    registry.assertAllStopped();
    expect(registry.observations.find(({ kind }) => kind === 'chat_client')?.error).toBe(mine);
  });

  it('before it was read starts none', async () => {
    const { registry, client } = observed([long]);
    await client.prompt('q').stream().content()[Symbol.asyncIterator]().return?.();
    expect(registry.observations).toHaveLength(0);
  });
});

it('a memory reads and writes under the client’s observation without being mistaken for content', async () => {
  const { registry, client } = observed(['ok'], []);
  await client
    .prompt('q')
    .advisors(new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }))
    .conversation('c')
    .call()
    .content();
  registry.assertAllStopped();
  expect(registry.observations.map(path)[1]).toBe('chat_client:chat_client / advisor:MessageChatMemoryAdvisor');
});

it('nothing is asked of a registry that is off', async () => {
  const off = {
    enabled: false,
    content: false,
    start: () => {
      throw new Error('asked');
    },
  };
  const client = ChatClient.create(new ScriptedChatModel(['a', 'b']), { observationRegistry: off });
  expect(await client.prompt('q').call().content()).toBe('a');
  expect(await collect(client.prompt('q').stream().chatResponse())).not.toEqual([chatResponse('')]);
});
