import { ChatClient, foldClient, MessageChatMemoryAdvisor, SafeGuardAdvisor } from '@vernal/client-chat';
import {
  EvaluateAndRepeatAdvisor,
  type EvaluateAndRepeatAdvisorOptions,
  type Judgement,
} from '@vernal/client-chat/advisors';
import { type ChatResponse, MessageWindowChatMemory, messageText, responseText, tool } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const short = async (_: unknown, response: ChatResponse): Promise<Judgement> => {
  const text = responseText(response);
  return text.length <= 5 ? { pass: true } : { pass: false, feedback: `${text.length} characters` };
};

function judged(steps: readonly ScriptStep[], options: Partial<EvaluateAndRepeatAdvisorOptions> = {}) {
  const model = new ScriptedChatModel(steps);
  const chatMemory = new MessageWindowChatMemory();
  const client = ChatClient.builder(model)
    .defaultAdvisors(
      new EvaluateAndRepeatAdvisor({ evaluate: short, ...options }),
      new MessageChatMemoryAdvisor({ chatMemory }),
    )
    .build();
  return { model, client, chatMemory };
}

describe.each(['call', 'stream'] as const)('EvaluateAndRepeatAdvisor in a %s', (mode) => {
  const ask = (client: ChatClient) => {
    const spec = client.prompt('q').conversation('c');
    return mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
  };

  it('shows the model its answer and the judgement, and gives the one that passes with the usage of both', async () => {
    const { client, model, chatMemory } = judged([
      { text: 'too long by far', usage: { totalTokens: 3 } },
      { text: 'brief', usage: { totalTokens: 4 } },
    ]);
    const response = await ask(client);
    const metadata = response.chatResponse?.metadata;
    expect(response.chatResponse?.result?.output.text).toBe('brief');
    expect(metadata?.['evaluation']).toEqual({ pass: true, attempts: 2 });
    expect(metadata?.usage).toEqual({ totalTokens: 7, rounds: [{ totalTokens: 3 }, { totalTokens: 4 }] });
    expect(model.prompts[1]?.messages.map(messageText)).toEqual([
      'q',
      'too long by far',
      'Your answer was judged and did not pass:\n15 characters\nAnswer the question again, and better.',
    ]);
    expect(response.turn.map(messageText)).toEqual(['q', 'brief']);
    expect((await chatMemory.get('c')).map(messageText)).toEqual(['q', 'brief']);
  });

  it('gives the last answer, and says that it did not pass', async () => {
    const { client, model } = judged(['first long', 'second long', 'third long']);
    const response = await ask(client);
    expect(response.chatResponse?.result?.output.text).toBe('third long');
    expect(response.chatResponse?.metadata['evaluation']).toEqual({
      pass: false,
      feedback: '10 characters',
      attempts: 3,
    });
    expect(model.prompts[2]?.messages.map(messageText)).toEqual([
      'q',
      'second long',
      expect.stringContaining('11 characters'),
    ]);
  });

  it('asks once with no repeats', async () => {
    const { client } = judged(['first long'], { maxRepeats: 0 });
    expect((await ask(client)).chatResponse?.metadata['evaluation']).toMatchObject({ pass: false, attempts: 1 });
  });

  it('shows what the tools gave, and keeps it in the turn', async () => {
    let runs = 0;
    const time = tool({ name: 'time', execute: () => `noon ${++runs}` });
    const { client, model, chatMemory } = judged([
      { toolCalls: [{ id: 't', name: 'time', arguments: {} }] },
      'it is noon by now',
      'noon',
    ]);
    const response = await ask(client.mutate().defaultTools(time).build());
    expect(runs).toBe(1);
    expect(model.prompts[2]?.messages.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(response.turn.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect((await chatMemory.get('c')).map(messageText)).toEqual(['q', '', 'noon 1', 'noon']);
  });

  it('does not judge what a guard refused', async () => {
    const { client, model } = judged(['a forbidden word']);
    const guarded = client
      .mutate()
      .defaultAdvisors(new SafeGuardAdvisor({ sensitiveWords: ['forbidden'], order: 3000, scope: 'turn' }))
      .build();
    const response = await ask(guarded);
    expect(response.chatResponse?.result?.metadata.finishReason).toBe('blocked');
    expect(response.turn).toEqual([]);
    expect(model.prompts).toHaveLength(1);
  });

  it('does not judge calls that nobody runs', async () => {
    const { client } = judged([{ text: 'long text here', toolCalls: [{ name: 'time', arguments: {} }] }]);
    const response = await ask(client.mutate().toolCalling(false).build());
    expect(response.chatResponse?.result?.output.toolCalls).toHaveLength(1);
  });

  it('throws what the judge throws', async () => {
    const { client } = judged(['x'], {
      evaluate: async () => {
        throw new Error('no judge');
      },
    });
    await expect(ask(client)).rejects.toThrow('no judge');
  });

  it('is aborted while it is judged, even by a judge who does not look', async () => {
    const controller = new AbortController();
    const { client } = judged(['x'], {
      evaluate: () => {
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
    });
    const spec = client.prompt('q').conversation('c').signal(controller.signal);
    const asked = mode === 'call' ? spec.call().content() : collect(spec.stream().content());
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
  });

  it('judges entities', async () => {
    const Film = z.object({ year: z.number() });
    const { client } = judged(['{"year":1900}', '{"year":2000}'], {
      evaluate: async (_, response) => ({ pass: responseText(response).includes('2000') }),
    });
    const spec = client.prompt('q').conversation('c');
    const film = mode === 'call' ? await spec.call().entity(Film) : await spec.stream().entity(Film).result();
    expect(film).toEqual({ year: 2000 });
  });
});

it('a stream holds the text back until it is judged', async () => {
  const { client } = judged(['too long by far', 'brief']);
  expect(await collect(client.prompt('q').conversation('c').stream().content())).toEqual(['brief']);
});

it('needs a judge, and no negative patience', () => {
  // @ts-expect-error as somebody without types would call it
  expect(() => new EvaluateAndRepeatAdvisor({})).toThrow(expect.objectContaining({ subject: 'evaluate' }));
  expect(() => new EvaluateAndRepeatAdvisor({ evaluate: short, maxRepeats: -1 })).toThrow(
    expect.objectContaining({ code: 'invalid_argument' }),
  );
});
