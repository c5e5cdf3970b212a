import { assistantMessage, chatResponse, decodeResponse, encodeResponse, media } from '@vernal/core';
import { describe, expect, it } from 'vitest';

const response = chatResponse(
  [
    {
      output: assistantMessage({
        text: 'x',
        toolCalls: [{ id: '1', name: 'f', arguments: '' }],
        media: [media('image/png', new Uint8Array([1, 2]))],
        reasoning: [{ text: 'r', signature: 's' }],
        metadata: { k: [1, null] },
      }),
      metadata: { finishReason: 'stop', contentFilters: ['a'], own: { deep: true } },
    },
    { index: 3, text: 'y', toolCallDeltas: [{ index: 0, id: 'i', arguments: '{' }, { name: 'n' }] },
  ],
  {
    id: 'r',
    model: 'm',
    usage: { promptTokens: 1, completionTokens: 2, rounds: [{ promptTokens: 1 }, { completionTokens: 2 }] },
    rateLimit: { tokensLimit: 5 },
    promptFilters: [{ hate: 'safe' }],
  },
);

describe('encodeResponse and decodeResponse', () => {
  it('give a response back as it was', () => {
    const decoded = decodeResponse(encodeResponse(response));
    expect(decoded).toStrictEqual(response);
    expect(decoded.result).toBe(decoded.results[0]);
    expect(decodeResponse(encodeResponse(chatResponse([])))).toStrictEqual(chatResponse([]));
  });

  it('leave out metadata that is nested beyond all use', () => {
    let deep: object = {};
    for (let i = 0; i < 5_000; i++) deep = { deep };
    const text = encodeResponse(chatResponse([{ text: 'a', metadata: { deep, kept: 1 } }], { deep }));
    expect(decodeResponse(text)).toEqual(chatResponse([{ text: 'a', metadata: { kept: 1 } }], {}));
  });

  it('leave out native usage and metadata that is not JSON', () => {
    const rich = chatResponse([{ text: 'x', metadata: { fn: () => 1, at: new Date(0), n: { deep: [1n] }, ok: [1] } }], {
      usage: { promptTokens: 1, native: { secret: true }, rounds: [{ promptTokens: 1, native: 'n' }] },
      signal: new AbortController().signal,
      nan: Number.NaN,
    });
    expect(decodeResponse(encodeResponse(rich))).toStrictEqual(
      chatResponse([{ text: 'x', metadata: { ok: [1] } }], {
        usage: { promptTokens: 1, rounds: [{ promptTokens: 1 }] },
      }),
    );
  });

  it.each([
    ['nonsense', 'invalid_argument', 'response'],
    ['{"v":1}', 'invalid_argument', 'response.metadata'],
    ['{"v":1,"metadata":{},"results":[]}', 'invalid_argument', 'response.metadata.usage'],
    [
      '{"v":1,"metadata":{"usage":{"promptTokens":"3"}},"results":[]}',
      'invalid_argument',
      'response.metadata.usage.promptTokens',
    ],
    [
      '{"v":1,"metadata":{"usage":{}},"results":[{"index":0,"output":{"type":"system","text":"","metadata":{}}}]}',
      'invalid_argument',
      'response.results[0].output.type',
    ],
    ['{"v":9}', 'message_version', 'response'],
  ])('refuse %s', (text, code, subject) => {
    expect(() => decodeResponse(text)).toThrow(expect.objectContaining({ code, subject }));
  });
});
