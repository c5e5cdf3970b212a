import { getEventListeners } from 'node:events';
import { BaseAdvisor, ChatClient, type ChatClientRequest } from '@vernal/client-chat';
import {
  type CallContext,
  type ChatModel,
  type ChatResponse,
  chatResponse,
  type Prompt,
  TEXT_ONLY,
} from '@vernal/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collect, HandWrittenModel } from './hand-written-model.js';

/** Never answers, and does not look at its signal. */
class DeafModel implements ChatModel {
  readonly provider = 'deaf';
  readonly capabilities = TEXT_ONLY;
  readonly defaultOptions = {};
  closed = 0;
  asked = 0;
  call(): Promise<ChatResponse> {
    this.asked++;
    return new Promise(() => {});
  }
  stream(): AsyncIterable<ChatResponse> {
    let first = true;
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          this.asked++;
          if (!first) return new Promise(() => {});
          first = false;
          return Promise.resolve({ done: false, value: chatResponse('first') });
        },
        return: () => {
          this.closed++;
          return new Promise(() => {});
        },
      }),
    };
  }
}

const aborted = { code: 'aborted' };

describe('a signal', () => {
  it('aborts before anything is asked', async () => {
    const model = new HandWrittenModel(['ok']);
    const spec = ChatClient.create(model).prompt('q').signal(AbortSignal.abort());
    await expect(spec.call().content()).rejects.toMatchObject(aborted);
    await expect(collect(spec.stream().content())).rejects.toMatchObject(aborted);
    expect(model.prompts).toHaveLength(0);
  });

  it('that was aborted already lets no advisor run; one that is aborted by an advisor asks no model', async () => {
    const controller = new AbortController();
    let ran = 0;
    let asked = 0;
    class Abort extends BaseAdvisor {
      readonly name = 'abort';
      override before(request: ChatClientRequest): ChatClientRequest {
        ran++;
        controller.abort();
        return request;
      }
    }
    const model: ChatModel = {
      ...new DeafModel(),
      call: () => {
        asked++;
        return Promise.resolve(chatResponse(''));
      },
      stream: () => {
        asked++;
        return new DeafModel().stream();
      },
    };
    for (const signal of [controller.signal, controller.signal]) {
      const spec = ChatClient.create(model).prompt('q').advisors(new Abort()).signal(signal);
      await expect(ran === 0 ? collect(spec.stream().content()) : spec.call().content()).rejects.toMatchObject(aborted);
    }
    expect([ran, asked]).toEqual([1, 0]);
  });

  it('aborts a model that does not listen, and names the reason', async () => {
    const controller = new AbortController();
    const model = new DeafModel();
    const reason = new Error('closed by the user');
    const call = ChatClient.create(model).prompt('q').signal(controller.signal).call().content();
    await vi.waitUntil(() => model.asked > 0, { timeout: 60_000 });
    controller.abort(reason);
    await expect(call).rejects.toMatchObject({ ...aborted, cause: reason });
  });

  it('aborts a stream in the middle of a pull, and closes its source without waiting for it', async () => {
    const controller = new AbortController();
    const model = new DeafModel();
    const seen: string[] = [];
    const read = (async () => {
      for await (const text of ChatClient.create(model).prompt('q').signal(controller.signal).stream().content()) {
        seen.push(text);
      }
    })();
    await vi.waitUntil(() => model.asked === 2, { timeout: 60_000 });
    controller.abort();
    await expect(read).rejects.toMatchObject(aborted);
    expect(seen).toEqual(['first']);
    expect(model.closed).toBe(1);
  });

  it('aborts a stream whose consumer was busy meanwhile', async () => {
    const controller = new AbortController();
    const model = new HandWrittenModel(['a b c']);
    const stream = ChatClient.create(model).prompt('q').signal(controller.signal).stream().content();
    await expect(
      (async () => {
        for await (const _ of stream) controller.abort();
      })(),
    ).rejects.toMatchObject(aborted);
    expect(model.closed).toBe(1);
  });

  it('of AbortSignal.timeout is a time-out', async () => {
    const controller = new AbortController();
    controller.abort(new DOMException('late', 'TimeoutError'));
    const spec = ChatClient.create(new HandWrittenModel(['ok']))
      .prompt('q')
      .signal(controller.signal);
    await expect(spec.call().content()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('reaches the model', async () => {
    const model = new HandWrittenModel(['ok']);
    const { signal } = new AbortController();
    await ChatClient.create(model).prompt('q').signal(signal).call().content();
    expect(model.contexts[0]?.signal).toBe(signal);
  });

  it('may be the one of a caller who has none', async () => {
    const answer = (given: string, { signal }: CallContext): Promise<string> =>
      ChatClient.create(new HandWrittenModel(['ok']))
        .prompt(given)
        .signal(signal)
        .call()
        .content();
    expect(await answer('q', {})).toBe('ok');
    await expect(answer('q', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('keeps no listener: 1,000 calls and streams, whole, left and failed', async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, 'addEventListener');
    const remove = vi.spyOn(signal, 'removeEventListener');
    let most = 0;
    const client = ChatClient.create({
      ...new HandWrittenModel(['ok']),
      async call(prompt: Prompt) {
        most = Math.max(most, getEventListeners(signal, 'abort').length);
        if (prompt.userMessage.text === 'fail') throw new Error('500');
        return chatResponse('ok');
      },
      async *stream(prompt: Prompt, _context?: CallContext) {
        yield chatResponse('a');
        if (prompt.userMessage.text === 'fail') throw new Error('500');
        yield chatResponse('b');
      },
    });
    for (let i = 0; i < 250; i++) {
      const ok = client.prompt('q').signal(signal);
      const failing = client.prompt('fail').signal(signal).timeout(60_000);
      await ok.call().content();
      await collect(ok.stream().content());
      await expect(failing.call().content()).rejects.toThrow('500');
      if (i % 2 === 0) await expect(collect(failing.stream().content())).rejects.toThrow('500');
      else for await (const _ of ok.timeout(60_000).stream().content()) break;
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(most).toBe(1);
    expect(add.mock.calls.length).toBeGreaterThanOrEqual(1000);
    expect(remove.mock.calls.length).toBeGreaterThanOrEqual(add.mock.calls.length);
  });
});

describe('a timeout', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is one timer for the whole turn, cleared however the turn ends', async () => {
    vi.useFakeTimers();
    const client = ChatClient.create(new HandWrittenModel(['a b']));
    const spec = client.prompt('q').timeout(5_000);
    await spec.call().content();
    await collect(spec.stream().content());
    for await (const _ of spec.stream().content()) break;
    const failing = ChatClient.create(new HandWrittenModel([new Error('500')]))
      .prompt('q')
      .timeout(5_000);
    await expect(failing.call().content()).rejects.toThrow('500');
    await expect(collect(failing.stream().content())).rejects.toThrow('500');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with `timeout`, naming the limit', async () => {
    vi.useFakeTimers();
    const model = new DeafModel();
    const call = ChatClient.create(model).prompt('q').timeout(50).call().content();
    const caught = expect(call).rejects.toMatchObject({
      code: 'timeout',
      subject: 'timeout',
      details: { timeoutMs: 50 },
    });
    await vi.advanceTimersByTimeAsync(50);
    await caught;
    const read = collect(ChatClient.create(model).prompt('q').timeout(50).stream().content());
    const alsoCaught = expect(read).rejects.toMatchObject({ code: 'timeout', subject: 'timeout' });
    await vi.advanceTimersByTimeAsync(50);
    await alsoCaught;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('beside a signal: whichever comes first', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const call = ChatClient.create(new DeafModel())
      .prompt('q')
      .signal(controller.signal)
      .timeout(1_000)
      .call()
      .content();
    const caught = expect(call).rejects.toMatchObject(aborted);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    await caught;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});

describe('leaving a stream', () => {
  it('closes the model and starts nothing when it was never begun', async () => {
    const model = new HandWrittenModel(['a b c d']);
    const client = ChatClient.create(model);
    for await (const text of client.prompt('q').stream().content()) if (text === ' b') break;
    expect(model.closed).toBe(1);
    const iterator = client.prompt('q').stream().content()[Symbol.asyncIterator]();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(model.prompts).toHaveLength(1);
  });

  it('by an error of the loop or of throw() closes it too', async () => {
    const model = new HandWrittenModel(['a b c']);
    const client = ChatClient.create(model);
    await expect(
      (async () => {
        for await (const _ of client.prompt('q').stream().content()) throw new Error('mine');
      })(),
    ).rejects.toThrow('mine');
    const iterator = client.prompt('q').stream().chatResponse()[Symbol.asyncIterator]();
    await iterator.next();
    await expect(iterator.throw?.(new Error('theirs'))).rejects.toThrow('theirs');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(model.closed).toBe(2);
  });

  it('does not wait for a chunk that never comes', async () => {
    const model = new DeafModel();
    const iterator = ChatClient.create(model).prompt('q').stream().content()[Symbol.asyncIterator]();
    await iterator.next();
    void iterator.next();
    await vi.waitUntil(() => model.asked === 2, { timeout: 60_000 });
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(model.closed).toBe(1);
  });

  it('reads in order when it is asked ahead', async () => {
    const iterator = ChatClient.create(new HandWrittenModel(['a b c']))
      .prompt('q')
      .stream()
      .content()
      [Symbol.asyncIterator]();
    const steps = await Promise.all([
      iterator.next(),
      iterator.next(),
      iterator.next(),
      iterator.next(),
      iterator.next(),
    ]);
    expect(steps.map(({ value }) => value)).toEqual(['a', ' b', ' c', undefined, undefined]);
  });

  it('ends the advisors inside out, before the loop goes on', async () => {
    const trail: string[] = [];
    class Tidy extends BaseAdvisor {
      readonly name: string;
      constructor(name: string) {
        super();
        this.name = name;
      }
      override async *adviseStream(request: ChatClientRequest, chain: Parameters<BaseAdvisor['adviseStream']>[1]) {
        try {
          yield* chain.nextStream(request);
        } finally {
          trail.push(this.name);
        }
      }
    }
    const model = new HandWrittenModel(['a b c']);
    const spec = ChatClient.create(model).prompt('q').advisors(new Tidy('outer'), new Tidy('inner'));
    for await (const _ of spec.stream().content()) break;
    expect(trail).toEqual(['inner', 'outer']);
    expect(model.closed).toBe(1);
  });
});
