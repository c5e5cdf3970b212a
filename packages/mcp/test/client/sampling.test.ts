import { assistantMessage, type ChatModel, chatResponse, media, TEXT_ONLY } from '@vernal/core';
import { chatModelSampling, type McpHandlerContext, type McpSamplingRequest } from '@vernal/mcp';
import { ScriptedChatModel } from '@vernal/testing';
import { expect, test } from 'vitest';

const context: McpHandlerContext = { connection: 'c', signal: new AbortController().signal, meta: {} };
const user = (text: string): McpSamplingRequest['messages'][number] => ({
  role: 'user',
  content: { type: 'text', text },
});

test('a conversation with images, audio, tool calls and their answers', async () => {
  const model = new ScriptedChatModel([
    { toolCalls: [{ id: 't2', name: 'weather', arguments: '{"city":"Delft"}' }], text: 'Let me look.' },
  ]);
  const sampling = chatModelSampling(model);
  expect(sampling.tools).toBe(true);
  const answer = await sampling(
    {
      maxTokens: 100,
      temperature: 0.2,
      stopSequences: ['END'],
      tools: [{ name: 'weather', description: 'Weather', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          ],
        },
        { role: 'assistant', content: { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Rome' } } },
        { role: 'user', content: { type: 'tool_result', toolUseId: 't1', content: [{ type: 'text', text: 'sunny' }] } },
        { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
      ],
    },
    context,
  );
  expect(answer).toMatchObject({
    role: 'assistant',
    stopReason: 'toolUse',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 't2', name: 'weather', input: { city: 'Delft' } },
    ],
  });
  const prompt = model.prompts[0];
  expect(prompt?.messages).toMatchObject([
    { type: 'user', text: 'What is this?', media: [{ mimeType: 'image/png' }] },
    { type: 'assistant', toolCalls: [{ id: 't1', name: 'weather', arguments: '{"city":"Rome"}' }] },
    { type: 'tool', responses: [{ id: 't1', name: 'weather', result: 'sunny' }] },
    { type: 'user', media: [{ mimeType: 'audio/wav' }] },
  ]);
  expect(prompt?.options).toMatchObject({
    maxTokens: 100,
    temperature: 0.2,
    stopSequences: ['END'],
    toolChoice: 'required',
  });
  expect(prompt?.options.tools?.map(({ definition }) => definition.name)).toEqual(['weather']);
});

test('an answer that was cut, and the model that was wished for', async () => {
  const model = new ScriptedChatModel([{ text: 'cut', finishReason: 'length' }]);
  const sampling = chatModelSampling(model, {
    maxTokens: 10,
    chooseModel: ({ modelPreferences }) => modelPreferences?.hints?.[0]?.name,
  });
  const wished = { maxTokens: 1_000, messages: [user('x')], modelPreferences: { hints: [{ name: 'small' }] } };
  expect(await sampling(wished, context)).toMatchObject({
    stopReason: 'maxTokens',
    content: { type: 'text', text: 'cut' },
  });
  expect(model.prompts[0]?.options).toMatchObject({ model: 'small', maxTokens: 10 });
});

test('an answer that is an image', async () => {
  const image = media('image/png', { type: 'base64', base64: 'AAAA' });
  const painted = chatResponse([{ output: assistantMessage({ text: '', media: [image] }) }], { model: 'painter' });
  const painter: ChatModel = {
    provider: 'painter',
    capabilities: { ...TEXT_ONLY, mediaOutput: ['image/*'] },
    defaultOptions: {},
    call: async () => painted,
    async *stream() {
      yield painted;
    },
  };
  const sampling = chatModelSampling(painter);
  expect(sampling.tools).toBe(false);
  expect(await sampling({ maxTokens: 5, messages: [user('paint')] }, context)).toMatchObject({
    model: 'painter',
    content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  });
});
