import Anthropic from '@anthropic-ai/sdk';
import { startAimock } from '@vernal/testing/aimock';
import OpenAI from 'openai';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('@copilotkit/aimock');
  vi.resetModules();
});

const ask = [{ role: 'user', content: 'Weather?' }] as const;

it('plays one script to OpenAI, Anthropic and Ollama, and keeps the requests', async () => {
  const call = { toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Delft' } }] };
  await using aimock = await startAimock([
    'It rains.',
    { ...call, usage: { promptTokens: 11, completionTokens: 7 } },
    (prompt) => `You said ${prompt.userMessage.text}`,
    'By Ollama',
    { error: new Error('out of order') },
  ]);
  const openai = new OpenAI({ baseURL: aimock.openaiBaseURL, apiKey: 'none', maxRetries: 0 });
  const first = await openai.chat.completions.create({ model: 'm', messages: [...ask] });
  expect(first.choices[0]?.message.content).toBe('It rains.');
  const second = await openai.chat.completions
    .stream({ model: 'm', messages: [...ask], stream_options: { include_usage: true } })
    .finalChatCompletion();
  expect(second.choices[0]?.message.tool_calls?.[0]).toMatchObject({
    id: 'c1',
    function: { name: 'weather', arguments: '{"city":"Delft"}' },
  });
  expect(second.choices[0]?.finish_reason).toBe('tool_calls');
  expect(second.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 });
  const anthropic = new Anthropic({ baseURL: aimock.anthropicBaseURL, apiKey: 'none', maxRetries: 0 });
  const third = await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages: [...ask] }).finalText();
  expect(third).toBe('You said Weather?');
  const body = JSON.stringify({ model: 'm', stream: false, messages: ask });
  const fourth = JSON.parse(await (await fetch(`${aimock.ollamaBaseURL}/api/chat`, { method: 'POST', body })).text());
  expect(fourth).toMatchObject({ done: true, done_reason: 'stop', message: { content: 'By Ollama' } });
  await expect(openai.chat.completions.create({ model: 'm', messages: [...ask] })).rejects.toMatchObject({
    status: 500,
  });
  await expect(openai.chat.completions.create({ model: 'm', messages: [...ask] })).rejects.toThrow(
    /5 steps and was asked for number 6/,
  );
  expect(aimock.requests.map((request) => request.path)).toEqual([
    '/v1/chat/completions',
    '/v1/chat/completions',
    '/v1/messages',
    '/api/chat',
    '/v1/chat/completions',
    '/v1/chat/completions',
  ]);
});

it('embeds any text, the same each time', async () => {
  await using aimock = await startAimock([]);
  const openai = new OpenAI({ baseURL: aimock.openaiBaseURL, apiKey: 'none', maxRetries: 0 });
  const { data } = await openai.embeddings.create({ model: 'e', input: 'a text', encoding_format: 'float' });
  const again = await openai.embeddings.create({ model: 'e', input: 'a text', encoding_format: 'float' });
  expect(data[0]?.embedding).toHaveLength(64);
  expect(again.data[0]?.embedding).toEqual(data[0]?.embedding);
});

it('closes twice, and refuses after it', async () => {
  const aimock = await startAimock(['x']);
  await aimock.close();
  await aimock.close();
  await expect(fetch(aimock.ollamaBaseURL)).rejects.toThrow();
});

it('names the command when aimock is not installed', async () => {
  vi.resetModules();
  vi.doMock('@copilotkit/aimock', () => {
    throw new Error("Cannot find package '@copilotkit/aimock'");
  });
  const fresh = await import('@vernal/testing/aimock');
  await expect(fresh.startAimock([])).rejects.toThrow(/npm install --save-dev @copilotkit\/aimock/);
  await expect(fresh.startAimock([])).rejects.toMatchObject({ code: 'invalid_state', subject: '@copilotkit/aimock' });
});
