import { getEventListeners } from 'node:events';
import { ChatClient, type ChatClientRequestSpec } from '@vernal/client-chat';
import {
  BaseChatModel,
  type ChatModel,
  type ChatResponse,
  chatResponse,
  type ModelRequest,
  TEXT_ONLY,
} from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const Item = z.object({ a: z.string() });

function streaming(chunks: () => Iterable<ChatResponse>): ChatModel {
  return {
    provider: 'm',
    capabilities: TEXT_ONLY,
    defaultOptions: {},
    call: () => Promise.reject(new Error('not asked')),
    async *stream() {
      yield* chunks();
    },
  };
}

it('reads the first of several answers that come mixed', async () => {
  const model = streaming(() => [
    chatResponse([{ index: 1, text: '{"a":"oth' }]),
    chatResponse([{ index: 0, text: '{"a":"mi' }]),
    chatResponse([
      { index: 1, text: 'er"}' },
      { index: 0, text: 'ne"}' },
    ]),
  ]);
  const stream = ChatClient.create(model).prompt('x').stream().entity(Item);
  expect(await collect(stream)).toEqual([{ a: 'mi' }, { a: 'mine' }]);
  expect(await stream.result()).toEqual({ a: 'mine' });
});

it('says that it was left, even before it began', async () => {
  const stream = ChatClient.create(new ScriptedChatModel([])).prompt('x').stream().entity(Item);
  await stream[Symbol.asyncIterator]().return?.();
  await expect(stream.result()).rejects.toMatchObject({ code: 'aborted' });
});

it('only ever grows, when a key comes twice, too', async () => {
  const text = '{"a":"xy","b":[1,2],"a":"x","c":1}';
  const schema = z.object({ a: z.string(), b: z.array(z.number()), c: z.number() });
  const stream = ChatClient.create(new ScriptedChatModel([{ text, chunks: 'char' }]))
    .prompt('x')
    .stream()
    .entity(schema);
  expect((await collect(stream)).at(-1)).toEqual({ a: 'xy', b: [1, 2] });
  expect(await stream.result()).toEqual({ a: 'x', b: [1, 2], c: 1 });
});

it('costs no more than its length, however small the chunks', async () => {
  const items = Array.from({ length: 1_500 }, (_, n) => ({ a: `name ${n}` }));
  const json = JSON.stringify(items);
  const model = streaming(function* () {
    for (let at = 0; at < json.length; at += 4) yield chatResponse(json.slice(at, at + 4));
  });
  const stream = ChatClient.create(model).prompt('x').stream().entity(z.array(Item));
  const start = performance.now();
  let last: unknown;
  for await (const snapshot of stream) last = snapshot;
  expect(last).toEqual(items);
  expect(await stream.result()).toEqual(items);
  expect(performance.now() - start).toBeLessThan(5_000);
});

describe('an entity stream whose reader leaves while he waits for a chunk', () => {
  it('closes the model at once, and has no value', async () => {
    let open = 0;
    class Hanging extends BaseChatModel {
      readonly provider = 'hanging';
      readonly capabilities = TEXT_ONLY;
      protected async *doStream({ signal }: ModelRequest): AsyncIterable<ChatResponse> {
        open++;
        try {
          yield chatResponse('{"a":');
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        } finally {
          open--;
        }
      }
    }
    const stream = ChatClient.create(new Hanging())
      .prompt('q')
      .stream()
      .entity(z.object({ a: z.number() }));
    const snapshots = stream[Symbol.asyncIterator]();
    expect((await snapshots.next()).value).toEqual({});
    const next = snapshots.next();
    await snapshots.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(open).toBe(0);
    await expect(stream.result()).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a value that is never read to its end', () => {
  const endless = z.object({ a: z.number() }).refine(() => new Promise<boolean>(() => {}));
  const spec = () => ChatClient.create(new ScriptedChatModel(['{"a":1}'])).prompt('q');
  const reads: Record<string, (spec: ChatClientRequestSpec) => Promise<unknown>> = {
    'in a call': (asked) => asked.call().entity(endless),
    'in a call that validates': (asked) => asked.call().entity(endless, { validate: true }),
    'in a stream': (asked) => asked.stream().entity(endless).result(),
    'in a stream that validates': (asked) => asked.stream().entity(endless, { validate: true }).result(),
  };

  it.each(Object.entries(reads))('%s ends with the time-out and with the signal', async (_, read) => {
    await expect(read(spec().timeout(5))).rejects.toMatchObject({ code: 'timeout', subject: 'timeout' });
    const controller = new AbortController();
    const reading = read(spec().signal(controller.signal));
    setImmediate(() => controller.abort());
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
