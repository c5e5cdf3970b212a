// What a model said aloud stays in the conversation: by its id while OpenAI keeps it, and as its text for whoever comes later.
// Source: https://platform.openai.com/docs/guides/audio
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ChatResponse, fold, MessageWindowChatMemory, mediaBytes } from '@vernal/core';
import { OpenAiChatModel, openAiChatOptions } from '@vernal/model-openai';
import { type MockExchange, startMockServer } from '@vernal/testing/mock-server';
import { expect, it } from 'vitest';

const speaks = openAiChatOptions({
  model: 'gpt-audio',
  outputModalities: ['text', 'audio'],
  outputAudio: { voice: 'alloy', format: 'pcm16' },
});

/** Says 'yes' and three bytes of sound, whole or in pieces. */
const said: MockExchange = ({ json }) => {
  const id = 'audio_1';
  const expires_at = Math.ceil(Date.now() / 1_000) + 3_600;
  if (Object(json).stream !== true) {
    const audio = { id, expires_at, data: 'AQID', transcript: 'yes' };
    return {
      json: { choices: [{ index: 0, message: { role: 'assistant', content: null, audio }, finish_reason: 'stop' }] },
    };
  }
  const pieces = [{ id, transcript: 'ye' }, { data: 'AQI=' }, { transcript: 's', data: 'Aw==' }, { expires_at }];
  const choices = pieces.map((audio) => [{ index: 0, delta: { audio }, finish_reason: null }]);
  const ended = [{ index: 0, delta: {}, finish_reason: 'stop' }];
  return { parts: [...[...choices, ended].map((one) => ({ data: { choices: one } })), 'data: [DONE]\n\n'] };
};

it.each(['call', 'stream'] as const)('a %s with memory', async (way) => {
  await using server = await startMockServer([said, said, said]);
  const client = ChatClient.builder(new OpenAiChatModel({ baseURL: `${server.url}/v1`, defaultOptions: speaks }))
    .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() }))
    .build();
  const ask = async (text: string, options = {}): Promise<ChatResponse> => {
    const spec = client.prompt(text).conversation('c').options(options);
    return way === 'call' ? await spec.call().chatResponse() : await fold(spec.stream().chatResponse());
  };
  const { result } = await ask('one?');
  expect(result?.output.text).toBe('yes');
  expect(result?.output.media.map((one) => [one.id, ...mediaBytes(one)])).toEqual([['audio_1', 1, 2, 3]]);
  await ask('two?');
  await ask('three?', { providerOptions: { openai: { outputModalities: null, outputAudio: null } } });
  const sent = server.requests.map(({ json }) =>
    Object(json).messages.filter(({ role }: { role: string }) => role === 'assistant'),
  );
  const byId = { role: 'assistant', audio: { id: 'audio_1' } };
  const byText = { role: 'assistant', content: 'yes' };
  expect(sent).toEqual([[], [byId], [byText, byText]]);
});
