import { getEventListeners } from 'node:events';
import {
  assistantMessage,
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  callText,
  chatResponse,
  fold,
  jsonSchema,
  ModelError,
  type ModelRequest,
  media,
  messageText,
  Prompt,
  systemMessage,
  TEXT_ONLY,
  tool,
  userMessage,
} from '@vernal/core';
import { describe, expect, it, vi } from 'vitest';

type Behaviour = (request: ModelRequest) => AsyncIterable<ChatResponse>;

async function* echo({ messages }: ModelRequest): AsyncIterable<ChatResponse> {
  for (const word of messages.map(messageText).join(' ').split(' ')) yield chatResponse(`${word}.`);
}

class FakeModel extends BaseChatModel {
  readonly provider = 'fake';
  readonly capabilities: ChatModelCapabilities;
  readonly requests: ModelRequest[] = [];
  readonly #behaviour: Behaviour;

  constructor(
    behaviour: Behaviour = echo,
    options: BaseChatModelOptions = {},
    capabilities: Partial<ChatModelCapabilities> = {},
  ) {
    super(options);
    this.#behaviour = behaviour;
    this.capabilities = { ...TEXT_ONLY, ...capabilities };
  }

  protected doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    this.requests.push(request);
    return this.#behaviour(request);
  }
}

/** Yields one chunk, then waits for the signal; counts how often it was closed. */
function hanging(): { behaviour: Behaviour; closed: () => number } {
  let closed = 0;
  return {
    closed: () => closed,
    behaviour: async function* ({ signal }) {
      try {
        yield chatResponse('first');
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new DOMException('sdk words', 'AbortError')), { once: true }),
        );
      } finally {
        closed += 1;
      }
    },
  };
}

const never: Behaviour = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });

describe('BaseChatModel', () => {
  it('folds its stream for a call', async () => {
    const model = new FakeModel();
    expect((await model.call(new Prompt('a b'))).result?.output.text).toBe('a.b.');
    expect(await fold(model.stream(new Prompt('a b')))).toEqual(await model.call(new Prompt('a b')));
    expect(await callText(model, 'a b')).toBe('a.b.');
    expect(await callText(model, new Prompt([systemMessage('a'), userMessage('b')]))).toBe('a.b.');
    expect(await callText(model, [systemMessage('a'), userMessage('b')])).toBe('a.b.');
    expect(await callText(model, userMessage('a b'))).toBe('a.b.');
    const silent = new FakeModel(async function* () {
      yield chatResponse([]);
    });
    expect(await callText(silent, 'a')).toBe('');
  });

  it('asks doCall for whole answers where a provider has one', async () => {
    class WholeModel extends FakeModel {
      protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
        return chatResponse(`whole ${request.options.model}`);
      }
    }
    const model = new WholeModel(echo, { defaultOptions: { model: 'm' } });
    expect(await callText(model, 'x')).toBe('whole m');
    expect(model.requests).toHaveLength(0);
  });

  it("merges the prompt's options over its defaults", async () => {
    const model = new FakeModel(echo, { defaultOptions: { model: 'm', temperature: 1, topK: null, extra: { a: 1 } } });
    expect(model.defaultOptions).toStrictEqual({ model: 'm', temperature: 1, extra: { a: 1 } });
    await model.call(new Prompt('x', { temperature: null, topP: undefined, extra: { b: 2 } }));
    await model.call(new Prompt('x'));
    expect(model.requests[0]?.options).toStrictEqual({ model: 'm', extra: { a: 1, b: 2 } });
    expect(model.requests[1]?.options).toBe(model.defaultOptions);
  });

  it('does nothing before its stream is read, and reads it once', async () => {
    const model = new FakeModel();
    const stream = model.stream(new Prompt('a'));
    await Promise.resolve();
    expect(model.requests).toHaveLength(0);
    await fold(stream);
    await expect(fold(stream)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(model.requests).toHaveLength(1);
  });

  it("closes the provider's iterator when the loop is left", async () => {
    for (const context of [undefined, { signal: new AbortController().signal }]) {
      const { behaviour, closed } = hanging();
      for await (const _ of new FakeModel(behaviour).stream(new Prompt('a'), context)) break;
      expect(closed()).toBe(1);
    }
  });

  it('rejects and does not throw at once, whatever is wrong', async () => {
    const broken = new FakeModel(() => {
      throw new Error('broken');
    });
    const outcome = broken.call(new Prompt('a'));
    await expect(outcome).rejects.toThrow('broken');
    await expect(fold(broken.stream(new Prompt('a')))).rejects.toThrow('broken');
    await expect(fold(broken.stream(new Prompt('a'), { signal: new AbortController().signal }))).rejects.toThrow(
      'broken',
    );
  });
});

describe('capabilities', () => {
  const weather = tool({ name: 'weather', input: jsonSchema({ type: 'object' }), execute: () => 'sunny' });
  const image = userMessage('see', { media: [media('image/png; q=1', new Uint8Array(1))] });
  const cases: [string, Prompt, Partial<ChatModelCapabilities>][] = [
    ['tools', new Prompt('x', { tools: [weather] }), { tools: true }],
    ['tools', new Prompt('x', { toolNames: ['weather'] }), { tools: true }],
    ['toolChoice', new Prompt('x', { toolChoice: 'required' }), { toolChoice: true }],
    ['outputSchema', new Prompt('x', { outputSchema: {} }), { outputSchema: 'json' }],
    ['media.input.image/png; q=1', new Prompt(image), { mediaInput: ['audio/*', 'IMAGE/*'] }],
    ['media.input.image/png; q=1', new Prompt(image), { mediaInput: ['image/png'] }],
    ['media.input.image/png; q=1', new Prompt(image), { mediaInput: ['*/*'] }],
  ];

  it.each(cases)('%s is refused unless it is declared', async (capability, prompt, declared) => {
    const bare = new FakeModel();
    await expect(bare.call(prompt)).rejects.toMatchObject({
      code: 'unsupported_capability',
      capability,
      owner: 'fake',
    });
    await expect(fold(bare.stream(prompt))).rejects.toMatchObject({ capability });
    expect(bare.requests).toHaveLength(0);
    expect(await callText(new FakeModel(echo, {}, declared), prompt)).not.toBe('');
  });

  it('refuses portable options that the provider does not have', async () => {
    const model = new FakeModel(echo, { defaultOptions: { model: 'm' } }, { unsupportedOptions: ['topK'] });
    await expect(model.call(new Prompt('x', { topK: 0 }))).rejects.toMatchObject({
      capability: 'options.topK',
      owner: 'm',
    });
    expect(await callText(model, new Prompt('x', { topK: null, topP: 1 }))).toBe('x.');
  });

  it('refuses two tools with one name', async () => {
    const model = new FakeModel(echo, {}, { tools: true });
    await expect(model.call(new Prompt('x', { tools: [weather, weather] }))).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('weather'),
    });
    expect(model.requests).toHaveLength(0);
  });

  it('takes what asks for nothing', async () => {
    const prompt = new Prompt(
      [userMessage('x'), assistantMessage({ media: [media('image/png', new Uint8Array(1))] })],
      { tools: [], toolNames: [], toolChoice: 'auto' },
    );
    expect(await callText(new FakeModel(), prompt)).toBe('x..');
  });

  it('does not take image/pngx for image/png, nor imagex/* for image/*', async () => {
    const model = new FakeModel(echo, {}, { mediaInput: ['image/png', 'imag/*'] });
    await expect(
      model.call(new Prompt(userMessage('x', { media: [media('image/pngx', new Uint8Array(1))] }))),
    ).rejects.toMatchObject({
      capability: 'media.input.image/pngx',
    });
  });

  it('warns and sends it, when told to', async () => {
    const warn = vi.fn();
    const model = new FakeModel(
      echo,
      { onUnsupported: 'warn', logger: { debug() {}, info() {}, warn } },
      { unsupportedOptions: ['topK'] },
    );
    await model.call(new Prompt([image, image], { topK: 3, tools: [weather] }));
    expect(warn.mock.calls.map(([, data]) => data?.['capability'])).toEqual([
      'tools',
      'options.topK',
      'media.input.image/png; q=1',
    ]);
    expect(model.requests[0]?.options.topK).toBe(3);
  });
});

describe('signals', () => {
  it('always hands one over, which never fires when the caller gave none and keeps no listeners', async () => {
    const model = new FakeModel();
    await model.call(new Prompt('x'));
    const signal = model.requests[0]?.signal;
    expect(signal).toBeInstanceOf(AbortSignal);
    for (let i = 0; i < 20; i++) signal?.addEventListener('abort', () => {});
    expect(signal && getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each([
    ['aborted', undefined],
    ['timeout', new DOMException('late', 'TimeoutError')],
  ])('rejects a call at once with %s, whether or not the provider listens', async (code, reason) => {
    for (const behaviour of [hanging().behaviour, never]) {
      const controller = new AbortController();
      const outcome = new FakeModel(behaviour).call(new Prompt('x'), { signal: controller.signal });
      controller.abort(reason);
      await expect(outcome).rejects.toMatchObject({ code, cause: controller.signal.reason });
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    }
  });

  it('rejects a stream at once, while it is read and between two reads', async () => {
    for (const behaviour of [hanging().behaviour, never]) {
      const controller = new AbortController();
      const iterator = new FakeModel(behaviour)
        .stream(new Prompt('x'), { signal: controller.signal })
        [Symbol.asyncIterator]();
      if (behaviour !== never) await iterator.next();
      const reading = iterator.next();
      controller.abort('stop');
      await expect(reading).rejects.toMatchObject({ code: 'aborted', cause: 'stop' });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    }
    const { behaviour, closed } = hanging();
    const controller = new AbortController();
    const iterator = new FakeModel(behaviour)
      .stream(new Prompt('x'), { signal: controller.signal })
      [Symbol.asyncIterator]();
    await iterator.next();
    controller.abort('stop');
    await expect(iterator.next()).rejects.toMatchObject({ code: 'aborted', cause: 'stop' });
    expect(closed()).toBe(1);
  });

  it('does not call the provider with a signal that is aborted already', async () => {
    const model = new FakeModel();
    await expect(model.call(new Prompt('x'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    await expect(fold(model.stream(new Prompt('x'), { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(model.requests).toHaveLength(0);
  });

  it('is aborted for a model that looks at it only afterwards', async () => {
    const controller = new AbortController();
    const model = new FakeModel(never);
    const reason = new Error('enough');
    const waiting = model.call(new Prompt('x'), { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toMatchObject({ code: 'aborted', cause: reason });
    expect(model.requests[0]?.signal).toMatchObject({ aborted: true, reason });
  });

  it("keeps the provider's own error when nothing was aborted", async () => {
    const own = new DOMException('provider closed', 'AbortError');
    const model = new FakeModel(async function* () {
      yield chatResponse('part');
      throw own;
    });
    const { signal } = new AbortController();
    await expect(model.call(new Prompt('x'), { signal })).rejects.toBe(own);
    await expect(fold(model.stream(new Prompt('x'), { signal }))).rejects.toBe(own);
  });

  it('leaves no listener on a signal that outlives many calls, whatever the SDK forgets', async () => {
    const { signal } = new AbortController();
    const forgetful = new FakeModel(async function* (request) {
      request.signal.addEventListener('abort', () => {});
      yield* echo(request);
      if (messageText(request.messages[0] ?? userMessage('')) === 'fail') throw new Error('500');
    });
    for (let i = 0; i < 20; i++) {
      await forgetful.call(new Prompt('x'), { signal });
      await fold(forgetful.stream(new Prompt('x y'), { signal }));
      for await (const _ of forgetful.stream(new Prompt('x y'), { signal })) break;
      await expect(forgetful.call(new Prompt('fail'), { signal })).rejects.toThrow('500');
      await expect(fold(forgetful.stream(new Prompt('fail'), { signal }))).rejects.toThrow('500');
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('aborts the request of a chunk that is waited for when the reader turns away', async () => {
    const { behaviour, closed } = hanging();
    const model = new FakeModel(behaviour);
    const iterator = model.stream(new Prompt('x'), { signal: new AbortController().signal })[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next().catch((error: unknown) => error);
    await iterator.return?.().catch(() => undefined);
    expect(model.requests[0]?.signal.aborted).toBe(true);
    expect(closed()).toBe(1);
    await waiting;
  });
});

describe('retry', () => {
  const retry = { initialDelayMs: 0, maxAttempts: 3 };
  const flaky = (failures: number, afterFirst = false): Behaviour => {
    let calls = 0;
    return async function* (request) {
      calls += 1;
      if (afterFirst) yield chatResponse('part');
      if (calls <= failures) throw new ModelError('busy', { provider: 'fake', status: 429, retryable: true });
      yield* echo(request);
    };
  };

  it('is off unless given', async () => {
    await expect(new FakeModel(flaky(1)).call(new Prompt('x'))).rejects.toThrow('busy');
    await expect(fold(new FakeModel(flaky(1)).stream(new Prompt('x')))).rejects.toThrow('busy');
  });

  it('repeats a call, and the opening of a stream', async () => {
    expect(await callText(new FakeModel(flaky(2), { retry }), 'x')).toBe('x.');
    expect((await fold(new FakeModel(flaky(2), { retry }).stream(new Prompt('x')))).result?.output.text).toBe('x.');
    await expect(new FakeModel(flaky(3), { retry }).call(new Prompt('x'))).rejects.toMatchObject({ status: 429 });
  });

  it('never repeats a stream whose first chunk is out', async () => {
    const model = new FakeModel(flaky(1, true), { retry });
    await expect(fold(model.stream(new Prompt('x')))).rejects.toThrow('busy');
    expect(model.requests).toHaveLength(1);
  });

  it('stops waiting when the signal aborts', async () => {
    const controller = new AbortController();
    const model = new FakeModel(flaky(9), { retry: { initialDelayMs: 60_000 } });
    const outcomes = [
      model.call(new Prompt('x'), { signal: controller.signal }),
      fold(model.stream(new Prompt('x'), { signal: controller.signal })),
    ];
    setImmediate(() => controller.abort());
    for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject({ code: 'aborted' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});
