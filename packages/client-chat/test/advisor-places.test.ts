// Where the advisors of this package stand, and what BaseAdvisor promises of its two methods.
import {
  type AnyAdvisor,
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientResponse,
  DEFAULT_CHAT_MEMORY_ORDER,
  DEFAULT_TOOL_CALLING_ORDER,
  HIGHEST_PRECEDENCE,
  LOWEST_PRECEDENCE,
  MessageChatMemoryAdvisor,
  PromptChatMemoryAdvisor,
  ReReadingAdvisor,
  SafeGuardAdvisor,
  SimpleLoggerAdvisor,
  StructuredOutputValidationAdvisor,
  ToolCallingAdvisor,
} from '@vernal/client-chat';
import {
  type ChatModel,
  chatResponse,
  jsonSchema,
  MessageWindowChatMemory,
  noopLogger,
  responseText,
  TEXT_ONLY,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

const chatMemory = new MessageWindowChatMemory();
const schema = jsonSchema({ type: 'object' });

it('the extremes are those of a 32-bit integer', () => {
  expect([HIGHEST_PRECEDENCE, LOWEST_PRECEDENCE]).toEqual([-(2 ** 31), 2 ** 31 - 1]);
  expect([DEFAULT_CHAT_MEMORY_ORDER, DEFAULT_TOOL_CALLING_ORDER]).toEqual([
    HIGHEST_PRECEDENCE + 200,
    HIGHEST_PRECEDENCE + 300,
  ]);
});

describe('the place of', () => {
  it.each<[string, AnyAdvisor, number, string | undefined, string | undefined]>([
    [
      'MessageChatMemoryAdvisor',
      new MessageChatMemoryAdvisor({ chatMemory }),
      DEFAULT_CHAT_MEMORY_ORDER,
      'turn',
      'memory',
    ],
    [
      'PromptChatMemoryAdvisor',
      new PromptChatMemoryAdvisor({ chatMemory }),
      DEFAULT_CHAT_MEMORY_ORDER,
      'turn',
      'memory',
    ],
    ['ToolCallingAdvisor', new ToolCallingAdvisor(), DEFAULT_TOOL_CALLING_ORDER, undefined, 'tool'],
    ['SafeGuardAdvisor', new SafeGuardAdvisor({ sensitiveWords: ['x'] }), 0, 'turn', undefined],
    ['ReReadingAdvisor', new ReReadingAdvisor(), 0, 'turn', undefined],
    ['SimpleLoggerAdvisor', new SimpleLoggerAdvisor({ logger: noopLogger }), 0, undefined, undefined],
    [
      'StructuredOutputValidationAdvisor',
      new StructuredOutputValidationAdvisor({ schema }),
      LOWEST_PRECEDENCE - 2000,
      'round',
      undefined,
    ],
  ])('%s', (name, advisor, order, scope, role) => {
    expect(advisor.name).toBe(name);
    expect([advisor.order, advisor.scope, advisor.role]).toEqual([order, scope, role]);
  });

  it('an advisor is its user’s to choose: an order alone decides by itself', () => {
    const words = { sensitiveWords: ['x'] };
    expect(new SafeGuardAdvisor({ ...words, order: 7 })).toMatchObject({ order: 7, scope: undefined });
    expect(new SafeGuardAdvisor({ ...words, scope: 'round' })).toMatchObject({ order: 0, scope: 'round' });
    expect(new ToolCallingAdvisor({ order: 0 }).order).toBe(0);
  });
});

const run = async (mode: 'call' | 'stream', client: ChatClient): Promise<string> => {
  const spec = client.prompt('q');
  return mode === 'call' ? spec.call().content() : (await collect(spec.stream().content())).join('');
};

describe.each(['call', 'stream'] as const)('in a %s', (mode) => {
  it('an advisor of the lowest precedence stands before the model, not behind it', async () => {
    const seen: string[] = [];
    class Last extends BaseAdvisor {
      readonly name = 'last';
      override before(request: ChatClientRequest): ChatClientRequest {
        seen.push('before');
        return request;
      }
    }
    const client = ChatClient.builder(new HandWrittenModel(['ok']))
      .defaultAdvisors(new Last({ order: LOWEST_PRECEDENCE }))
      .build();
    expect(await run(mode, client)).toBe('ok');
    expect(seen).toEqual(['before']);
  });

  it.each<[string, readonly (string | undefined)[]]>([
    ['never', []],
    ['once', ['stop']],
    ['twice', ['stop', 'stop']],
  ])('after() gets the whole answer once, whether it says that it has ended or not (%s)', async (_, reasons) => {
    const answers: string[] = [];
    class Watch extends BaseAdvisor {
      readonly name = 'watch';
      override after(response: ChatClientResponse): ChatClientResponse {
        answers.push(responseText(response.chatResponse ?? chatResponse('')));
        return response;
      }
    }
    const model: ChatModel = {
      provider: 'm',
      capabilities: TEXT_ONLY,
      defaultOptions: {},
      call: async () => chatResponse([{ text: 'one two', metadata: { finishReason: reasons[0] } }]),
      async *stream() {
        yield chatResponse('one ');
        yield chatResponse('two');
        for (const finishReason of reasons) yield chatResponse([{ metadata: { finishReason } }]);
      },
    };
    expect(await run(mode, ChatClient.builder(model).defaultAdvisors(new Watch()).build())).toBe('one two');
    expect(answers).toEqual(['one two']);
  });

  it('the error of a model passes as it is', async () => {
    class Plain extends BaseAdvisor {
      readonly name = 'plain';
    }
    const error = new Error('500');
    const client = ChatClient.builder(new HandWrittenModel([error]))
      .defaultAdvisors(new Plain())
      .build();
    await expect(run(mode, client)).rejects.toBe(error);
  });

  it('whoever waits is handed the signal: providers, memories and advisors', async () => {
    const { signal } = new AbortController();
    const handed: Record<string, unknown> = {};
    class Waiting extends BaseAdvisor {
      readonly name = 'waiting';
      override before(request: ChatClientRequest): ChatClientRequest {
        handed['advisor'] = request.signal;
        return request;
      }
    }
    const memory = new MessageChatMemoryAdvisor({
      chatMemory: {
        get: async (_, options) => {
          handed['memory'] = options?.signal;
          return [];
        },
        add: async () => {},
        clear: async () => {},
      },
    });
    const provider = {
      toolCallbacks: (context?: { readonly signal?: AbortSignal | undefined }) => {
        handed['provider'] = context?.signal;
        return [];
      },
    };
    const spec = ChatClient.create(new HandWrittenModel(['ok']))
      .prompt('q')
      .tools(provider)
      .advisors(new Waiting(), memory)
      .conversation('c')
      .signal(signal);
    await (mode === 'call' ? spec.call().content() : collect(spec.stream().content()));
    expect(handed).toEqual({ provider: signal, memory: signal, advisor: signal });
  });
});
