import { assistantMessage, callsTools, chatResponse, fold, type ToolCallDelta } from '@vernal/core';
import { describe, expect, it } from 'vitest';

describe('calls without an id', () => {
  it('get one each, by their place', async () => {
    const deltas: ToolCallDelta[] = [
      { index: 0, name: 'a', arguments: '{}' },
      { index: 1, id: 'own', name: 'b' },
      { index: 2, name: 'c' },
    ];
    const folded = await fold(deltas.map((delta) => chatResponse([{ toolCallDeltas: [delta] }])));
    expect(folded.result?.output.toolCalls.map(({ id }) => id)).toEqual(['call_0', 'own', 'call_2']);
  });
});

describe('callsTools', () => {
  const answer = (finishReason: string | undefined, calls = 1) =>
    chatResponse([
      {
        output: assistantMessage({
          toolCalls: Array.from({ length: calls }, () => ({ id: 'c', name: 't', arguments: '{}' })),
        }),
        metadata: { finishReason },
      },
    ]);

  it.each(['tool_calls', 'stop', 'end_turn', '', undefined])('is true for calls that end with %j', (reason) => {
    expect(callsTools(answer(reason))).toBe(true);
  });

  it.each(['length', 'content_filter'])('is false for calls that %s cut short', (reason) => {
    expect(callsTools(answer(reason))).toBe(false);
  });

  it('is false without calls', () => {
    expect(callsTools(answer('tool_calls', 0))).toBe(false);
  });
});
