// Shapes: https://platform.openai.com/docs/api-reference/audio/createTranscription
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bytesResource, media, type Resource, VernalError } from '@vernal/core';
import { OpenAiTranscriptionModel, openAiTranscriptionOptions } from '@vernal/model-openai';
import { type MockExchange, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { all, failure, formOf, sound } from './task-ways.js';

type Options = Parameters<typeof openAiTranscriptionOptions>[0];

const SAID: MockExchange = { json: { text: 'said' } };
const bytes = new TextEncoder().encode('RIFF');
const modelAt = ({ url }: MockServer, options: object = {}): OpenAiTranscriptionModel =>
  new OpenAiTranscriptionModel({ baseURL: `${url}/v1`, maxRetries: 0, ...options });

async function answered(reply: MockExchange, options: Options = {}) {
  await using server = await startMockServer([reply]);
  return await modelAt(server).call(sound, openAiTranscriptionOptions(options));
}

const plain = (text: string, type = 'text/plain'): MockExchange => ({
  headers: { 'content-type': type },
  parts: [text],
});

describe('a request for a transcript', () => {
  it.each([
    [{}, {}],
    [
      { model: 'gpt-4o-transcribe', language: 'en' },
      { model: ['gpt-4o-transcribe'], language: ['en'] },
    ],
    [
      { prompt: 'Vernal', temperature: 0 },
      { prompt: ['Vernal'], temperature: ['0'] },
    ],
    [{ timestamps: 'none' }, {}],
    [{ timestamps: 'segment' }, { response_format: ['verbose_json'], 'timestamp_granularities[]': ['segment'] }],
    [{ timestamps: 'word' }, { response_format: ['verbose_json'], 'timestamp_granularities[]': ['word'] }],
    [
      { timestampGranularities: ['word', 'segment'], timestamps: 'none' },
      { response_format: ['verbose_json'], 'timestamp_granularities[]': ['word', 'segment'] },
    ],
    [{ responseFormat: 'verbose_json' }, { response_format: ['verbose_json'] }],
    [{ logprobs: true }, { 'include[]': ['logprobs'] }],
    [{ logprobs: false }, {}],
    [{ chunkingStrategy: 'auto' }, { chunking_strategy: ['auto'] }],
    [
      { chunkingStrategy: { type: 'server_vad', threshold: 0.5 } },
      { 'chunking_strategy[type]': ['server_vad'], 'chunking_strategy[threshold]': ['0.5'] },
    ],
    [
      { language: 'en', extra: { language: 'fr', seed: 7 } },
      { language: ['fr'], seed: ['7'] },
    ],
    [{ headers: { 'x-a': 'b' } }, {}],
  ] satisfies [Options, object][])('%j', async (options, wanted) => {
    await using server = await startMockServer([SAID]);
    await modelAt(server).call(sound, openAiTranscriptionOptions(options));
    expect(await formOf(server.requests[0])).toEqual({
      model: ['whisper-1'],
      file: [{ name: 'talk.wav', type: 'audio/wav', text: 'RIFF' }],
      ...wanted,
    });
  });

  it('has its own options and headers over those of the model; null unsets', async () => {
    await using server = await startMockServer([SAID]);
    const defaultOptions = openAiTranscriptionOptions({ language: 'en', prompt: 'x', responseFormat: 'json' });
    const model = modelAt(server, { headers: { 'x-a': 'model' }, defaultOptions });
    const headers = { 'x-a': 'request' };
    await model.call(sound, openAiTranscriptionOptions({ language: null, responseFormat: null, headers }));
    expect(server.requests[0]?.headers['x-a']).toBe('request');
    expect(await formOf(server.requests[0])).toEqual({
      model: ['whisper-1'],
      prompt: ['x'],
      file: [expect.anything()],
    });
  });

  it.each([
    ['a resource without a name', bytesResource(bytes, { mimeType: 'audio/mpeg' }), 'audio.mp3', 'audio/mpeg'],
    ['a resource without a type', bytesResource(bytes, { filename: 'a.ogg' }), 'a.ogg', 'application/octet-stream'],
    ['a resource without either', bytesResource(bytes), 'audio', 'application/octet-stream'],
    [
      'a resource in a folder',
      bytesResource(bytes, { filename: 'music/2024/a.flac' }),
      'a.flac',
      'application/octet-stream',
    ],
    ['media of bytes', media('audio/x-wav', bytes, { name: 'talk' }), 'talk.wav', 'audio/x-wav'],
    [
      'media of base64',
      media('audio/webm;codecs=opus', { type: 'base64', base64: 'UklGRg==' }, { name: 'a' }),
      'a.webm',
      'audio/webm',
    ],
    ['media with an ending', media('audio/mp4', bytes, { name: 'a.m4a' }), 'a.m4a', 'audio/mp4'],
  ] as const)('of %s', async (_what, audio, name, type) => {
    await using server = await startMockServer([SAID]);
    await modelAt(server).call(audio);
    expect((await formOf(server.requests[0]))['file']).toEqual([{ name, type, text: 'RIFF' }]);
  });

  it('holds every byte as it was, under a name in any script', async () => {
    const every = Uint8Array.from({ length: 256 * 40 }, (_, at) => at % 256);
    const bodies: Response[] = [];
    const server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const headers = { 'content-type': incoming.headers['content-type'] ?? '' };
      bodies.push(new Response(Buffer.concat(chunks), { headers }));
      response.setHeader('content-type', 'application/json').end('{"text":"said"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      await new OpenAiTranscriptionModel({ baseURL }).call(bytesResource(every, { filename: '会議 "1".wav' }));
      const file = (await bodies[0]?.formData())?.get('file') as File;
      expect(file.name).toBe('会議 "1".wav');
      expect(Buffer.from(await file.arrayBuffer()).equals(every)).toBe(true);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("reads a resource with the caller's signal, once for all tries", async () => {
    const down: MockExchange = { status: 503, json: {} };
    await using server = await startMockServer([down, SAID]);
    const signals: unknown[] = [];
    const audio: Resource = {
      filename: 'a.wav',
      bytes: async (context) => {
        signals.push(context?.signal);
        return bytes;
      },
    };
    const { signal } = new AbortController();
    const model = modelAt(server, { retry: { maxAttempts: 2, initialDelayMs: 0 } });
    await model.call(audio, undefined, { signal });
    expect(signals).toEqual([signal]);
    server.assertComplete();
  });

  it('of a resource that cannot be read fails by what the resource says', async () => {
    const lost = new VernalError('The file is lost', { code: 'invalid_state', subject: 'file' });
    const audio: Resource = { bytes: () => Promise.reject(lost) };
    await using server = await startMockServer([]);
    expect(await failure(modelAt(server).call(audio))).toBe(lost);
    expect(await failure(all(modelAt(server).stream(audio)))).toBe(lost);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['a path', 'talk.wav', {}, 'audio'],
    ['nothing', undefined, {}, 'audio'],
    ['an object of another kind', {}, {}, 'audio'],
    ['no bytes', bytesResource(new Uint8Array()), {}, 'audio'],
    ['empty media', media('audio/wav', new Uint8Array()), {}, 'audio'],
    ['times that there are not', sound, { timestamps: 'letter' as 'word' }, 'options.timestamps'],
    [
      'times in a list that there are not',
      sound,
      { timestampGranularities: ['letter' as 'word'] },
      'options.timestampGranularities',
    ],
    ['times in plain text', sound, { timestamps: 'word', responseFormat: 'text' }, 'options.responseFormat'],
    ['a format that there is not', sound, { responseFormat: 'xml' as 'json' }, 'options.responseFormat'],
  ] satisfies [string, unknown, Options, string][])(
    'of %s is refused before it is sent',
    async (_what, audio, options, subject) => {
      await using server = await startMockServer([]);
      const error = await failure(modelAt(server).call(audio as Resource, openAiTranscriptionOptions(options)));
      expect(error).toMatchObject({ code: 'invalid_argument', subject });
      expect(server.requests).toHaveLength(0);
    },
  );

  it('of media that are only a URL is refused, for nothing is fetched', async () => {
    const error = await failure(
      new OpenAiTranscriptionModel({ apiKey: 'k' }).call(media('audio/wav', 'https://a.example/a.wav')),
    );
    expect(error).toMatchObject({ code: 'invalid_state', subject: 'media.source' });
  });
});

describe('a transcript', () => {
  it('in JSON has its text, what it cost and the limits of the account', async () => {
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 };
    const logprobs = [{ token: 'sa', logprob: -0.1 }];
    const headers = { 'x-ratelimit-limit-requests': '3' };
    const { text, metadata } = await answered({ headers, json: { text: 'said', usage, logprobs } });
    expect(text).toBe('said');
    expect(metadata).toEqual({
      model: 'whisper-1',
      usage: { promptTokens: 14, completionTokens: 45, totalTokens: 59, native: usage },
      logprobs,
      rateLimit: { requestsLimit: 3 },
    });
  });

  it('with times has segments and words, in seconds, and the details of the segments', async () => {
    const segment = {
      id: 0,
      seek: 0,
      start: 0,
      end: 3.32,
      text: ' The beach',
      avg_logprob: -0.28,
      no_speech_prob: 0.01,
    };
    const usage = { type: 'duration', seconds: 9 };
    const answer = await answered(
      {
        json: {
          task: 'transcribe',
          language: 'english',
          duration: 8.47,
          text: 'The beach',
          segments: [segment],
          words: [
            { word: 'The', start: 0, end: 0.24 },
            { word: 'beach', start: 0.24, end: 3.32 },
          ],
          usage,
        },
      },
      { timestampGranularities: ['word', 'segment'] },
    );
    expect(answer).toEqual({
      text: 'The beach',
      segments: [{ text: ' The beach', start: 0, end: 3.32 }],
      words: [
        { text: 'The', start: 0, end: 0.24 },
        { text: 'beach', start: 0.24, end: 3.32 },
      ],
      metadata: {
        model: 'whisper-1',
        language: 'english',
        duration: 8.47,
        usage: { native: usage },
        segmentDetails: [segment],
      },
    });
  });

  it('that tells speakers apart names them by segment', async () => {
    const segments = [
      { id: 's1', start: 0, end: 1, text: 'Hello', speaker: 'A' },
      { id: 's2', start: 1, end: 2, text: 'Hi', speaker: 'agent' },
    ];
    const json = { text: 'Hello Hi', duration: '2.0', segments };
    const { metadata } = await answered({ json }, { responseFormat: 'diarized_json' });
    expect(metadata).toMatchObject({ speakers: ['A', 'agent'], duration: 2 });
  });

  it.each([
    ['text', 'What was said\n', 'What was said'],
    ['srt', '1\n00:00:00,000 --> 00:00:03,320\nThe beach\n\n', '1\n00:00:00,000 --> 00:00:03,320\nThe beach\n\n'],
    ['vtt', 'WEBVTT\n\n00:00.000 --> 00:03.320\nThe beach\n', 'WEBVTT\n\n00:00.000 --> 00:03.320\nThe beach\n'],
  ] as const)('as %s is that text', async (responseFormat, body, text) => {
    const answer = await answered(plain(body), { responseFormat });
    expect(answer).toEqual({ text, metadata: { model: 'whisper-1', usage: {}, format: responseFormat } });
  });

  it('as text may come in JSON all the same, or be empty', async () => {
    expect((await answered(SAID, { responseFormat: 'text' })).text).toBe('said');
    expect((await answered(plain(''), { responseFormat: 'text' })).text).toBe('');
    expect((await answered({ json: { text: '' } })).text).toBe('');
  });

  it('with numbers that are none leaves them out', async () => {
    const usage = { input_tokens: -1, output_tokens: 1.5 };
    const { metadata } = await answered({ json: { text: 'a', duration: -3, usage } });
    expect(metadata).toEqual({ model: 'whisper-1', usage: { native: usage } });
  });

  it.each([
    { text: 7 },
    { text: 'a', segments: {} },
    { text: 'a', segments: [null] },
    { text: 'a', segments: [{ text: 'a', start: null, end: 1 }] },
    { text: 'a', words: [{ text: 'a', start: 0, end: 1 }] },
  ])('that cannot be read is an error, not to be repeated: %j', async (json) => {
    expect(await failure(answered({ json }))).toMatchObject({ code: 'model_error', retryable: false });
  });

  it('that is a web page is an error, in any format', async () => {
    const page = plain('<html>', 'text/html');
    expect(await failure(answered(page, { responseFormat: 'srt' }))).toMatchObject({ subject: 'baseURL' });
  });
});

describe('a stream of text', () => {
  const delta = (text: string) => ({ data: { type: 'transcript.text.delta', delta: text } });
  const done = { data: { type: 'transcript.text.done', text: 'I see skies' } };

  it('gives its pieces, and asks for them', async () => {
    await using server = await startMockServer([{ parts: [delta('I see'), delta(' skies'), done] }]);
    expect(await all(modelAt(server).stream(sound, { model: 'gpt-4o-transcribe' }))).toEqual(['I see', ' skies']);
    expect(await formOf(server.requests[0])).toMatchObject({ stream: ['true'], model: ['gpt-4o-transcribe'] });
  });

  it('is whole in one piece when the model does not stream', async () => {
    await using server = await startMockServer([SAID]);
    expect(await all(modelAt(server).stream(sound))).toEqual(['said']);
  });

  it('goes past events that it does not know, and characters that the network cuts', async () => {
    const other = { data: { type: 'transcript.text.segment', text: 'x', start: 0, end: 1 } };
    await using server = await startMockServer([
      { parts: [other, delta('会議'), done, delta('late')], split: { each: 1 } },
    ]);
    expect(await all(modelAt(server).stream(sound))).toEqual(['会議']);
  });

  it.each([
    [[delta('I see')], ['I see']],
    [[delta('I see'), { end: 'cut' }], ['I see']],
    [[delta('I see'), { data: '{"type":' }], ['I see']],
    [[delta('I see'), { data: { type: 'transcript.text.delta', delta: 7 } }], ['I see']],
    [[delta('I see'), { data: { type: 'error', error: { message: 'lost', code: 'lost' } } }], ['I see']],
  ] as const)('that is not whole is an error behind what came: %j', async (parts, wanted) => {
    await using server = await startMockServer([{ parts }]);
    const pieces: string[] = [];
    const read = async (): Promise<void> => {
      for await (const piece of modelAt(server).stream(sound)) pieces.push(piece);
    };
    expect(await failure(read())).toMatchObject({ code: 'model_stream_interrupted' });
    expect(pieces).toEqual(wanted);
  });

  it('that is left closes the connection', async () => {
    await using server = await startMockServer([{ parts: [delta('I see'), { end: 'hang' }] }]);
    for await (const piece of modelAt(server).stream(sound)) {
      expect(piece).toBe('I see');
      break;
    }
    await server.whenDropped(1);
  });

  it.each([
    [{ timestamps: 'word' }, 'options.timestamps'],
    [{ responseFormat: 'srt' }, 'options.responseFormat'],
  ] as const)('has no %j', async (options, subject) => {
    const stream = new OpenAiTranscriptionModel({ apiKey: 'k' }).stream(sound, openAiTranscriptionOptions(options));
    expect(await failure(all(stream))).toMatchObject({ code: 'invalid_argument', subject });
  });
});
