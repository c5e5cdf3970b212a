// Sound in answers. Shapes: https://platform.openai.com/docs/guides/audio and https://platform.openai.com/docs/api-reference/chat/object
import { assistantMessage, mediaBytes, Prompt, userMessage } from '@vernal/core';
import { openAiChatOptions } from '@vernal/model-openai';
import { expect, it } from 'vitest';
import { askBothWays, type Body, serve } from './served-model.js';

const base64 = (...bytes: number[]): string => Buffer.from(bytes).toString('base64');
const speaks = openAiChatOptions({
  model: 'gpt-audio',
  outputModalities: ['text', 'audio'],
  outputAudio: { voice: 'alloy', format: 'pcm16' },
});
const piece = (delta: Body, finish_reason: string | null = null): Body => ({
  id: 'c1',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const LATER = 32_503_680_000;

it('is the media of the answer, what it says is the text, in a call and piece by piece in a stream', async () => {
  await using served = await serve({
    call: {
      id: 'c1',
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            audio: { id: 'audio_1', expires_at: LATER, data: base64(1, 2, 3, 4, 5), transcript: 'Hello there' },
          },
          finish_reason: 'stop',
        },
      ],
    },
    stream: [
      piece({ role: 'assistant', audio: { id: 'audio_1', transcript: 'Hello' } }),
      piece({ audio: { id: 'audio_1', data: base64(1, 2) } }),
      piece({ audio: { transcript: ' there' } }),
      piece({ audio: { data: base64(3, 4, 5) } }),
      piece({ audio: { expires_at: LATER } }),
      piece({}, 'stop'),
    ],
  });
  const { whole, chunks, folded } = await askBothWays(served, new Prompt('q', speaks));
  expect(folded).toEqual(whole);
  const [sound] = whole.result?.output.media ?? [];
  expect(sound).toMatchObject({ mimeType: 'audio/pcm', id: 'audio_1', name: 'audio.pcm16' });
  expect(sound && [...mediaBytes(sound)]).toEqual([1, 2, 3, 4, 5]);
  expect(whole.result?.output.text).toBe('Hello there');
  expect(whole.result?.output.metadata).toEqual({ audioId: 'audio_1', audioExpiresAt: LATER });
  expect(whole.result?.metadata).toEqual({ finishReason: 'stop', nativeFinishReason: 'stop', audioId: 'audio_1' });
  const pieces = chunks.flatMap((chunk) => chunk.result?.output.media ?? []).map((one) => [...mediaBytes(one)]);
  expect(pieces).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

it.each([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
  ['flac', 'audio/flac'],
  ['opus', 'audio/opus'],
  ['aac', 'audio/aac'],
] as const)('asked for as %s is %s', async (format, mimeType) => {
  const audio = { id: 'a', expires_at: LATER, data: base64(1), transcript: 'x' };
  await using served = await serve({
    call: { choices: [{ message: { content: null, audio }, finish_reason: 'stop' }] },
  });
  const options = openAiChatOptions({ outputModalities: ['audio'], outputAudio: { voice: 'ash', format } });
  const { result } = await served.model.call(new Prompt('q', options));
  expect(result?.output.media[0]?.mimeType).toBe(mimeType);
});

it('goes back as its id while OpenAI keeps it and the model speaks, else as what it says', async () => {
  await using served = await serve();
  const said = (audioExpiresAt: number) =>
    assistantMessage({ text: 'Hello', metadata: { audioId: 'audio_1', audioExpiresAt } });
  const turn = (expires: number) => [userMessage('hi'), said(expires), userMessage('and?')];
  await served.model.call(new Prompt(turn(LATER), speaks));
  await served.model.call(new Prompt(turn(1_000), speaks));
  await served.model.call(new Prompt(turn(LATER)));
  const sent = [0, 1, 2].map((position) => Object(served.sent(position)['messages'])[1]);
  expect(sent).toEqual([
    { role: 'assistant', audio: { id: 'audio_1' } },
    { role: 'assistant', content: 'Hello' },
    { role: 'assistant', content: 'Hello' },
  ]);
});
