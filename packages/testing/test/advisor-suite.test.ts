import type { AnyAdvisor, ChatClientRequest, ChatClientResponse } from '@vernal/client-chat';
import {
  BaseAdvisor,
  MessageChatMemoryAdvisor,
  PromptChatMemoryAdvisor,
  ReReadingAdvisor,
  SafeGuardAdvisor,
  SimpleLoggerAdvisor,
  withRequest,
} from '@vernal/client-chat';
import { CONVERSATION_ID, contextValue, type Message, MessageWindowChatMemory, noopLogger } from '@vernal/core';
import { describeAdvisor, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { CollectingRunner } from './collecting-runner.js';

const runner = vitestRunner(vitest);

class Polite extends BaseAdvisor {
  readonly name = 'polite';
  override before(request: ChatClientRequest): ChatClientRequest {
    return withRequest(request, { prompt: request.prompt.augmentSystemMessage('Be polite.') });
  }
}

describeAdvisor('an advisor of one’s own', () => ({ subject: new Polite() }), { runner });
describeAdvisor(
  'MessageChatMemoryAdvisor',
  () => ({ subject: new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }) }),
  { runner },
);
describeAdvisor(
  'PromptChatMemoryAdvisor',
  () => ({ subject: new PromptChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }) }),
  { runner },
);
describeAdvisor('SafeGuardAdvisor', () => ({ subject: new SafeGuardAdvisor({ sensitiveWords: ['forbidden'] }) }), {
  runner,
});
describeAdvisor('ReReadingAdvisor', () => ({ subject: new ReReadingAdvisor() }), { runner });
describeAdvisor('SimpleLoggerAdvisor', () => ({ subject: new SimpleLoggerAdvisor({ logger: noopLogger }) }), {
  runner,
});

describe('a broken advisor fails the case that is about it', () => {
  const place = { name: 'broken', order: 0 };
  const ask = (request: ChatClientRequest, text: string): ChatClientRequest =>
    withRequest(request, { prompt: request.prompt.augmentUserMessage(text) });
  it.each<[string, () => AnyAdvisor, readonly string[]]>([
    [
      'silent on streams',
      () => ({
        ...place,
        adviseCall: (request, chain) => chain.nextCall(request),
        async *adviseStream(request, chain) {
          for await (const chunk of chain.nextStream(request)) {
            if (chunk.turn.length > 0) yield chunk;
          }
        },
      }),
      ['advisor.call-equals-stream', 'advisor.tool-rounds', 'advisor.again', 'advisor.concurrent'],
    ],
    [
      'asks something else',
      () => ({ ...place, adviseCall: (request, chain) => chain.nextCall(ask(request, 'name-0')) }),
      ['advisor.question-arrives', 'advisor.concurrent'],
    ],
    [
      'swallows errors',
      () => ({
        ...place,
        adviseCall: async (request, chain): Promise<ChatClientResponse> => {
          try {
            return await chain.nextCall(request);
          } catch (error) {
            if (request.signal?.aborted) throw error;
            return { context: {}, turn: [] };
          }
        },
      }),
      ['advisor.error'],
    ],
    [
      'serves once',
      () => {
        let used = false;
        return {
          ...place,
          adviseCall: async (request, chain) => {
            if (used) throw new Error('used up');
            used = true;
            return chain.nextCall(request);
          },
        };
      },
      [
        'advisor.call-equals-stream',
        'advisor.question-arrives',
        'advisor.tool-rounds',
        'advisor.cut',
        'advisor.again',
        'advisor.concurrent',
        'advisor.error',
        'advisor.left',
      ],
    ],
    [
      'remembers a call before its answer',
      () => {
        const kept = new Map<string, Message[]>();
        return {
          ...place,
          adviseCall: async (request, chain) => {
            const id = contextValue(request.context, CONVERSATION_ID) ?? '';
            const history = kept.get(id) ?? [];
            const { messages } = request.prompt;
            const isNew = messages.length === 1;
            const response = await chain.nextCall(
              isNew
                ? withRequest(request, { prompt: request.prompt.withMessages([...history, ...messages]) })
                : request,
            );
            const answer = response.turn.at(-1);
            kept.set(id, [...history, ...messages.slice(-1), ...(answer === undefined ? [] : [answer])]);
            return response;
          },
        };
      },
      ['advisor.cut'],
    ],
    [
      'without a name',
      () => ({ ...place, name: ' ', adviseCall: (request, chain) => chain.nextCall(request) }),
      ['advisor.plain'],
    ],
  ])('%s', async (_, create, expected) => {
    const collecting = new CollectingRunner();
    describeAdvisor('broken', () => ({ subject: create() }), { runner: collecting });
    expect(await collecting.run()).toEqual(expected);
  });
});
