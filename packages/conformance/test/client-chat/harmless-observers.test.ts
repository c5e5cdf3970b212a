// Loggers and registries belong to somebody else. One that throws must not change what is logged or observed.
import { ChatClient, MessageChatMemoryAdvisor, SimpleLoggerAdvisor } from '@vernal/client-chat';
import {
  BaseChatModel,
  BaseEmbeddingModel,
  type ChatResponse,
  chatResponse,
  document,
  type EmbeddingModelRequest,
  type Logger,
  MessageWindowChatMemory,
  type ModelRequest,
  type ObservationRegistry,
  SummarizingChatMemory,
  TEXT_ONLY,
  tool,
  userMessage,
} from '@vernal/core';
import { hashingEmbeddingModel, ScriptedChatModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect } from './collect.js';

const PARTS = ['start', 'add', 'event', 'error', 'stop', 'run', 'run, late'] as const;

function brokenRegistry(broken: (typeof PARTS)[number]): ObservationRegistry {
  const at = (part: (typeof PARTS)[number]) => (): void => {
    if (part === broken) throw new Error(`registry: ${part}`);
  };
  return {
    enabled: true,
    content: true,
    start() {
      at('start')();
      return {
        kind: 'x',
        add: at('add'),
        event: at('event'),
        error: at('error'),
        stop: at('stop'),
        run(fn) {
          at('run')();
          const result = fn();
          at('run, late')();
          return result;
        },
      };
    },
  };
}

const fail = (): never => {
  throw new Error('logger');
};
const brokenLogger: Logger = { debug: fail, info: fail, warn: fail };

class Letters extends BaseChatModel {
  readonly provider = 'letters';
  readonly capabilities = { ...TEXT_ONLY, tools: true };
  protected async *doStream({ messages }: ModelRequest): AsyncIterable<ChatResponse> {
    if (messages.at(-1)?.type === 'user')
      yield chatResponse([{ toolCallDeltas: [{ index: 0, id: 'c', name: 'now' }] }]);
    else for (const letter of 'noon') yield chatResponse(letter);
  }
}

class Lengths extends BaseEmbeddingModel {
  readonly provider = 'lengths';
  protected async doCall({ inputs }: EmbeddingModelRequest) {
    const embeddings = inputs.map((text, index) => ({ index, vector: Float32Array.of(text.length, 1) }));
    return { embeddings, metadata: { usage: {} } };
  }
}

const now = tool({ name: 'now', execute: (_, { progress }) => progress?.({ progress: 1 }) });

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

describe.each(PARTS)('a registry that throws (%s)', (part) => {
  const observationRegistry = brokenRegistry(part);
  const client = ChatClient.builder(new Letters({ observationRegistry }), { observationRegistry })
    .defaultTools(now)
    .build();

  it('changes no answer, of a call or a stream', async () => {
    expect(await client.prompt('x').call().content()).toBe('noon');
    expect((await collect(client.prompt('x').stream().content())).join('')).toBe('noon');
    for await (const _ of client.prompt('x').stream().content()) break;
  });

  it('does not take the place of an error', async () => {
    const failing = ChatClient.create(
      new ScriptedChatModel([{ error: new Error('mine') }, { error: new Error('mine') }]),
      {
        observationRegistry,
      },
    );
    await expect(failing.prompt('x').call().content()).rejects.toThrow('mine');
    await expect(collect(failing.prompt('x').stream().content())).rejects.toThrow('mine');
  });

  it('costs no vector and no document', async () => {
    expect(await new Lengths({ observationRegistry }).embed(['a'])).toHaveLength(1);
    const store = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel(), observationRegistry });
    await store.add([document({ id: '1', text: 'roses' })]);
    expect(await store.similaritySearch('roses')).toHaveLength(1);
    expect(await store.delete(['1'])).toEqual({ deleted: 1 });
  });
});

it('what a convention throws is no fault of the call', async () => {
  const client = ChatClient.create(new ScriptedChatModel([{ text: 'a' }]), {
    observationRegistry: brokenRegistry('event'),
    conventions: { client: fail, advisor: fail },
  });
  expect(await client.prompt('x').call().content()).toBe('a');
});

describe('a logger that throws', () => {
  it('changes no answer', async () => {
    const steps = [
      {
        toolCalls: [
          { name: 'none', arguments: {} },
          { name: 'bad', arguments: {} },
        ],
      },
      { text: 'a' },
    ];
    const client = ChatClient.builder(new ScriptedChatModel([...steps, ...steps]), { logger: brokenLogger })
      .defaultTools(now, tool({ name: 'bad', execute: fail }))
      .defaultAdvisors(new SimpleLoggerAdvisor({ logger: brokenLogger }), {
        name: 'call only',
        order: 0,
        adviseCall: (request, chain) => chain.nextCall(request),
      })
      .build();
    expect(await client.prompt('x').call().content()).toBe('a');
    expect((await collect(client.prompt('x').stream().content())).join('')).toBe('a');
  });

  it('loses no turn and no message', async () => {
    class Forgetful extends MessageWindowChatMemory {
      override add(): Promise<void> {
        return Promise.reject(new Error('no room'));
      }
    }
    const client = ChatClient.builder(new ScriptedChatModel([{ error: new Error('mine') }]), { logger: brokenLogger })
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: new Forgetful() }))
      .build();
    await expect(client.prompt('x').conversation('c').call().content()).rejects.toThrow('mine');

    const model = new ScriptedChatModel([]);
    const memory = new SummarizingChatMemory({ model, maxMessages: 1, background: true, logger: brokenLogger });
    for (const text of ['a', 'b', 'c']) await memory.add('c', userMessage(text));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await memory.get('c')).toHaveLength(3);
  });
});
