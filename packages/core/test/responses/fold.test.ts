import {
  assistantMessage,
  type ChatResponse,
  type ChatResponseMetadataInput,
  chatResponse,
  fold,
  foldTap,
  type GenerationInput,
  responseFold,
  type ToolCallDelta,
  type Usage,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const chunk = (generation: GenerationInput, metadata?: ChatResponseMetadataInput): ChatResponse =>
  chatResponse([generation], metadata);
const deltas = (...toolCallDeltas: ToolCallDelta[]): ChatResponse => chunk({ toolCallDeltas });
const callsOf = async (chunks: ChatResponse[]): Promise<unknown> => (await fold(chunks)).result?.output.toolCalls;
const reasoning = (part: object): ChatResponse => chunk({ output: assistantMessage({ reasoning: [part] }) });

async function* streamOf(chunks: readonly ChatResponse[]): AsyncIterable<ChatResponse> {
  yield* chunks;
}

describe('fold', () => {
  it('appends text and merges metadata, later wins', async () => {
    const response = await fold([
      chunk({ text: 'Hel', output: undefined, metadata: { a: 1, b: 1 } }, { id: 'r1', model: 'm', x: 1 }),
      chunk({ output: { ...assistantMessage('lo'), metadata: { k: 'v' } }, metadata: { b: 2 } }, { x: 2 }),
      chunk(
        { metadata: { finishReason: 'stop' } },
        { id: '', model: '', usage: { promptTokens: 1, completionTokens: 1 } },
      ),
    ]);
    expect(response).toStrictEqual(
      chatResponse(
        [
          {
            output: { ...assistantMessage('Hello'), metadata: { k: 'v' } },
            metadata: { a: 1, b: 2, finishReason: 'stop' },
          },
        ],
        { id: 'r1', model: 'm', x: 2, usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2 } },
      ),
    );
    expect(response.result).toBe(response.results[0]);
  });

  it('gives an empty response for no chunks, and the one chunk for one', async () => {
    expect(await fold([])).toStrictEqual(chatResponse([]));
    const one = chunk({ text: 'whole', metadata: { finishReason: 'stop' } });
    expect(await fold([one])).toBe(one);
    expect(await fold(streamOf([one]))).toBe(one);
  });

  it('takes chunks without any generation', async () => {
    const filters = [{ hate: 'safe' }];
    const response = await fold([
      chatResponse([], { promptFilters: filters }),
      chatResponse('a'),
      chatResponse([], { usage: { totalTokens: 3 } }),
    ]);
    expect(response.result?.output.text).toBe('a');
    expect(response.metadata).toStrictEqual({ promptFilters: filters, usage: { totalTokens: 3 } });
  });

  it('keeps generations apart by index, in order', async () => {
    const response = await fold([
      chatResponse([{ index: 1, text: 'b1' }]),
      chatResponse([
        { index: 0, text: 'a1' },
        { index: 1, text: 'b2' },
      ]),
      chatResponse([{ index: 0, text: 'a2', metadata: { finishReason: 'length' } }]),
    ]);
    expect(response.results.map((one) => [one.index, one.output.text])).toEqual([
      [0, 'a1a2'],
      [1, 'b1b2'],
    ]);
    expect(response.result?.metadata).toEqual({ finishReason: 'length' });
  });

  it('appends media', async () => {
    const image = (n: number) => ({
      mimeType: 'image/png',
      source: { type: 'bytes' as const, bytes: new Uint8Array([n]) },
    });
    const response = await fold([1, 2].map((n) => chunk({ output: assistantMessage({ media: [image(n)] }) })));
    expect(response.result?.output.media).toEqual([image(1), image(2)]);
  });

  it('joins bytes that follow each other under one id', async () => {
    const sound = (id: string | undefined, ...bytes: number[]) => ({
      mimeType: 'audio/pcm',
      source: { type: 'bytes' as const, bytes: Uint8Array.from(bytes) },
      ...(id === undefined ? {} : { id }),
    });
    const link = { mimeType: 'audio/pcm', id: 'b', source: { type: 'url' as const, url: 'https://example.com/b' } };
    const pieces = [
      sound('a', 1),
      sound('a', 2, 3),
      sound('b', 4),
      link,
      sound('b', 5),
      sound(undefined, 6),
      sound(undefined, 7),
    ];
    const chunks = pieces.map((piece) => chunk({ output: assistantMessage({ media: [piece] }) }));
    const folded = await fold(chunks);
    expect(folded.result?.output.media).toEqual([
      sound('a', 1, 2, 3),
      sound('b', 4),
      link,
      sound('b', 5),
      sound(undefined, 6),
      sound(undefined, 7),
    ]);
    expect(await fold([folded])).toEqual(folded);
    expect(pieces[0]).toEqual(sound('a', 1));
  });

  it('joins reasoning parts by index and takes the index away', async () => {
    const response = await fold([
      reasoning({ text: 'need ', index: 1, provider: 'p' }),
      reasoning({ redactedData: 'xx', index: 0 }),
      reasoning({ text: 'weather', index: 1 }),
      reasoning({ signature: 'sig', index: 1 }),
    ]);
    expect(response.result?.output.reasoning).toStrictEqual([
      { redactedData: 'xx' },
      { text: 'need weather', signature: 'sig', provider: 'p' },
    ]);
    expect((await fold([reasoning({ text: 'alone', index: 4 })])).result?.output.reasoning).toStrictEqual([
      { text: 'alone' },
    ]);
  });

  it('takes the position in the list for the index of a reasoning part', async () => {
    const two = (a: string, b: string) =>
      chunk({ output: assistantMessage({ reasoning: [{ text: a }, { text: b }] }) });
    expect((await fold([two('a', 'x'), two('b', 'y')])).result?.output.reasoning).toStrictEqual([
      { text: 'ab' },
      { text: 'xy' },
    ]);
  });

  it('throws the error of its source', async () => {
    async function* broken(): AsyncIterable<ChatResponse> {
      yield chatResponse('part');
      throw new Error('reset');
    }
    await expect(fold(broken())).rejects.toThrow('reset');
  });

  it('is linear in the number of chunks', async () => {
    const chunks = Array.from({ length: 10_000 }, (_, i) =>
      chunk({ text: `w${i} `, toolCallDeltas: [{ index: 0, arguments: 'x' }] }),
    );
    const { result } = await fold(chunks);
    expect(result?.output.text).toHaveLength(chunks.reduce((n, one) => n + (one.result?.output.text.length ?? 0), 0));
    expect(result?.output.toolCalls[0]?.arguments).toHaveLength(10_000);
  });
});

describe('fold of tool call deltas', () => {
  const weather = { id: 'call_a', name: 'weather', arguments: '{"city":"Oslo"}' };
  const clock = { id: 'call_b', name: 'clock', arguments: '{"tz":"UTC"}' };

  it('joins interleaved pieces by index; gaps leave no holes', async () => {
    const chunks = [
      deltas({ index: 0, id: 'call_a', name: 'weather', arguments: '{"city":' }),
      deltas({ index: 3, id: 'call_b', name: 'clock', arguments: '{"tz":' }),
      deltas({ index: 0, arguments: '"Oslo"' }),
      deltas({ index: 3, arguments: '"UTC' }, { index: 0, arguments: '}' }),
      deltas({ index: 3, arguments: '"}' }),
      chunk({ metadata: { finishReason: 'tool_calls' } }),
    ];
    expect(await callsOf(chunks)).toStrictEqual([weather, clock]);
    expect((await fold(chunks)).result).not.toHaveProperty('toolCallDeltas');
  });

  it('joins by id where there is no index', async () => {
    expect(
      await callsOf([
        chatResponse('ok '),
        deltas({ id: 't1', name: 'a', arguments: '{"v":1}' }, { id: 't2', name: 'b', arguments: '{"v":2}' }),
      ]),
    ).toEqual([
      { id: 't1', name: 'a', arguments: '{"v":1}' },
      { id: 't2', name: 'b', arguments: '{"v":2}' },
    ]);
    expect(
      await callsOf([
        deltas({ id: 'x', name: 'f', arguments: '1' }),
        deltas({ id: 'y', name: 'g', arguments: '2' }),
        deltas({ id: 'x', arguments: '3' }),
      ]),
    ).toEqual([
      { id: 'x', name: 'f', arguments: '13' },
      { id: 'y', name: 'g', arguments: '2' },
    ]);
  });

  it('joins to the last call where there is neither', async () => {
    expect(
      await callsOf([deltas({ id: 'x', name: 'f' }), deltas({ arguments: '{' }), deltas({ arguments: '}' })]),
    ).toEqual([{ id: 'x', name: 'f', arguments: '{}' }]);
    expect(
      await callsOf([
        deltas({ index: 0, id: 'x', name: 'f' }, { index: 1, id: 'y', name: 'g' }),
        deltas({ arguments: '{}' }),
      ]),
    ).toEqual([
      { id: 'x', name: 'f', arguments: '' },
      { id: 'y', name: 'g', arguments: '{}' },
    ]);
  });

  it('starts a new call when another id comes with the same index', async () => {
    const chunks = [
      deltas({ index: 0, id: 'call_a', name: 'weather', arguments: '{"city":' }),
      deltas({ index: 0, arguments: '"Oslo"}' }),
      deltas({ index: 0, id: 'call_b', name: 'clock', arguments: '{"tz":' }),
      deltas({ index: 0, arguments: '"UTC"}' }),
    ];
    expect(await callsOf(chunks)).toEqual([weather, clock]);
  });

  it('finds the way back to a call whose id comes again under a shared index', async () => {
    const chunks = [
      deltas({ index: 0, id: 'a', name: 'f', arguments: '1' }),
      deltas({ index: 0, id: 'b', name: 'g', arguments: '2' }),
      deltas({ index: 0, id: 'a', arguments: '3' }),
    ];
    expect(await callsOf(chunks)).toEqual([
      { id: 'a', name: 'f', arguments: '13' },
      { id: 'b', name: 'g', arguments: '2' },
    ]);
  });

  it("takes neither '' nor 'null' nor null for an id", async () => {
    for (const id of ['', 'null', null as never]) {
      expect(
        await callsOf([
          deltas({ index: 0, id: 'call_a', name: 'weather', arguments: '{"city":' }),
          deltas({ index: 0, id, arguments: '"Oslo"}' }),
        ]),
      ).toEqual([weather]);
      expect(
        await callsOf([
          deltas({ index: 0, id, name: 'weather', arguments: '{"city":' }),
          deltas({ index: 0, id: 'call_a', arguments: '"Oslo"}' }),
        ]),
      ).toEqual([weather]);
    }
  });

  it('ignores an id or name that is repeated, appends a name that goes on', async () => {
    const chunks = [
      deltas({ index: 0, id: 'call_a', name: 'wea' }),
      deltas({ index: 0, id: 'call_a', name: 'ther', arguments: '{"city":' }),
      deltas({ index: 0, id: 'call_a', name: 'weather', arguments: '"Oslo"}' }),
    ];
    expect(await callsOf(chunks)).toEqual([weather]);
  });

  it('keeps calls apart that come whole, without id and index', async () => {
    expect(
      await callsOf([deltas({ name: 'a', arguments: '{}' }), deltas({ name: 'b', arguments: '{"x":1}' })]),
    ).toEqual([
      { id: 'call_0', name: 'a', arguments: '{}' },
      { id: 'call_1', name: 'b', arguments: '{"x":1}' },
    ]);
  });

  it('keeps calls of one tool apart that come whole under a shared index; a name that is repeated with each piece does not split', async () => {
    const one = (args: string) => deltas({ index: 0, name: 'f', arguments: args });
    expect(await callsOf([one('{"n":1}'), one('{"n":2}')])).toEqual([
      { id: 'call_0', name: 'f', arguments: '{"n":1}' },
      { id: 'call_1', name: 'f', arguments: '{"n":2}' },
    ]);
    expect(await callsOf([one('{"n":{"a":1}'), one('}'), one('')])).toEqual([
      { id: 'call_0', name: 'f', arguments: '{"n":{"a":1}}' },
    ]);
  });

  it.each(['', '   ', '\n', undefined, null as never])(
    'keeps the arguments %j of a call without parameters as they came',
    async (args) => {
      expect(await callsOf([deltas({ index: 0, id: 'z1', name: 'now', arguments: args })])).toEqual([
        { id: 'z1', name: 'now', arguments: args ?? '' },
      ]);
    },
  );

  it('orders calls by their indexes', async () => {
    expect(
      await callsOf([deltas({ index: 1, id: 'b', name: 'g' }), deltas({ index: 0, id: 'a', name: 'f' })]),
    ).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  });

  it('appends whole calls, to which no piece is joined', async () => {
    const whole = { id: 'w', name: 'f', arguments: '{}' };
    expect(
      await callsOf([
        chunk({ output: assistantMessage({ toolCalls: [whole] }) }),
        deltas({ id: 'x', name: 'g', arguments: '1' }),
      ]),
    ).toEqual([whole, { id: 'x', name: 'g', arguments: '1' }]);
  });

  it('keeps the calls of a stream that ends with another finish reason', async () => {
    const response = await fold([
      deltas({ index: 0, id: 'g1', name: 'add', arguments: '{}' }),
      chunk({ metadata: { finishReason: 'stop' } }),
    ]);
    expect(response.result).toMatchObject({
      output: { toolCalls: [{ id: 'g1' }] },
      metadata: { finishReason: 'stop' },
    });
  });
});

describe('fold of usage', () => {
  const usageOf = async (...usages: Usage[]): Promise<Usage> =>
    (await fold([...usages.map((usage) => chatResponse('x', { usage })), chatResponse('y')])).metadata.usage;

  it('keeps the last defined value of each counter', async () => {
    expect(
      await usageOf(
        { promptTokens: 5, cacheReadTokens: 2 },
        { completionTokens: 3 },
        { completionTokens: 4, reasoningTokens: 1 },
      ),
    ).toStrictEqual({
      promptTokens: 5,
      cacheReadTokens: 2,
      completionTokens: 4,
      totalTokens: 9,
      reasoningTokens: 1,
    });
  });

  it('counts cumulative reports once', async () => {
    const start = { promptTokens: 2527, cacheWriteTokens: 100, cacheReadTokens: 2400, completionTokens: 1 };
    expect(await usageOf(start, { ...start, completionTokens: 47 })).toStrictEqual({
      ...start,
      completionTokens: 47,
      totalTokens: 2574,
    });
    expect((await usageOf(start, { completionTokens: 47 })).totalTokens).toBe(2574);
  });

  it('keeps a total that the provider gave', async () => {
    expect((await usageOf({ totalTokens: 20 }, { promptTokens: 10 }, { completionTokens: 5 })).totalTokens).toBe(20);
    expect((await usageOf({ promptTokens: 10, completionTokens: 5 }, { totalTokens: 18 })).totalTokens).toBe(18);
    expect(await usageOf({ completionTokens: 3 }, { completionTokens: 0 })).toStrictEqual({ completionTokens: 0 });
  });

  it("keeps the provider's own report", async () => {
    expect(
      (await usageOf({ promptTokens: 1, native: { a: 1 } }, { completionTokens: 1, native: { b: 1 } })).native,
    ).toEqual({ b: 1 });
  });
});

describe('any way of cutting a response', () => {
  const piece = fc.string({ unit: 'grapheme', maxLength: 12 });
  const part = fc.record({ text: piece, signature: piece, provider: fc.constantFrom('p') }, { requiredKeys: ['text'] });
  const call = fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), arguments: fc.json({ depthSize: 'small' }) });
  const generation = fc.record({
    text: piece,
    reasoning: fc.array(part, { maxLength: 3 }),
    calls: fc.array(call, { maxLength: 3 }),
    finishReason: fc.constantFrom('stop', 'length'),
  });
  const whole = fc.array(generation, { minLength: 1, maxLength: 3 }).map((generations) =>
    chatResponse(
      generations.map(({ text, reasoning, calls, finishReason }) => ({
        output: assistantMessage({ text, reasoning, toolCalls: calls.map((one, i) => ({ ...one, id: `c${i}` })) }),
        metadata: { finishReason },
      })),
      { id: 'r', model: 'm', usage: { promptTokens: 2, completionTokens: 3 } },
    ),
  );

  it('folds to the whole', async () => {
    await fc.assert(
      fc.asyncProperty(whole, fc.infiniteStream(fc.nat({ max: 4 })), async (response, sizes) => {
        const size = (): number => sizes.next().value ?? 1;
        const chunks = interleave(
          response.results.map((one) => cut(one, size)),
          size,
        );
        const last = chatResponse([], { id: 'r', model: 'm', usage: response.metadata.usage });
        const folded = await fold(streamOf([...chunks, last]));
        expect(folded).toEqual(response);
        expect(await fold([folded])).toBe(folded);
        const running = responseFold();
        const sums: ChatResponse[] = [];
        for (const chunk of [...chunks, last]) {
          running.add(chunk);
          sums.push(running.result());
        }
        expect(sums.at(-1)).toEqual(response);
        for (const [i, sum] of sums.entries())
          expect(sum).toEqual(await fold(chunks.slice(0, i + 1).concat(i < chunks.length ? [] : last)));
      }),
    );
  });

  /** The chunks of one generation: everything in pieces of random length, tool calls without their index on the way only. */
  function cut(one: ChatResponse['results'][number], size: () => number): ChatResponse[] {
    const at = (input: GenerationInput): ChatResponse => chatResponse([{ index: one.index, ...input }]);
    const chunks: ChatResponse[] = [];
    for (const [index, { text = '', signature, provider }] of one.output.reasoning.entries()) {
      const start = { index, text: '', ...(provider === undefined ? {} : { provider }) };
      chunks.push(at({ output: assistantMessage({ reasoning: [start] }) }));
      for (const delta of pieces(text, size))
        chunks.push(at({ output: assistantMessage({ reasoning: [{ index, text: delta }] }) }));
      if (signature === undefined) continue;
      chunks.push(at({ output: assistantMessage({ reasoning: [{ index, signature: '' }] }) }));
      for (const delta of pieces(signature, size)) {
        chunks.push(at({ output: assistantMessage({ reasoning: [{ index, signature: delta }] }) }));
      }
    }
    for (const delta of pieces(one.output.text, size)) chunks.push(at({ text: delta }));
    for (const [index, { id, name, arguments: args }] of one.output.toolCalls.entries()) {
      chunks.push(at({ toolCallDeltas: [{ index, id, name }] }));
      for (const delta of pieces(args, size)) chunks.push(at({ toolCallDeltas: [{ index, arguments: delta }] }));
    }
    chunks.push(at({ metadata: one.metadata }));
    return chunks;
  }

  function pieces(text: string, size: () => number): string[] {
    const list: string[] = [];
    for (let i = 0; i < text.length; ) {
      const end = i + size() + 1;
      list.push(text.slice(i, end));
      i = end;
    }
    return list;
  }

  /** Generations take turns; each keeps the order of its own chunks. */
  function interleave(lists: ChatResponse[][], size: () => number): ChatResponse[] {
    const chunks: ChatResponse[] = [];
    while (lists.some((list) => list.length > 0)) {
      for (const list of lists) chunks.push(...list.splice(0, size()));
      const next = lists.find((list) => list.length > 0)?.shift();
      if (next !== undefined) chunks.push(next);
    }
    return chunks;
  }
});

describe('foldTap', () => {
  const chunks = ['a', 'b', 'c'].map((text) => chatResponse(text));

  it('passes chunks untouched and tells the folded response once, at the end', async () => {
    const seen: ChatResponse[] = [];
    const done: ChatResponse[] = [];
    for await (const one of foldTap(streamOf(chunks), (response) => void done.push(response))) {
      expect(done).toEqual([]);
      seen.push(one);
    }
    expect(seen).toEqual(chunks);
    expect(seen[0]).toBe(chunks[0]);
    expect(done.map((response) => response.result?.output.text)).toEqual(['abc']);
  });

  it('waits for onDone and throws what it throws', async () => {
    let finished = false;
    const slow = foldTap(streamOf(chunks), async () => {
      await Promise.resolve();
      finished = true;
    });
    for await (const _ of slow);
    expect(finished).toBe(true);
    const failing = foldTap(streamOf(chunks), () => {
      throw new Error('no room');
    });
    await expect(fold(failing)).rejects.toThrow('no room');
  });

  it('says nothing on an error or an early exit, and closes the source', async () => {
    let closed = 0;
    let done = 0;
    async function* source(fail: boolean): AsyncIterable<ChatResponse> {
      try {
        yield* chunks;
        if (fail) throw new Error('reset');
      } finally {
        closed += 1;
      }
    }
    for await (const _ of foldTap(source(false), () => void done++)) break;
    await expect(fold(foldTap(source(true), () => void done++))).rejects.toThrow('reset');
    expect([closed, done]).toEqual([2, 0]);
  });
});
