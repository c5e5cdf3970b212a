import { getEventListeners } from 'node:events';
import {
  BaseAdvisor,
  ChatClient,
  type ChatClientRequest,
  type ChatClientRequestSpec,
  type ChatClientResponse,
  foldClient,
  type Inward,
  MessageChatMemoryAdvisor,
  SafeGuardAdvisor,
  ToolCallingAdvisor,
} from '@vernal/client-chat';
import {
  EvaluateAndRepeatAdvisor,
  InMemoryResponseCache,
  type ResponseCache,
  ResponseCacheAdvisor,
  type ResponseCacheAdvisorOptions,
} from '@vernal/client-chat/advisors';
import {
  type ApprovalDecision,
  assistantMessage,
  type ChatOptions,
  chatResponse,
  type Logger,
  MessageWindowChatMemory,
  ModelError,
  media,
  messageText,
  Prompt,
  ToolCallingManager,
  tool,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import { ScriptedChatModel, type ScriptedChatModelOptions, type ScriptStep } from '@vernal/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

interface Door {
  readonly opened: Promise<void>;
  open(): void;
}

function door(): Door {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function after({ opened }: Door, step: ScriptStep): ScriptStep {
  return async () => {
    await opened;
    return step;
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** So many requests have their key, and went on with it as far as they could. Web Crypto takes its time on threads of its own. */
async function keyed(requests: number): Promise<void> {
  while (digest.mock.results.length < requests) await turn();
  await Promise.all(digest.mock.results.map(({ value }) => value));
  await turn();
  await turn();
}

let digest: MockInstance<typeof crypto.subtle.digest>;
beforeEach(() => {
  digest = vi.spyOn(crypto.subtle, 'digest');
});
afterEach(() => {
  digest.mockRestore();
});

function caching(
  steps: readonly ScriptStep[],
  options: Partial<ResponseCacheAdvisorOptions> = {},
  modelOptions?: ScriptedChatModelOptions,
) {
  const warnings: unknown[] = [];
  const logger: Logger = { debug() {}, info() {}, warn: (message, data) => warnings.push([message, data]) };
  const model = new ScriptedChatModel(steps, modelOptions);
  const cache = options.cache ?? new InMemoryResponseCache();
  const advisor = new ResponseCacheAdvisor({ ...options, cache });
  const client = ChatClient.builder(model, { logger }).defaultAdvisors(advisor).build();
  return { model, client, cache, warnings };
}

const counted = (text: string): ScriptStep => ({ text, usage: { totalTokens: 5 } });

describe.each(['call', 'stream'] as const)('ResponseCacheAdvisor in a %s', (mode) => {
  const respond = (spec: ChatClientRequestSpec): Promise<ChatClientResponse> =>
    mode === 'call' ? spec.call().chatClientResponse() : foldClient(spec.stream().chatClientResponse());
  const ask = async (spec: ChatClientRequestSpec): Promise<string | undefined> =>
    (await respond(spec)).chatResponse?.result?.output.text;

  it('gives an answer again, says that it is cached, and counts no usage', async () => {
    const { client, model } = caching([counted('one two')]);
    const first = await respond(client.prompt('q'));
    const second = await respond(client.prompt('q'));
    expect(first.chatResponse?.metadata.usage).toEqual({ totalTokens: 5 });
    expect(first.chatResponse?.metadata['cached']).toBeUndefined();
    expect(second.chatResponse?.metadata).toMatchObject({ usage: {}, cached: true });
    expect(second.chatResponse?.results).toEqual(first.chatResponse?.results);
    expect(second.turn).toEqual(first.turn);
    model.assertComplete();
  });

  it('serves a stream with the answer of a call, and the other way round', async () => {
    const { client } = caching(['one two']);
    await ask(client.prompt('q'));
    const other =
      mode === 'call' ? collect(client.prompt('q').stream().content()) : [await client.prompt('q').call().content()];
    expect((await other).join('')).toBe('one two');
  });

  it('gives nobody’s answer to somebody who is nobody too', async () => {
    const cache = new InMemoryResponseCache();
    // As in plain JavaScript, where a user who is not signed in has no id.
    const { client } = caching(['1', '2'], { cache, tenant: ({ context }) => context['user'] as string | undefined });
    expect(await client.prompt('q').call().content()).toBe('1');
    expect(await client.prompt('q').call().content()).toBe('2');
    expect(cache.size).toBe(0);
  });

  it('asks again for another question, option, tenant or model', async () => {
    let tenant = 'a';
    const cache = new InMemoryResponseCache();
    const { client } = caching(['1', '2', '3', '4'], { cache, tenant: () => tenant });
    expect(await ask(client.prompt('q'))).toBe('1');
    expect(await ask(client.prompt('Q'))).toBe('2');
    expect(await ask(client.prompt('q').options({ temperature: 0.5 }))).toBe('3');
    tenant = 'b';
    expect(await ask(client.prompt('q'))).toBe('4');
    const other = caching(['5'], { cache, tenant: () => 'a' }, { defaultOptions: { model: 'other' } });
    expect(await ask(other.client.prompt('q'))).toBe('5');
  });

  it('keeps an entity apart from its text, and from another entity', async () => {
    const One = z.object({ one: z.number() });
    const Two = z.object({ two: z.number() });
    const { client } = caching(['plain', '{"one":1}', '{"two":2}']);
    const entity = <T>(schema: z.ZodType<T>): Promise<T> =>
      mode === 'call' ? client.prompt('q').call().entity(schema) : client.prompt('q').stream().entity(schema).result();
    expect(await ask(client.prompt('q'))).toBe('plain');
    expect(await entity(One)).toEqual({ one: 1 });
    expect(await entity(Two)).toEqual({ two: 2 });
    expect(await entity(One)).toEqual({ one: 1 });
  });

  it('does not keep a turn in which tools ran, and runs them each time', async () => {
    let runs = 0;
    const time = tool({ name: 'time', execute: () => `noon ${++runs}` });
    const step: ScriptStep = { toolCalls: [{ name: 'time', arguments: {} }] };
    const { client } = caching([step, 'noon', step, 'later']);
    const spec = client.prompt('q').tools(time);
    expect([await ask(spec), await ask(spec), runs]).toEqual(['noon', 'later', 2]);
  });

  it('never shares a turn with tools, however equal', async () => {
    let runs = 0;
    const order = tool({ name: 'order', execute: () => `pizza ${++runs}` });
    const step: ScriptStep = (prompt) =>
      prompt.messages.length === 1 ? { toolCalls: [{ name: 'order', arguments: {} }] } : 'ordered';
    const { client } = caching([step, step, step, step]);
    const spec = client.prompt('q').tools(order);
    await Promise.all([ask(spec), ask(spec)]);
    expect(runs).toBe(2);
  });

  it('keeps the answers of rounds when it stands around them, but not their calls', async () => {
    let runs = 0;
    const time = tool({
      name: 'time',
      execute: () => {
        runs++;
        return 'noon';
      },
    });
    const step: ScriptStep = { toolCalls: [{ id: 'same', name: 'time', arguments: {} }] };
    const { client } = caching([step, 'noon', step], { scope: 'round' });
    const spec = client.prompt('q').tools(time);
    expect([await ask(spec), await ask(spec), runs]).toEqual(['noon', 'noon', 2]);
  });

  it.each<[string, ScriptStep]>([
    ['cut by its length', { text: 'half', finishReason: 'length' }],
    ['filtered', { text: 'half', finishReason: 'content_filter' }],
    ['empty', { text: '' }],
  ])('does not keep an answer that was %s', async (_, step) => {
    const { client } = caching([step, 'whole']);
    await ask(client.prompt('q'));
    expect(await ask(client.prompt('q'))).toBe('whole');
  });

  it('does not keep errors, nor streams that broke', async () => {
    const error = new ModelError('cut', { provider: 'scripted', code: 'model_stream_interrupted' });
    const { client } = caching([{ text: 'one two', error, afterChunks: 1 }, 'whole']);
    await expect(ask(client.prompt('q'))).rejects.toBe(error);
    expect(await ask(client.prompt('q'))).toBe('whole');
  });

  it('does not keep what a guard refused, or a judge', async () => {
    const { client } = caching(['a bad word', 'better', 'poor', 'rich']);
    const guarded = client
      .mutate()
      .defaultAdvisors(new SafeGuardAdvisor({ sensitiveWords: ['bad'], order: 1500, scope: 'turn' }))
      .build();
    await ask(guarded.prompt('q'));
    expect(await ask(guarded.prompt('q'))).toBe('better');
    const judged = client
      .mutate()
      .defaultAdvisors(new EvaluateAndRepeatAdvisor({ evaluate: async () => ({ pass: false }), maxRepeats: 0 }))
      .build();
    await ask(judged.prompt('other'));
    expect(await ask(judged.prompt('other'))).toBe('rich');
  });

  it('asks again for a conversation that is remembered further out, and remembers what was cached', async () => {
    const { client } = caching(['first', 'second']);
    const chatMemory = new MessageWindowChatMemory();
    const remembering = client.mutate().defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory })).build();
    expect(await ask(remembering.prompt('q').conversation('a'))).toBe('first');
    expect(await ask(remembering.prompt('q').conversation('b'))).toBe('first');
    expect(await ask(remembering.prompt('q').conversation('a'))).toBe('second');
    expect((await chatMemory.get('b')).map(messageText)).toEqual(['q', 'first']);
  });

  it('knows conversations apart when a memory stands further in', async () => {
    const { client } = caching(['first', 'second']);
    const memory = new MessageChatMemoryAdvisor({
      chatMemory: new MessageWindowChatMemory(),
      order: 2000,
      scope: 'turn',
    });
    const remembering = client.mutate().defaultAdvisors(memory).build();
    expect(await ask(remembering.prompt('q').conversation('a'))).toBe('first');
    expect(await ask(remembering.prompt('q').conversation('b'))).toBe('second');
  });

  it('asks the model when the cache fails, and warns', async () => {
    const broken: ResponseCache = {
      get: () => Promise.reject(new Error('secret host is down')),
      set: () => Promise.reject(new Error('secret host is down')),
    };
    const { client, warnings } = caching(['x'], { cache: broken });
    expect(await ask(client.prompt('q'))).toBe('x');
    expect(warnings).toEqual([
      ['A response cache could not be read', { code: 'unknown' }],
      ['A response cache could not be written', { code: 'unknown' }],
    ]);
  });

  it('asks the model when options cannot be written down, and warns', async () => {
    const { client, warnings } = caching(['x', 'y']);
    const spec = client.prompt('q').options({ extra: { hook: () => 1 } });
    expect([await ask(spec), await ask(spec)]).toEqual(['x', 'y']);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toEqual(['A request cannot be cached', { code: 'invalid_argument' }]);
  });

  it('hands the time to live on', async () => {
    const seen: unknown[] = [];
    const cache: ResponseCache = {
      get: async () => undefined,
      set: async (key, response, ttlMs) => void seen.push([key.length, response.result?.output.text, ttlMs]),
    };
    const { client } = caching(['x'], { cache, ttlMs: 9 });
    await ask(client.prompt('q'));
    expect(seen).toEqual([[64, 'x', 9]]);
  });

  it('does not hang on a cache that does, once it is aborted', async () => {
    const controller = new AbortController();
    const cache: ResponseCache = { get: () => new Promise(() => {}), set: async () => {} };
    const { client } = caching([], { cache });
    const asked = ask(client.prompt('q').signal(controller.signal));
    await keyed(1);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'aborted' });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('shares one answer among equal requests at the same time', async () => {
    const gate = door();
    const { client, model } = caching([after(gate, counted('one two'))]);
    const all = Promise.all(['a', 'b', 'c'].map(() => respond(client.prompt('q'))));
    await keyed(3);
    gate.open();
    const responses = await all;
    expect(responses.map((one) => one.chatResponse?.result?.output.text)).toEqual(['one two', 'one two', 'one two']);
    // Whose key is there first is asked: keys are hashed by other threads.
    const isShared = (one: (typeof responses)[number]): boolean => one.chatResponse?.metadata['cached'] === true;
    const asked = responses.filter((one) => !isShared(one));
    const shared = responses.filter(isShared);
    expect(asked.map((one) => one.chatResponse?.metadata.usage)).toEqual([{ totalTokens: 5 }]);
    expect(shared.map((one) => one.chatResponse?.metadata.usage)).toEqual([{}, {}]);
    expect(responses.map((one) => one.turn.map(messageText))).toEqual(Array(3).fill(['q', 'one two']));
    expect(model.prompts).toHaveLength(1);
  });

  it('has a turn that a guard took back forgotten by all who share it', async () => {
    const gate = door();
    const { client } = caching([after(gate, 'a bad word')]);
    const guarded = client
      .mutate()
      .defaultAdvisors(new SafeGuardAdvisor({ sensitiveWords: ['bad'], order: 1500, scope: 'turn' }))
      .build();
    const all = Promise.all(['a', 'b'].map(() => respond(guarded.prompt('q'))));
    await keyed(2);
    gate.open();
    for (const { chatResponse: answer, turn } of await all) {
      expect(answer?.result?.metadata.finishReason).toBe('blocked');
      expect(turn).toEqual([]);
    }
  });

  it('goes on for the others when one is aborted, the first one too', async () => {
    const gate = door();
    const { client, model } = caching([after(gate, 'shared')]);
    const controllers = [new AbortController(), new AbortController()];
    const left = controllers.map(({ signal }) => ask(client.prompt('q').signal(signal)));
    const stays = ask(client.prompt('q'));
    const checked = Promise.all(left.map((one) => expect(one).rejects.toMatchObject({ code: 'aborted' })));
    await keyed(3);
    for (const controller of controllers) controller.abort();
    await checked;
    gate.open();
    expect(await stays).toBe('shared');
    expect(model.prompts).toHaveLength(1);
    expect(controllers.flatMap(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([]);
  });

  it('is aborted when all have left, and asks anew for who comes then', async () => {
    const gate = door();
    const { client } = caching([after(gate, 'late'), 'new']);
    const controller = new AbortController();
    const left = ask(client.prompt('q').signal(controller.signal));
    const checked = expect(left).rejects.toMatchObject({ code: 'aborted' });
    await keyed(1);
    controller.abort();
    await checked;
    expect(await ask(client.prompt('q'))).toBe('new');
    gate.open();
  });

  it('tells everybody of an error, and asks anew after it', async () => {
    const gate = door();
    const error = new ModelError('no', { provider: 'p' });
    const { client } = caching([after(gate, { error }), 'fine']);
    const both = [ask(client.prompt('q')), ask(client.prompt('q'))];
    const checked = Promise.all(both.map((one) => expect(one).rejects.toBe(error)));
    await keyed(2);
    gate.open();
    await checked;
    expect(await ask(client.prompt('q'))).toBe('fine');
  });

  it('asks for each when told not to share', async () => {
    const gate = door();
    const { client } = caching([after(gate, 'a'), after(gate, 'b')], { singleFlight: false });
    const both = Promise.all([ask(client.prompt('q')), ask(client.prompt('q'))]);
    await keyed(2);
    gate.open();
    expect((await both).toSorted()).toEqual(['a', 'b']);
  });

  it('does not hand the context of one asker to another', async () => {
    class Secret extends BaseAdvisor {
      readonly name = 'secret';
      override async advise(request: ChatClientRequest, inward: Inward): Promise<ChatClientResponse> {
        const response = await inward.ask(request);
        return { ...response, context: { ...response.context, secret: request.context['user'] } };
      }
    }
    const gate = door();
    const { client } = caching([after(gate, 'x')]);
    const telling = client.mutate().defaultAdvisors(new Secret()).build();
    const asked = ['ann', 'bob'].map((user) => respond(telling.prompt('q').advisors((a) => a.param('user', user))));
    await keyed(2);
    gate.open();
    const contexts = (await Promise.all(asked)).map(({ context }) => context);
    expect(contexts).toEqual([{ user: 'ann', secret: 'ann' }, { user: 'bob' }]);
  });

  it('lets a resumed turn go on, whatever is cached for its question', async () => {
    const manager = new ToolCallingManager({
      approvalKey: new Uint8Array(32).fill(1),
      approve: (): ApprovalDecision => ({ type: 'defer' }),
    });
    let paid = 0;
    const pay = tool({ name: 'pay', execute: () => `paid ${++paid}` });
    const model = new ScriptedChatModel([{ toolCalls: [{ id: 'p', name: 'pay', arguments: {} }] }, 'no tool', 'done']);
    const client = ChatClient.builder(model, { toolCallingAdvisor: new ToolCallingAdvisor({ manager }) })
      .defaultTools(pay)
      .defaultAdvisors(new ResponseCacheAdvisor({ cache: new InMemoryResponseCache() }))
      .build();
    const { pendingApproval } = await respond(client.prompt('q'));
    expect(await ask(client.prompt('q'))).toBe('no tool');
    if (pendingApproval === undefined) throw new Error('nothing waits');
    const resumed = client.resume(pendingApproval, { p: { type: 'approve' } });
    const response =
      mode === 'call' ? await resumed.call().content() : (await collect(resumed.stream().content())).join('');
    expect([response, paid]).toEqual(['done', 1]);
  });
});

it('streams to all who share, at the pace of the model, however slowly one of them reads', async () => {
  const { client, model } = caching([{ text: 'one two three', chunks: 'char' }]);
  const slow = client.prompt('q').stream().content()[Symbol.asyncIterator]();
  expect((await slow.next()).value).toBe('o');
  const quick = await collect(client.prompt('q').stream().content());
  expect(quick.join('')).toBe('one two three');
  await slow.return?.();
  expect(model.prompts).toHaveLength(1);
});

it('a stream that is left by its only reader is closed, and not kept', async () => {
  const { client, cache } = caching([{ text: 'one two three' }, 'other']);
  for await (const _ of client.prompt('q').stream().content()) break;
  await keyed(1);
  expect(cache).toMatchObject({ size: 0 });
  expect(await client.prompt('q').call().content()).toBe('other');
});

describe('the key', () => {
  const keyOf = async (prompt: Prompt): Promise<string> => {
    const keys: string[] = [];
    const cache: ResponseCache = {
      get: async (key) => {
        keys.push(key);
        return chatResponse('cached');
      },
      set: async () => {},
    };
    const { client } = caching([], { cache });
    await client.prompt(prompt).call().content();
    return keys[0] ?? '';
  };
  const reversed = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(reversed);
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, reversed(member)]),
    );
  };
  const options = fc.record(
    {
      model: fc.string(),
      temperature: fc.double({ noNaN: true, noDefaultInfinity: true }),
      stopSequences: fc.array(fc.string()),
      extra: fc.dictionary(fc.string(), fc.jsonValue()),
      providerOptions: fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())),
    },
    { requiredKeys: [] },
  );

  it('does not depend on the order in which options were written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), options, async (text, given) => {
        const other = reversed(given) as ChatOptions;
        expect(await keyOf(new Prompt(text, other))).toBe(await keyOf(new Prompt(text, given)));
      }),
      { numRuns: 60 },
    );
  });

  it('is another one for another prompt', async () => {
    const texts = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(texts, options, async ([a = '', b = ''], given) => {
        expect(await keyOf(new Prompt(a, given))).not.toBe(await keyOf(new Prompt(b, given)));
      }),
      { numRuns: 60 },
    );
  });

  it('covers media, tool rounds, tool definitions and the schema; not time stamps, nor the context of tools', async () => {
    const bytes = new Uint8Array([1, 2]);
    const round = (result: string) => [
      userMessage('q'),
      assistantMessage({ toolCalls: [{ id: 't', name: 'time', arguments: '{}' }] }),
      toolResponseMessage([{ id: 't', name: 'time', result }]),
    ];
    const time = (description: string) => tool({ name: 'time', description, execute: () => 'noon' });
    const different = [
      new Prompt('q'),
      new Prompt(userMessage('q', { media: [media('image/png', bytes)] })),
      new Prompt(userMessage('q', { media: [media('image/png', new Uint8Array([1, 3]))] })),
      new Prompt(userMessage('q', { media: [media('image/gif', bytes)] })),
      new Prompt(round('noon')),
      new Prompt(round('later')),
      new Prompt('q', { tools: [time('tells')] }),
      new Prompt('q', { tools: [time('says')] }),
      new Prompt('q', { outputSchema: { type: 'object' } }),
      new Prompt('q', { model: 'm' }),
      new Prompt('q', { extra: { seed: 1 } }),
    ];
    expect(new Set(await Promise.all(different.map(keyOf))).size).toBe(different.length);
    const same = [
      new Prompt('q', { tools: [time('tells')] }),
      new Prompt(userMessage('q', { metadata: { at: 1 } }), { tools: [time('tells')], toolContext: { user: 'ann' } }),
    ];
    expect(new Set(await Promise.all(same.map(keyOf))).size).toBe(1);
  });

  it('is what it was: stores outlive processes', async () => {
    expect(await keyOf(new Prompt('q'))).toMatchInlineSnapshot(
      `"2b762ac885c3b425327dce6453f225bb10ffe608f72c734cd88fce06bd7065e8"`,
    );
  });
});

describe('InMemoryResponseCache', () => {
  it('makes room for the newest by the least recently used', async () => {
    const cache = new InMemoryResponseCache({ maxEntries: 2 });
    await cache.set('a', chatResponse('a'));
    await cache.set('b', chatResponse('b'));
    await cache.get('a');
    await cache.set('c', chatResponse('c'));
    expect(cache.size).toBe(2);
    expect(await cache.get('b')).toBeUndefined();
    expect((await cache.get('a'))?.result?.output.text).toBe('a');
    await cache.set('a', chatResponse('new'));
    expect((await cache.get('a'))?.result?.output.text).toBe('new');
    cache.clear();
    expect(cache.size).toBe(0);
  });

  it('forgets what is too old, and makes room by that first', async () => {
    let now = 0;
    const cache = new InMemoryResponseCache({ maxEntries: 2, ttlMs: 10, now: () => now });
    await cache.set('a', chatResponse('a'), 100);
    await cache.set('b', chatResponse('b'));
    now = 10;
    expect(await cache.get('b')).toBeUndefined();
    await cache.set('b', chatResponse('b'));
    await cache.get('a');
    now = 30;
    await cache.set('c', chatResponse('c'));
    expect((await cache.get('a'))?.result?.output.text).toBe('a');
    now = 100;
    expect(await cache.get('a')).toBeUndefined();
  });

  it('cannot be made without room, or for no time', () => {
    for (const options of [{ maxEntries: 0 }, { ttlMs: 0 }]) {
      expect(() => new InMemoryResponseCache(options)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    }
    // @ts-expect-error as somebody without types would call it
    expect(() => new ResponseCacheAdvisor({})).toThrow(expect.objectContaining({ subject: 'cache' }));
  });
});
