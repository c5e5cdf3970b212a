// A turn ended at every point it can be ended at: by its signal after any number of steps, or by its reader at any chunk.
import { getEventListeners } from 'node:events';
import {
  type AnyAdvisor,
  ChatClient,
  type ChatClientRequestSpec,
  MessageChatMemoryAdvisor,
  PromptChatMemoryAdvisor,
  ReReadingAdvisor,
  SafeGuardAdvisor,
  StructuredOutputValidationAdvisor,
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
import {
  BaseChatModel,
  type ChatMemory,
  type ChatResponse,
  chatResponse,
  type FindMessagesOptions,
  InMemoryChatMemoryRepository,
  type Message,
  MessageWindowChatMemory,
  type ModelRequest,
  type ObservationRegistry,
  TEXT_ONLY,
  tool,
  VernalError,
  type WriteOptions,
} from '@vernal/core';
import { RecordingObservationRegistry } from '@vernal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const POINTS = [...Array(30).keys(), 33, 37, 42, 48, 55, 63, 72, 90];
const Answer = z.object({ a: z.string() });

/** Steps of the microtask queue. */
async function steps(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

/** Two tool rounds and an answer, with waits in between. */
class SlowModel extends BaseChatModel {
  readonly provider = 'slow';
  readonly capabilities = { ...TEXT_ONLY, tools: true };
  readonly #heedsSignal: boolean;
  open = 0;

  constructor(heedsSignal: boolean, observationRegistry: ObservationRegistry) {
    super({ observationRegistry });
    this.#heedsSignal = heedsSignal;
  }

  protected async *doStream({ messages, signal }: ModelRequest): AsyncIterable<ChatResponse> {
    this.open++;
    try {
      const rounds = messages.filter(({ type }) => type === 'tool').length;
      for (const chunk of rounds < 2 ? callingChunks(rounds) : answerChunks()) {
        await steps(1);
        if (this.#heedsSignal) signal.throwIfAborted();
        yield chunk;
      }
    } finally {
      await steps(1);
      this.open--;
    }
  }
}

function callingChunks(round: number): ChatResponse[] {
  const deltas = [
    { index: 0, id: `a${round}`, name: 'wait', arguments: '{"steps"' },
    { index: 1, id: `b${round}`, name: 'wait', arguments: '{"steps":2}' },
    { index: 0, arguments: ':1}' },
  ];
  return [chatResponse('let me '), ...deltas.map((delta) => chatResponse([{ toolCallDeltas: [delta] }]))];
}

const answerChunks = (): ChatResponse[] => [...'{"a":"hi"}'].map((letter) => chatResponse(letter));

class SlowRepository extends InMemoryChatMemoryRepository {
  override async append(
    id: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ sequence: number }> {
    await steps(2);
    return super.append(id, messages, options);
  }
  override async findByConversationId(
    id: string,
    options?: FindMessagesOptions,
  ): ReturnType<InMemoryChatMemoryRepository['findByConversationId']> {
    await steps(2);
    return super.findByConversationId(id, options);
  }
}

const wait = tool({
  name: 'wait',
  input: z.object({ steps: z.number() }),
  execute: ({ steps: count }) => steps(count),
});

const chains: Record<string, (chatMemory: ChatMemory, model: SlowModel) => AnyAdvisor[]> = {
  'memory and guards': (chatMemory) => [
    new MessageChatMemoryAdvisor({ chatMemory }),
    new SafeGuardAdvisor({ sensitiveWords: ['never'] }),
    new ReReadingAdvisor(),
  ],
  'a memory inside the tool loop': (chatMemory) => [new MessageChatMemoryAdvisor({ chatMemory, scope: 'round' })],
  'advisors of one mode': (chatMemory) => [
    new MessageChatMemoryAdvisor({ chatMemory }),
    { name: 'calls', order: 1, adviseCall: (request, chain) => steps(1).then(() => chain.nextCall(request)) },
    {
      name: 'streams',
      order: 2,
      async *adviseStream(request, chain) {
        await steps(1);
        yield* chain.nextStream(request);
      },
    },
  ],
  'fallback and validation': (chatMemory, model) => [
    new MessageChatMemoryAdvisor({ chatMemory }),
    new FallbackAdvisor({ models: [{ model }] }),
    new StructuredOutputValidationAdvisor({ schema: Answer }),
  ],
  'two memories and a judge': (chatMemory) => [
    new MessageChatMemoryAdvisor({ chatMemory }),
    new PromptChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }),
    new EvaluateAndRepeatAdvisor({
      evaluate: async () => {
        await steps(3);
        return { pass: true };
      },
    }),
  ],
  'everything around each round, and a cache': (chatMemory, model) => [
    new MessageChatMemoryAdvisor({ chatMemory }),
    new ResponseCacheAdvisor({ cache: new InMemoryResponseCache() }),
    new RedactionAdvisor({ patterns: [{ pattern: /q|hi/, replacement: '[W]', maxLength: 3 }], restore: true }),
    new RetryAdvisor({ policy: { maxAttempts: 2, initialDelayMs: 1 } }),
    new BudgetAdvisor({ maxTokens: 1_000 }),
    new RateLimitAdvisor({ requestsPerMinute: 100 }),
    new FallbackAdvisor({ models: [{ model }] }),
  ],
};

const mine = new Error('of the reader');

/** How a turn is run, and ended at `point` unless its signal does that. */
const runs: Record<string, (spec: ChatClientRequestSpec, point: number) => Promise<unknown>> = {
  'aborted call': (spec) => spec.call().content(),
  'aborted entity': (spec) => spec.call().entity(Answer),
  'aborted stream': async (spec) => {
    for await (const _ of spec.stream().content());
  },
  'aborted entity stream': async (spec) => {
    const stream = spec.stream().entity(Answer);
    for await (const _ of stream);
    await stream.result();
  },
  'loop that is left': async (spec, point) => {
    let seen = 0;
    for await (const _ of spec.stream().content()) if (seen++ === point) break;
  },
  'loop that throws': async (spec, point) => {
    let seen = 0;
    for await (const _ of spec.stream().content()) if (seen++ === point) throw mine;
  },
  'iterator that is told of an error': async (spec, point) => {
    const chunks = spec.stream().content()[Symbol.asyncIterator]();
    for (let seen = 0; (await chunks.next()).done !== true; seen++) if (seen === point) await chunks.throw?.(mine);
  },
  'reader who leaves while he waits': async (spec, point) => {
    const chunks = spec.stream().content()[Symbol.asyncIterator]();
    for (let seen = 0; ; seen++) {
      const next = chunks.next();
      if (seen === point >> 1) {
        await steps(point % 4);
        await chunks.return?.();
      }
      if ((await next).done === true) return;
    }
  },
};

/** Every answer has its call, and every call its answer. */
function expectSendable(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.type === 'tool') open = open.filter((id) => !message.responses.some((response) => response.id === id));
    else {
      expect(open).toEqual([]);
      open = message.type === 'assistant' ? message.toolCalls.map(({ id }) => id) : [];
    }
  }
  expect(open).toEqual([]);
}

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

describe.each(Object.entries(chains))('with %s', (_, advisorsOf) => {
  it.each(Object.entries(runs))('an %s leaves nothing behind, whenever it ends', async (name, run) => {
    for (const point of POINTS) {
      const registry = new RecordingObservationRegistry();
      const repository = new SlowRepository();
      const model = new SlowModel(point % 2 === 0, registry);
      const controller = new AbortController();
      const spec = ChatClient.builder(model, { observationRegistry: registry })
        .defaultTools(wait)
        .defaultAdvisors(...advisorsOf(new MessageWindowChatMemory({ repository, maxMessages: 100 }), model))
        .build()
        .prompt('q')
        .conversation('c')
        .signal(controller.signal);
      const isAborted = name.startsWith('aborted');
      if (isAborted) void steps(point * 2).then(() => controller.abort());
      const failure = await run(spec, point).then(
        () => undefined,
        (error: unknown) => error,
      );
      await new Promise((resolve) => setImmediate(resolve));

      if (failure !== mine && failure !== undefined) {
        expect(VernalError.is(failure) ? failure.code : failure, `at ${point}`).toBe('aborted');
      }
      expect({ listeners: getEventListeners(controller.signal, 'abort').length, open: model.open, unhandled }).toEqual({
        listeners: 0,
        open: 0,
        unhandled: [],
      });
      registry.assertAllStopped();
      const { messages } = await repository.findByConversationId('c');
      expectSendable(messages);
      expect(messages.length === 0 || messages.at(-1)?.type === 'assistant', `history at ${point}`).toBe(true);
      if (failure === undefined && isAborted) expect(messages.at(-1)?.metadata).toEqual({});
    }
  });
});
