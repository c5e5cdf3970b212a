// The models beside chat and embeddings before a server that is not ours: @copilotkit/aimock.
import { LLMock } from '@copilotkit/aimock';
import { media, mediaBytes } from '@vernal/core';
import {
  OpenAiImageModel,
  OpenAiModerationModel,
  OpenAiSpeechModel,
  OpenAiTranscriptionModel,
} from '@vernal/model-openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, sound } from './task-ways.js';

describe('on aimock', () => {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  let options: { readonly baseURL: string; readonly maxRetries: number };
  beforeAll(async () => {
    mock.onImage(/fox/, { image: { b64Json: 'AQID', revisedPrompt: 'A fox in snow' } });
    mock.onSpeech('Good morning', { audio: 'AQIDBAU=', format: 'mp3' });
    mock.onTranscription({ transcription: { text: 'Good morning', words: [{ word: 'Good', start: 0, end: 0.5 }] } });
    await mock.start();
    options = { baseURL: `${mock.url}/v1`, maxRetries: 0 };
  });
  afterAll(() => mock.stop());

  it('images are drawn, and changed', async () => {
    const model = new OpenAiImageModel(options);
    const drawn = await model.call('A red fox');
    expect(drawn.results[0]?.metadata.revisedPrompt).toBe('A fox in snow');
    expect(drawn.results.map(({ image }) => [...mediaBytes(image)])).toEqual([[1, 2, 3]]);
    const image = media('image/png', new Uint8Array([137, 80, 78, 71]), { name: 'fox.png' });
    const changed = await model.call({ messages: [{ text: 'A blue fox', media: [image] }] });
    expect(changed.results).toHaveLength(1);
  });

  it('text is spoken, whole and streamed alike', async () => {
    const model = new OpenAiSpeechModel(options);
    const { audio } = await model.call('Good morning');
    expect(audio.mimeType).toBe('audio/mpeg');
    expect([...mediaBytes(audio)]).toEqual([1, 2, 3, 4, 5]);
    const pieces = await all(model.stream('Good morning'));
    expect(pieces.flatMap((piece) => [...piece])).toEqual([1, 2, 3, 4, 5]);
  });

  it('sound is written down, with times, too', async () => {
    const model = new OpenAiTranscriptionModel(options);
    expect((await model.call(sound)).text).toBe('Good morning');
    const { words } = await model.call(sound, { timestamps: 'word' });
    expect(words).toEqual([{ text: 'Good', start: 0, end: 0.5 }]);
  });

  it('texts are judged', async () => {
    const { results } = await new OpenAiModerationModel(options).call('Good morning');
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ flagged: false, categories: { violence: false } });
  });
});
