// The adapter before a server that is not ours: @copilotkit/aimock.
import { type ChatResponse, fold, Prompt, tool, toolResponseMessage, userMessage } from '@vernal/core';
import { OpenAiChatModel, OpenAiEmbeddingModel, openAiChatOptions } from '@vernal/model-openai';
import { describeChatModel, describeEmbeddingModel, type ScriptStep, vitestRunner } from '@vernal/testing';
import { type Aimock, startAimock } from '@vernal/testing/aimock';
import * as vitest from 'vitest';

const { describe, expect, it } = vitest;
const runner = vitestRunner(vitest);
const modelAt = (aimock: Aimock): OpenAiChatModel =>
  new OpenAiChatModel({ baseURL: aimock.openaiBaseURL, maxRetries: 0 });

const USAGE = { promptTokens: 11, completionTokens: 7, totalTokens: 18 };

/** What a model would say to the questions of the suite's live cases. */
function answerTo({ userMessage: { text } }: Prompt): Exclude<ScriptStep, (prompt: Prompt) => unknown> {
  if (text.startsWith('Count')) {
    return { text: Array.from({ length: 50 }, (_, n) => n + 1).join(', '), finishReason: 'length', usage: USAGE };
  }
  if (text.startsWith('Call')) return { toolCalls: [{ name: 'weather', arguments: { city: 'Delft' } }], usage: USAGE };
  return { text: 'Paris', usage: USAGE };
}

describeChatModel(
  'openai on aimock',
  async ({ capabilities }) => {
    const aimock = await startAimock(Array.from({ length: 20 }, () => 'Three words here'));
    return { subject: modelAt(aimock).with({ capabilities }), close: () => aimock.close() };
  },
  {
    runner,
    live: async () => {
      const aimock = await startAimock(Array.from({ length: 4 }, () => answerTo));
      return { subject: modelAt(aimock), close: () => aimock.close() };
    },
  },
);

describeEmbeddingModel(
  'openai on aimock',
  async () => {
    const aimock = await startAimock([]);
    // aimock gives all texts of a request the same vector.
    const limits = { maxInputs: 1 };
    const defaultOptions = { model: 'hashing' };
    return {
      subject: new OpenAiEmbeddingModel({ baseURL: aimock.openaiBaseURL, maxRetries: 0, limits, defaultOptions }),
      close: () => aimock.close(),
    };
  },
  {
    runner,
    deviations: [{ case: 'embedding.call', reason: 'aimock gives all texts of one request the same vector' }],
  },
);

const weather = tool({ name: 'weather', description: 'The weather of a city', execute: () => 'It rains.' });

describe('openai on aimock', () => {
  /** The same step, asked for by call and by stream. */
  async function bothWays(step: ScriptStep, prompt = new Prompt('q')): Promise<readonly ChatResponse[]> {
    await using aimock = await startAimock([step, step]);
    const model = modelAt(aimock);
    return [await model.call(prompt), await fold(model.stream(prompt))];
  }

  it('text, usage and the finish reason', async () => {
    for (const { result, metadata } of await bothWays({ text: 'Hello there', usage: USAGE })) {
      expect(result?.output.text).toBe('Hello there');
      expect(result?.metadata.finishReason).toBe('stop');
      expect(metadata.usage).toMatchObject(USAGE);
    }
    for (const { result } of await bothWays({ text: 'Hello', finishReason: 'length' })) {
      expect(result?.metadata.finishReason).toBe('length');
    }
  });

  it('more than one chunk', async () => {
    await using aimock = await startAimock(['A text that is longer than one chunk of aimock is, by a good deal']);
    let chunks = 0;
    for await (const chunk of modelAt(aimock).stream(new Prompt('q'))) if (chunk.result?.output.text) chunks++;
    expect(chunks).toBeGreaterThan(1);
  });

  it('tool calls, whose answers it gets in the next turn', async () => {
    const step: ScriptStep = {
      toolCalls: [
        { id: 'c1', name: 'weather', arguments: { city: 'Delft' } },
        { id: 'c2', name: 'weather', arguments: { city: 'Gouda' } },
      ],
    };
    for (const { result } of await bothWays(step, new Prompt('q', { tools: [weather] }))) {
      expect(result?.metadata.finishReason).toBe('tool_calls');
      expect(result?.output.toolCalls).toEqual([
        { id: 'c1', name: 'weather', arguments: '{"city":"Delft"}' },
        { id: 'c2', name: 'weather', arguments: '{"city":"Gouda"}' },
      ]);
    }
    await using aimock = await startAimock([step, 'It rains in both.']);
    const model = modelAt(aimock);
    const asked = (await model.call(new Prompt('q', { tools: [weather] }))).result?.output;
    const answers = toolResponseMessage([
      { id: 'c1', name: 'weather', result: 'rain' },
      { id: 'c2', name: 'weather', result: 'rain, too' },
    ]);
    const { result } = await model.call(
      new Prompt([userMessage('q'), ...(asked === undefined ? [] : [asked]), answers]),
    );
    expect(result?.output.text).toBe('It rains in both.');
    expect(aimock.requests[1]?.body).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'c1' }, { id: 'c2' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
        { role: 'tool', tool_call_id: 'c2', content: 'rain, too' },
      ],
    });
  });

  it('reasoning apart from the text', async () => {
    for (const { result } of await bothWays({ text: 'yes', reasoning: 'so it is' })) {
      expect(result?.output.text).toBe('yes');
      expect(result?.output.reasoning.map(({ text }) => text).join('')).toBe('so it is');
    }
  });

  it('the request as it was meant', async () => {
    await using aimock = await startAimock(['ok']);
    await modelAt(aimock).call(
      new Prompt(
        'q',
        openAiChatOptions({ model: 'gpt-5', temperature: 0, seed: 7, tools: [weather], toolChoice: 'auto' }),
      ),
    );
    expect(aimock.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        model: 'gpt-5',
        temperature: 0,
        seed: 7,
        tool_choice: 'auto',
        messages: [{ role: 'user', content: 'q' }],
      },
    });
  });

  it('failures', async () => {
    const step: ScriptStep = { error: new Error('out of order') };
    await using aimock = await startAimock([step, step]);
    const wanted = { code: 'model_error', status: 500, retryable: true, details: { provider_type: 'server_error' } };
    await expect(modelAt(aimock).call(new Prompt('q'))).rejects.toMatchObject(wanted);
    await expect(fold(modelAt(aimock).stream(new Prompt('q')))).rejects.toMatchObject(wanted);
  });
});
