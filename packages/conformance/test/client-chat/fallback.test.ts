import { ChatClient } from '@vernal/client-chat';
import { FallbackAdvisor } from '@vernal/client-chat/advisors';
import { type Logger, ModelError, tool, VernalError } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const overloaded = new VernalError('overloaded', { code: 'model_overloaded' });

function falling(first: readonly ScriptStep[], ...others: readonly ScriptedChatModel[]) {
  const model = new ScriptedChatModel(first, { defaultOptions: { model: 'big' } });
  const warnings: unknown[] = [];
  const logger: Logger = { debug() {}, info() {}, warn: (_, data) => warnings.push(data) };
  const client = ChatClient.builder(model, { logger })
    .defaultAdvisors(new FallbackAdvisor({ models: others.map((other) => ({ model: other })) }))
    .build();
  return { client, warnings };
}

describe.each(['call', 'stream'] as const)('FallbackAdvisor in a %s', (mode) => {
  const ask = async (client: ChatClient, signal?: AbortSignal): Promise<string> => {
    const spec = signal === undefined ? client.prompt('q') : client.prompt('q').signal(signal);
    return mode === 'call' ? spec.call().content() : (await collect(spec.stream().content())).join('');
  };

  it('asks the next model, and the one after it', async () => {
    const { client, warnings } = falling(
      [{ error: overloaded }],
      new ScriptedChatModel([{ error: new Error('reset') }]),
      new ScriptedChatModel(['from the third']),
    );
    expect(await ask(client)).toBe('from the third');
    expect(warnings).toEqual([
      { next: 'scripted', code: 'model_overloaded' },
      { next: 'scripted', code: 'unknown' },
    ]);
  });

  it('asks no other while one answers', async () => {
    const other = new ScriptedChatModel([]);
    expect(await ask(falling(['fine'], other).client)).toBe('fine');
  });

  it('throws the last error when all fail', async () => {
    const { client } = falling([{ error: overloaded }], new ScriptedChatModel([{ error: new Error('last') }]));
    await expect(ask(client)).rejects.toThrow('last');
  });

  it('leaves the model name of the other provider behind, and lays its own options over the rest', async () => {
    const second = new ScriptedChatModel(['ok'], { defaultOptions: { model: 'small' } });
    const client = ChatClient.builder(new ScriptedChatModel([{ error: overloaded }]))
      .defaultOptions({ model: 'big', temperature: 0.1, maxTokens: 9, providerOptions: { openai: { seed: 1 } } })
      .defaultAdvisors(new FallbackAdvisor({ models: [{ model: second, options: { temperature: 0.9 } }] }))
      .build();
    await ask(client);
    expect(second.prompts[0]?.options).toEqual({
      temperature: 0.9,
      maxTokens: 9,
      providerOptions: { openai: { seed: 1 } },
    });
  });

  it('does not go on after an abort', async () => {
    const controller = new AbortController();
    const other = new ScriptedChatModel(['no']);
    const { client } = falling(
      [
        () => {
          controller.abort();
          return { error: overloaded };
        },
      ],
      other,
    );
    await expect(ask(client, controller.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(other.prompts).toHaveLength(0);
  });

  it('does not go on for a request that is wrong in itself', async () => {
    const wrong = new VernalError('no', { code: 'invalid_argument' });
    const { client } = falling([{ error: wrong }], new ScriptedChatModel([]));
    await expect(ask(client)).rejects.toBe(wrong);
  });

  it('falls back in the middle of a tool loop, which goes on', async () => {
    const time = tool({ name: 'time', execute: () => 'noon' });
    const second = new ScriptedChatModel(['at noon']);
    const { client } = falling([{ toolCalls: [{ name: 'time', arguments: {} }] }, { error: overloaded }], second);
    expect(await ask(client.mutate().defaultTools(time).build())).toBe('at noon');
    expect(second.prompts[0]?.messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'tool']);
  });

  it('asks the other model for an entity in the way that one can', async () => {
    const Film = z.object({ year: z.number() });
    const first = new ScriptedChatModel([{ error: overloaded }]);
    const second = new ScriptedChatModel(['{"year":1}'], { capabilities: { outputSchema: 'none' } });
    const client = ChatClient.builder(first, { onUnsupported: 'warn' })
      .defaultAdvisors(new FallbackAdvisor({ models: [{ model: second }] }))
      .build();
    const spec = client.prompt('q');
    const entity =
      mode === 'call'
        ? await spec.call().entity(Film, { native: true })
        : await spec.stream().entity(Film, { native: true }).result();
    expect(entity).toEqual({ year: 1 });
    expect(first.prompts[0]?.options.outputSchema).toBeDefined();
    expect(second.prompts[0]?.options.outputSchema).toBeUndefined();
    expect(second.prompts[0]?.userMessage.text).toContain('year');
  });
});

it('a stream does not fall back once content has gone out', async () => {
  const other = new ScriptedChatModel(['other']);
  const broken = new ModelError('cut', { code: 'model_stream_interrupted', provider: 'scripted' });
  const { client } = falling([{ text: 'one two', error: broken, afterChunks: 1 }], other);
  const seen: string[] = [];
  await expect(
    (async () => {
      for await (const text of client.prompt('q').stream().content()) seen.push(text);
    })(),
  ).rejects.toBe(broken);
  expect(seen).toEqual(['one']);
  expect(other.prompts).toHaveLength(0);
});

it('needs a model to fall back to', () => {
  expect(() => new FallbackAdvisor({ models: [] })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
