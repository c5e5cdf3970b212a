// Shapes: https://platform.openai.com/docs/api-reference/images
import { type ImagePrompt, media, mediaBytes } from '@vernal/core';
import { OpenAiImageModel, openAiImageOptions } from '@vernal/model-openai';
import { RecordingObservationRegistry } from '@vernal/testing';
import { type MockReply, startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { failure, formOf } from './task-ways.js';

const DRAWN: MockReply = { json: { created: 7, data: [{ b64_json: 'AQID' }] } };
const image = media('image/png', new TextEncoder().encode('first'), { name: 'fox.png' });
const second = media('image/jpeg', new TextEncoder().encode('second'), { name: 'den' });

type Options = Parameters<typeof openAiImageOptions>[0];

/** The body of the request that a prompt becomes. */
async function sent(prompt: string | ImagePrompt, defaultOptions?: Options): Promise<unknown> {
  await using server = await startMockServer([DRAWN]);
  const options = defaultOptions && openAiImageOptions(defaultOptions);
  await new OpenAiImageModel({ baseURL: `${server.url}/v1`, defaultOptions: options }).call(prompt);
  return server.requests[0]?.json;
}

async function refused(prompt: unknown, options: Options = {}): Promise<unknown> {
  await using server = await startMockServer([]);
  const defaultOptions = openAiImageOptions(options);
  const model = new OpenAiImageModel({ baseURL: `${server.url}/v1`, defaultOptions });
  const error = await failure(model.call(prompt as ImagePrompt));
  expect(server.requests).toHaveLength(0);
  return error;
}

async function answered(json: unknown, options: Options = {}, headers: Record<string, string> = {}) {
  await using server = await startMockServer([{ json, headers }]);
  const model = new OpenAiImageModel({ baseURL: `${server.url}/v1`, maxRetries: 0 });
  return await model.call({ messages: [{ text: 'fox' }], options: openAiImageOptions(options) });
}

describe('a request for images', () => {
  it.each([
    [{}, {}],
    [
      { model: 'gpt-image-2', n: 2 },
      { model: 'gpt-image-2', n: 2 },
    ],
    [{ width: 1024, height: 1536 }, { size: '1024x1536' }],
    [{ size: 'auto' }, { size: 'auto' }],
    [{ size: 'auto', width: 1, height: 1 }, { size: 'auto' }],
    [{ responseFormat: 'base64' }, {}],
    [
      { model: 'dall-e-3', responseFormat: 'base64' },
      { model: 'dall-e-3', response_format: 'b64_json' },
    ],
    [
      { model: 'dall-e-3', responseFormat: 'url' },
      { model: 'dall-e-3', response_format: 'url' },
    ],
    [
      { model: 'dall-e-3', style: 'vivid', quality: 'hd' },
      { model: 'dall-e-3', style: 'vivid', quality: 'hd' },
    ],
    [
      { outputFormat: 'webp', outputCompression: 50 },
      { output_format: 'webp', output_compression: 50 },
    ],
    [{ background: 'transparent' }, { background: 'transparent' }],
    [{ moderation: 'low' }, { moderation: 'low' }],
    [{ user: 'u' }, { user: 'u' }],
    [
      { user: 'u', extra: { user: 'v', seed: 7 } },
      { user: 'v', seed: 7 },
    ],
    [{ headers: { 'x-a': 'b' } }, {}],
  ] satisfies [Options, object][])('%j', async (options, wanted) => {
    expect(await sent('A red fox', options)).toEqual({ model: 'gpt-image-1', prompt: 'A red fox', ...wanted });
  });

  it('of several messages holds their texts, one a line', async () => {
    const messages = [{ text: 'A red fox' }, { text: 'in the snow', weight: 1 }];
    expect(await sent({ messages })).toMatchObject({ prompt: 'A red fox\nin the snow' });
  });

  it('has its own options over those of the model; null unsets', async () => {
    const options = openAiImageOptions({ n: null, quality: undefined, user: null, background: 'opaque' });
    const defaults = { n: 3, quality: 'low', user: 'u', style: 'vivid' };
    expect(await sent({ messages: [{ text: 'q' }], options }, defaults)).toEqual({
      model: 'gpt-image-1',
      prompt: 'q',
      quality: 'low',
      background: 'opaque',
      style: 'vivid',
    });
  });

  it('has headers of its own', async () => {
    await using server = await startMockServer([DRAWN]);
    const model = new OpenAiImageModel({ baseURL: `${server.url}/v1`, headers: { 'x-a': 'model', 'x-b': 'model' } });
    await model.call({ messages: [{ text: 'q' }], options: openAiImageOptions({ headers: { 'x-a': 'request' } }) });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-a': 'request', 'x-b': 'model' });
  });

  it('with an image is a form that changes it', async () => {
    await using server = await startMockServer([DRAWN]);
    const options = openAiImageOptions({ n: 2, quality: 'high', inputFidelity: 'high', mask: second, user: 'u' });
    const messages = [{ text: 'Make it blue', media: [image] }];
    await new OpenAiImageModel({ baseURL: `${server.url}/v1` }).call({ messages, options });
    expect(server.requests[0]?.path).toBe('/v1/images/edits');
    expect(await formOf(server.requests[0])).toEqual({
      model: ['gpt-image-1'],
      prompt: ['Make it blue'],
      n: ['2'],
      quality: ['high'],
      user: ['u'],
      input_fidelity: ['high'],
      image: [{ name: 'fox.png', type: 'image/png', text: 'first' }],
      mask: [{ name: 'den.jpg', type: 'image/jpeg', text: 'second' }],
    });
  });

  it('with several images holds them in order', async () => {
    await using server = await startMockServer([DRAWN]);
    const messages = [
      { text: 'Both', media: [image] },
      { text: 'together', media: [second] },
    ];
    await new OpenAiImageModel({ baseURL: `${server.url}/v1` }).call({ messages });
    expect((await formOf(server.requests[0]))['image[]']).toMatchObject([{ text: 'first' }, { text: 'second' }]);
  });
});

describe('a prompt that cannot be drawn is refused before anything is sent:', () => {
  it.each([
    ['nothing', undefined, {}, 'prompt'],
    ['a number', 7, {}, 'prompt'],
    ['no messages', { messages: [] }, {}, 'prompt'],
    ['white space', ' \n', {}, 'prompt'],
    ['a message without text', { messages: [{}] }, {}, 'prompt.messages[0].text'],
    ['no image', 'q', { n: 0 }, 'options.n'],
    ['half an image', 'q', { n: 1.5 }, 'options.n'],
    ['a width without a height', 'q', { width: 512 }, 'options.height'],
    ['a height that is none', 'q', { width: 512, height: -1 }, 'options.height'],
    ['a format that there is not', 'q', { responseFormat: 'png' as 'url' }, 'options.responseFormat'],
    ['a mask for nothing', 'q', { mask: image }, 'options.mask'],
    ['fidelity to nothing', 'q', { inputFidelity: 'high' }, 'options.inputFidelity'],
    [
      'an empty image',
      { messages: [{ text: 'q', media: [media('image/png', new Uint8Array())] }] },
      {},
      'prompt.media[0]',
    ],
    ['an image that is a path', { messages: [{ text: 'q', media: ['fox.png'] }] }, {}, 'prompt.media[0]'],
  ] as const)('%s', async (_what, prompt, options, subject) => {
    expect(await refused(prompt, options)).toMatchObject({ code: 'invalid_argument', subject });
  });

  it.each([
    [{ messages: [{ text: 'q', weight: 0.5 }] }, {}, 'weight'],
    [{ messages: [{ text: 'q' }, { text: 'fog', weight: -1 }] }, {}, 'weight'],
    ['q', { responseFormat: 'url' }, 'responseFormat'],
    [{ messages: [{ text: 'q', media: [image] }] }, { style: 'vivid' }, 'style'],
    [{ messages: [{ text: 'q', media: [image] }] }, { moderation: 'low' }, 'moderation'],
  ] as const)('%j with %j, which OpenAI does not have', async (prompt, options, capability) => {
    expect(await refused(prompt, options)).toMatchObject({ code: 'unsupported_capability', capability });
  });

  it('an image that is only a URL, for nothing is fetched', async () => {
    const messages = [{ text: 'q', media: [media('image/png', 'https://example.com/a.png')] }];
    expect(await refused({ messages })).toMatchObject({ code: 'invalid_state', subject: 'media.source' });
  });

  it('options under a wrong name, wherever they stand', async () => {
    expect(() => openAiImageOptions({ qualty: 'high' } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'options.qualty' }),
    );
    const options = { providerOptions: { openai: { qualty: 'high' }, other: { seed: 7 } } };
    expect(
      await failure(new OpenAiImageModel({ apiKey: 'k' }).call({ messages: [{ text: 'q' }], options })),
    ).toMatchObject({
      code: 'invalid_argument',
      subject: 'options.providerOptions.openai.qualty',
    });
  });
});

describe('an answer of images', () => {
  it('of the GPT image models holds them, and what was made of the request', async () => {
    const { results, metadata } = await answered(
      {
        created: 1_713_833_628,
        background: 'transparent',
        output_format: 'webp',
        quality: 'high',
        size: '1024x1536',
        data: [{ b64_json: 'AQID' }, { b64_json: 'BAU' }],
        usage: {
          input_tokens: 50,
          output_tokens: 4160,
          total_tokens: 4210,
          input_tokens_details: { text_tokens: 10, image_tokens: 40 },
        },
      },
      {},
      { 'x-ratelimit-limit-requests': '50', 'x-ratelimit-reset-requests': '1.5s' },
    );
    expect(results.map(({ image: { mimeType, name } }) => [mimeType, name])).toEqual([
      ['image/webp', 'image-1.webp'],
      ['image/webp', 'image-2.webp'],
    ]);
    expect(results.map((result) => [...mediaBytes(result.image)])).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(metadata).toEqual({
      model: 'gpt-image-1',
      created: 1_713_833_628,
      background: 'transparent',
      outputFormat: 'webp',
      quality: 'high',
      size: '1024x1536',
      usage: { promptTokens: 50, completionTokens: 4160, totalTokens: 4210, native: expect.any(Object) },
      rateLimit: { requestsLimit: 50, requestsResetMs: 1500 },
    });
  });

  it('of dall-e-3 has addresses, and the prompt as it was drawn', async () => {
    const { results, metadata } = await answered(
      { created: 1, data: [{ url: 'https://example.com/a.png', revised_prompt: 'A fox, red, in snow' }] },
      { model: 'dall-e-3', responseFormat: 'url' },
    );
    expect(results).toEqual([
      {
        image: {
          mimeType: 'image/png',
          name: 'image-1.png',
          source: { type: 'url', url: 'https://example.com/a.png' },
        },
        metadata: { revisedPrompt: 'A fox, red, in snow' },
      },
    ]);
    expect(metadata).toEqual({ model: 'dall-e-3', created: 1, usage: {} });
  });

  it('is of the format that was asked for when it does not say', async () => {
    const { results } = await answered({ data: [{ b64_json: 'AQID' }] }, { outputFormat: 'jpeg' });
    expect(results[0]?.image.mimeType).toBe('image/jpeg');
  });

  it('with numbers that are none leaves them out', async () => {
    const usage = { input_tokens: -5, output_tokens: Number.MAX_VALUE, total_tokens: '7' };
    const { metadata } = await answered({ created: -1, data: [{ b64_json: 'AQID' }], usage });
    expect(metadata).toEqual({ model: 'gpt-image-1', usage: { native: usage } });
  });

  it.each([
    { data: [{}] },
    { data: [null] },
    { data: [{ b64_json: '!!!' }] },
    { data: [{ url: 'no address' }] },
    { data: [{ b64_json: 7 }] },
  ])('that cannot be read is an error, not to be repeated: %j', async (json) => {
    expect(await failure(answered(json))).toMatchObject({ code: 'model_error', retryable: false });
  });
});

it('an observation of images tells what was asked for and what it cost', async () => {
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  await using server = await startMockServer([{ json: { data: [{ b64_json: 'AQID' }], usage } }]);
  const observationRegistry = new RecordingObservationRegistry();
  const parent = new RecordingObservationRegistry().start({ kind: 'x', name: 'x', data: {} });
  const options = { width: 1024, height: 1024, style: 'vivid', n: 2 };
  const model = new OpenAiImageModel({ baseURL: `${server.url}/v1`, observationRegistry });
  await model.call({ messages: [{ text: 'q' }], options }, { observation: parent });
  expect(observationRegistry.observations).toMatchObject([
    {
      kind: 'image_model',
      name: 'gpt-image-1',
      data: {
        provider: 'openai',
        requestModel: 'gpt-image-1',
        responseModel: 'gpt-image-1',
        count: 2,
        size: '1024x1024',
        style: 'vivid',
        usage: { totalTokens: 3 },
      },
    },
  ]);
});
