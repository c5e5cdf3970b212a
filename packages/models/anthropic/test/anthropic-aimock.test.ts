// aimock plays Anthropic by its own reading of the documentation: a server that was not written for these tests.
import { fold, noRetry, Prompt, tool, withTools } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import type { ScriptStep } from '@vernal/testing';
import { type Aimock, startAimock } from '@vernal/testing/aimock';
import { describe, expect, it } from 'vitest';

async function played<T>(
  steps: readonly ScriptStep[],
  use: (model: AnthropicChatModel, aimock: Aimock) => Promise<T>,
): Promise<T> {
  await using aimock = await startAimock(steps);
  const model = new AnthropicChatModel({
    baseURL: aimock.anthropicBaseURL,
    apiKey: 'test',
    maxRetries: 0,
    retry: noRetry,
  });
  return await use(model, aimock);
}

const ask = {
  call: (model: AnthropicChatModel, prompt = new Prompt('q')) => model.call(prompt),
  stream: (model: AnthropicChatModel, prompt = new Prompt('q')) => fold(model.stream(prompt)),
};

describe.each(['call', 'stream'] as const)('aimock, by %s', (way) => {
  it('text, with its counters', async () => {
    const usage = { promptTokens: 11, completionTokens: 7 };
    const response = await played([{ text: 'It rains in Delft.', usage }], (model) => ask[way](model));
    expect(response.result).toMatchObject({
      output: { text: 'It rains in Delft.' },
      metadata: { finishReason: 'stop', nativeFinishReason: 'end_turn' },
    });
    expect(response.metadata.usage).toMatchObject({ ...usage, totalTokens: 18 });
  });

  it('thinking', async () => {
    const response = await played([{ reasoning: 'Look outside.', text: 'Rain.' }], (model) => ask[way](model));
    expect(response.result?.output).toMatchObject({
      text: 'Rain.',
      reasoning: [{ text: 'Look outside.', provider: 'anthropic' }],
    });
  });

  it('calls of tools', async () => {
    const toolCalls = [
      { id: 'toolu_1', name: 'weather', arguments: { city: 'Delft', days: [1, 2] } },
      { id: 'toolu_2', name: 'time', arguments: {} },
    ];
    const response = await played([{ text: 'Let me see.', toolCalls }], (model) => ask[way](model));
    expect(response.result?.metadata.finishReason).toBe('tool_calls');
    expect(response.result?.output.text).toBe('Let me see.');
    expect(
      response.result?.output.toolCalls.map(({ arguments: text, ...call }) => ({
        ...call,
        arguments: JSON.parse(text),
      })),
    ).toEqual(toolCalls);
  });

  it('a turn of two rounds', async () => {
    const weather = tool({ name: 'weather', execute: () => 'rain' });
    const [text, requests] = await played(
      [{ toolCalls: [{ id: 'toolu_1', name: 'weather', arguments: {} }] }, 'It rains.'],
      async (model, aimock) => {
        const prompt = new Prompt('Weather?', { tools: [weather] });
        const looped = withTools(model);
        const response = way === 'call' ? await looped.call(prompt) : await fold(looped.stream(prompt));
        return [response.result?.output.text, aimock.requests.length] as const;
      },
    );
    expect([text, requests]).toEqual(['It rains.', 2]);
  });

  it('errors', async () => {
    await expect(played([{ error: new Error('out of order') }], (model) => ask[way](model))).rejects.toMatchObject({
      code: 'model_error',
      status: 500,
      retryable: true,
    });
  });
});
