// aimock is a server that others wrote from Ollama's API: what our own wire and our own reader might both get wrong shows here.
import { fold, jsonSchema, Prompt, tool, toolResponseMessage, userMessage } from '@vernal/core';
import { OllamaChatModel, OllamaModelManager, ollamaChatOptions } from '@vernal/model-ollama';
import { startAimock } from '@vernal/testing/aimock';
import { expect, it } from 'vitest';

const weather = tool({
  name: 'weather',
  description: 'Weather of a city',
  input: jsonSchema<{ readonly city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: () => 'rain',
});

it('answers, whole and streamed', async () => {
  await using aimock = await startAimock(['It rains.', 'It pours, all day long.']);
  const model = new OllamaChatModel({ baseURL: aimock.ollamaBaseURL, defaultOptions: { model: 'llama3.2' } });
  const called = await model.call(new Prompt('Weather?'));
  expect(called.result?.output.text).toBe('It rains.');
  expect(called.result?.metadata).toMatchObject({ finishReason: 'stop', nativeFinishReason: 'stop' });
  const chunks = [];
  for await (const chunk of model.stream(new Prompt('And now?'))) chunks.push(chunk);
  expect(chunks.length).toBeGreaterThan(1);
  const streamed = await fold(chunks);
  expect(streamed.result?.output.text).toBe('It pours, all day long.');
  expect(streamed.result?.metadata.finishReason).toBe('stop');
  expect(aimock.requests.map(({ path }) => path)).toEqual(['/api/chat', '/api/chat']);
});

it('calls tools, whole and streamed, and takes their results', async () => {
  const toolCalls = ['Delft', 'Köln'].map((city) => ({ name: 'weather', arguments: { city } }));
  await using aimock = await startAimock([{ toolCalls }, { toolCalls }, 'Rain in both.']);
  const model = new OllamaChatModel({
    baseURL: aimock.ollamaBaseURL,
    defaultOptions: ollamaChatOptions({ model: 'llama3.2', tools: [weather], numCtx: 4096 }),
  });
  const called = await model.call(new Prompt('Weather?'));
  const streamed = await fold(model.stream(new Prompt('Weather?')));
  for (const { result } of [called, streamed]) {
    expect(result?.metadata.finishReason).toBe('tool_calls');
    expect(result?.output.toolCalls.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([
      ['weather', { city: 'Delft' }],
      ['weather', { city: 'Köln' }],
    ]);
    expect(new Set(result?.output.toolCalls.map(({ id }) => id)).size).toBe(2);
  }
  const output = called.result?.output;
  const responses = (output?.toolCalls ?? []).map(({ id, name }) => ({ id, name, result: 'rain' }));
  const last = await model.call(
    new Prompt([userMessage('Weather?'), ...(output ? [output] : []), toolResponseMessage(responses)]),
  );
  expect(last.result?.output.text).toBe('Rain in both.');
});

it('a server error is an error with its status', async () => {
  await using aimock = await startAimock([{ error: new Error('out of order') }]);
  const model = new OllamaChatModel({ baseURL: aimock.ollamaBaseURL, defaultOptions: { model: 'llama3.2' } });
  await expect(model.call(new Prompt('q'))).rejects.toMatchObject({ status: 500, retryable: true });
});

it('lists its models', async () => {
  await using aimock = await startAimock([]);
  const manager = new OllamaModelManager({ baseURL: aimock.ollamaBaseURL });
  const [first] = await manager.listModels();
  expect(first?.name).not.toBe('');
  expect(await manager.isModelAvailable('no-such-model')).toBe(false);
});
