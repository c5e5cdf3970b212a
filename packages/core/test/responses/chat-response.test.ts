import {
  addUsage,
  assistantMessage,
  chatResponse,
  hasFinishReason,
  hasToolCalls,
  responseText,
  type Usage,
} from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('chatResponse', () => {
  it('makes one generation of a text', () => {
    const response = chatResponse('hi');
    expect(response).toStrictEqual({
      results: [{ index: 0, output: assistantMessage('hi'), metadata: {} }],
      result: { index: 0, output: assistantMessage('hi'), metadata: {} },
      metadata: { usage: {} },
    });
    expect(response.result).toBe(response.results[0]);
  });

  it('takes generations, by position unless they say their index', () => {
    const metadata = { finishReason: 'stop', nativeFinishReason: 'end_turn', contentFilters: ['hate'], other: 1 };
    const response = chatResponse([{ text: 'a' }, { index: 5, output: assistantMessage('b'), metadata }]);
    expect(response.results.map((one) => [one.index, one.output.text, one.metadata])).toEqual([
      [0, 'a', {}],
      [5, 'b', metadata],
    ]);
    expect(chatResponse([])).toStrictEqual({ results: [], result: undefined, metadata: { usage: {} } });
  });

  it('drops what is undefined', () => {
    const response = chatResponse(
      [{ text: undefined, toolCallDeltas: undefined, metadata: { finishReason: undefined } }],
      {
        id: undefined,
        model: 'm',
        usage: { promptTokens: undefined, completionTokens: 3, native: undefined },
        rateLimit: { requestsLimit: undefined, tokensLimit: 5 },
        own: undefined,
      },
    );
    expect(response).toStrictEqual({
      results: [{ index: 0, output: assistantMessage(), metadata: {} }],
      result: { index: 0, output: assistantMessage(), metadata: {} },
      metadata: { model: 'm', usage: { completionTokens: 3 }, rateLimit: { tokensLimit: 5 } },
    });
  });

  it('takes the total as given, or sums it when both parts are known', () => {
    const usage = (input: Usage): Usage => chatResponse('', { usage: input }).metadata.usage;
    expect(usage({ promptTokens: 2, completionTokens: 3 })).toStrictEqual({
      promptTokens: 2,
      completionTokens: 3,
      totalTokens: 5,
    });
    expect(usage({ promptTokens: 2, completionTokens: 3, totalTokens: 9 }).totalTokens).toBe(9);
    expect(usage({ promptTokens: 2 })).toStrictEqual({ promptTokens: 2 });
    expect(usage({ promptTokens: 0, completionTokens: 0 }).totalTokens).toBe(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '3'])('refuses %s as a counter', (value) => {
    expect(() => chatResponse('', { usage: { reasoningTokens: value as number } })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'metadata.usage.reasoningTokens' }),
    );
  });
});

describe('readers of responses', () => {
  const call = assistantMessage({ toolCalls: [{ id: '1', name: 'f', arguments: '' }] });

  it('see tool calls in any generation', () => {
    expect(hasToolCalls(chatResponse([{ text: 'a' }, { output: call }]))).toBe(true);
    expect(hasToolCalls(chatResponse('a'))).toBe(false);
    expect(hasToolCalls(chatResponse([]))).toBe(false);
  });

  it('compare finish reasons without case; a missing one is empty', () => {
    const response = chatResponse([{ metadata: { finishReason: 'STOP' } }, {}]);
    expect(hasFinishReason(response, ['stop'])).toBe(true);
    expect(hasFinishReason(response, ['Length', ''])).toBe(true);
    expect(hasFinishReason(response, ['length'])).toBe(false);
    expect(hasFinishReason(response, [])).toBe(false);
  });

  it('give the text of the first generation', () => {
    expect(responseText(chatResponse([{ text: 'a' }, { text: 'b' }]))).toBe('a');
    expect(responseText(chatResponse([]))).toBe('');
  });
});

describe('addUsage', () => {
  it('sums what is known and keeps a round for each call', () => {
    const a: Usage = { promptTokens: 1, cacheReadTokens: 2, native: { x: 1 } };
    const b: Usage = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
    expect(addUsage(a, b)).toStrictEqual({
      promptTokens: 4,
      completionTokens: 4,
      totalTokens: 7,
      cacheReadTokens: 2,
      rounds: [{ promptTokens: 1, cacheReadTokens: 2 }, b],
    });
  });

  it('may start from nothing', () => {
    const one: Usage = { promptTokens: 1, native: 'n' };
    expect(addUsage({}, one)).toBe(one);
    expect(addUsage(one, {})).toBe(one);
    expect([one, one, one].reduce(addUsage, {})).toStrictEqual({
      promptTokens: 3,
      rounds: [{ promptTokens: 1 }, { promptTokens: 1 }, { promptTokens: 1 }],
    });
  });

  it('does not mind how calls are grouped', () => {
    const counter = fc.option(fc.nat({ max: 1_000 }), { nil: undefined });
    const usage = fc
      .record({ promptTokens: counter, completionTokens: counter, totalTokens: counter, reasoningTokens: counter })
      .map((input) => Object.fromEntries(Object.entries(input).filter(([, n]) => n !== undefined)) as Usage);
    fc.assert(
      fc.property(usage, usage, usage, (a, b, c) => {
        expect(addUsage(addUsage(a, b), c)).toEqual(addUsage(a, addUsage(b, c)));
      }),
    );
  });
});
