import { ChatClient, withRequest } from '@vernal/client-chat';
import { RetryAdvisor, type RetryAdvisorOptions } from '@vernal/client-chat/advisors';
import { type Logger, ModelError, type RetryPolicy, tool, VernalError } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { collect } from './collect.js';

const busy = new ModelError('busy', { provider: 'scripted', code: 'model_overloaded', retryable: true });
const atOnce: RetryPolicy = { initialDelayMs: 0, maxAttempts: 4 };

function retrying(steps: readonly ScriptStep[], options: RetryAdvisorOptions = { policy: atOnce }) {
  const warnings: unknown[] = [];
  const logger: Logger = { debug() {}, info() {}, warn: (_, data) => warnings.push(data) };
  const model = new ScriptedChatModel(steps);
  const client = ChatClient.builder(model, { logger }).defaultAdvisors(new RetryAdvisor(options)).build();
  return { model, client, warnings };
}

describe.each(['call', 'stream'] as const)('RetryAdvisor in a %s', (mode) => {
  const ask = async (client: ChatClient, signal?: AbortSignal): Promise<string> => {
    const spec = signal === undefined ? client.prompt('q') : client.prompt('q').signal(signal);
    return mode === 'call' ? spec.call().content() : (await collect(spec.stream().content())).join('');
  };

  it('asks again until it is answered, and says so', async () => {
    const { client, warnings, model } = retrying([{ error: busy }, { error: busy }, 'fine']);
    expect(await ask(client)).toBe('fine');
    model.assertComplete();
    expect(warnings).toEqual([
      { attempt: 1, delayMs: 0, code: 'model_overloaded' },
      { attempt: 2, delayMs: 0, code: 'model_overloaded' },
    ]);
  });

  it('throws the error as it was when it has tried enough', async () => {
    const { client, model } = retrying(Array.from({ length: 9 }, () => ({ error: busy })));
    await expect(ask(client)).rejects.toBe(busy);
    expect(model.prompts).toHaveLength(4);
  });

  it('does not repeat what is wrong in itself', async () => {
    const wrong = new ModelError('no', { provider: 'scripted', code: 'model_bad_request' });
    const { client, model } = retrying([{ error: wrong }]);
    await expect(ask(client)).rejects.toBe(wrong);
    expect(model.prompts).toHaveLength(1);
  });

  it('asks what change() makes of the request that failed', async () => {
    const seen: unknown[] = [];
    const { client, model } = retrying([{ error: busy }, { error: busy }, 'ok'], {
      policy: atOnce,
      change: (request, error, attempt) => {
        seen.push([error, attempt]);
        return withRequest(request, {
          prompt: request.prompt.augmentUserMessage(`${request.prompt.userMessage.text}!`),
        });
      },
    });
    expect(await ask(client)).toBe('ok');
    expect(model.prompts.map(({ userMessage }) => userMessage.text)).toEqual(['q', 'q!', 'q!!']);
    expect(seen).toEqual([
      [busy, 1],
      [busy, 2],
    ]);
  });

  it('repeats one round, not the tools before it', async () => {
    let runs = 0;
    const time = tool({ name: 'time', execute: () => `noon ${++runs}` });
    const { client, model } = retrying([{ toolCalls: [{ name: 'time', arguments: {} }] }, { error: busy }, 'noon']);
    expect(await ask(client.mutate().defaultTools(time).build())).toBe('noon');
    expect(runs).toBe(1);
    expect(model.prompts[2]?.messages).toEqual(model.prompts[1]?.messages);
  });

  it('gives up a wait when the request is aborted', async () => {
    const controller = new AbortController();
    const error = new ModelError('later', { provider: 'p', retryable: true, retryAfterMs: 3_600_000 });
    const { client } = retrying([{ error }], {
      change: (request) => {
        queueMicrotask(() => controller.abort());
        return request;
      },
    });
    await expect(ask(client, controller.signal)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('does not wait longer than its deadline for a Retry-After', async () => {
    const error = new ModelError('later', { provider: 'p', retryable: true, retryAfterMs: 3_600_000 });
    const { client, model } = retrying([{ error }], { policy: { deadlineMs: 1_000 } });
    await expect(ask(client)).rejects.toBe(error);
    expect(model.prompts).toHaveLength(1);
  });
});

it('a stream is not begun again once content has gone out', async () => {
  const cut = new ModelError('cut', { code: 'model_stream_interrupted', provider: 'scripted', retryable: true });
  const { client, model } = retrying([{ text: 'one two', error: cut, afterChunks: 1 }, 'other']);
  const seen: string[] = [];
  await expect(
    (async () => {
      for await (const text of client.prompt('q').stream().content()) seen.push(text);
    })(),
  ).rejects.toBe(cut);
  expect(seen).toEqual(['one']);
  expect(model.prompts).toHaveLength(1);
});

it('a call is, even if the provider streamed half of it', async () => {
  const cut = new ModelError('cut', { code: 'model_stream_interrupted', provider: 'scripted', retryable: true });
  const { client } = retrying([{ text: 'one two', error: cut, afterChunks: 1 }, 'other']);
  expect(await client.prompt('q').call().content()).toBe('other');
});

it('a reader who leaves is not asked for again', async () => {
  const { client, model } = retrying(['one two', 'other']);
  for await (const _ of client.prompt('q').stream().content()) break;
  expect(model.prompts).toHaveLength(1);
});

it('an error that is nobody’s to repeat stays what it was', async () => {
  const own = new VernalError('mine', { code: 'invalid_state' });
  const { client } = retrying([{ error: own }]);
  await expect(client.prompt('q').call().content()).rejects.toBe(own);
});
