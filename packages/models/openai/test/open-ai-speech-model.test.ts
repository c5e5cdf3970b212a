// Shapes: https://platform.openai.com/docs/api-reference/audio/createSpeech
import { mediaBytes } from '@vernal/core';
import { OpenAiSpeechModel, openAiSpeechOptions } from '@vernal/model-openai';
import { RecordingObservationRegistry } from '@vernal/testing';
import { type BodyPart, gate, type MockExchange, type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { all, failure } from './task-ways.js';

type Options = Parameters<typeof openAiSpeechOptions>[0];

const AUDIO = { 'content-type': 'audio/mpeg' };
const BYTES = Uint8Array.from({ length: 64 }, (_, at) => (at * 37) % 256);

const spoken = (...parts: readonly BodyPart[]): MockExchange => ({ headers: AUDIO, parts });
const modelAt = ({ url }: MockServer, options: object = {}): OpenAiSpeechModel =>
  new OpenAiSpeechModel({ baseURL: `${url}/v1`, maxRetries: 0, ...options });

function joined(pieces: readonly Uint8Array[]): number[] {
  return pieces.flatMap((piece) => [...piece]);
}

describe('a request for speech', () => {
  it.each([
    [{}, {}],
    [
      { model: 'tts-1-hd', voice: 'nova' },
      { model: 'tts-1-hd', voice: 'nova' },
    ],
    [{ format: 'wav' }, { response_format: 'wav' }],
    [{ speed: 0.25 }, { speed: 0.25 }],
    [{ speed: 4 }, { speed: 4 }],
    [{ instructions: 'Whisper.' }, { instructions: 'Whisper.' }],
    [{ voiceId: 'voice_1' }, { voice: { id: 'voice_1' } }],
    [
      { speed: 1, extra: { speed: 2, seed: 7 } },
      { speed: 2, seed: 7 },
    ],
    [{ headers: { 'x-a': 'b' } }, {}],
  ] satisfies [Options, object][])('%j', async (options, wanted) => {
    await using server = await startMockServer([spoken(BYTES), spoken(BYTES)]);
    const model = modelAt(server);
    await model.call('Good morning', openAiSpeechOptions(options));
    await all(model.stream('Good morning', openAiSpeechOptions(options)));
    for (const { json } of server.requests) {
      expect(json).toEqual({
        model: 'gpt-4o-mini-tts',
        input: 'Good morning',
        voice: 'alloy',
        response_format: 'mp3',
        ...wanted,
      });
    }
  });

  it('has its own options and headers over those of the model; null unsets', async () => {
    await using server = await startMockServer([spoken(BYTES)]);
    const model = modelAt(server, {
      headers: { 'x-a': 'model', 'x-b': 'model' },
      defaultOptions: openAiSpeechOptions({ voice: 'nova', speed: 2, instructions: 'Shout.' }),
    });
    const options = openAiSpeechOptions({ voice: null, speed: undefined, instructions: null, headers: { 'x-a': 'r' } });
    await model.call('q', options);
    expect(server.requests[0]).toMatchObject({ headers: { 'x-a': 'r', 'x-b': 'model' } });
    expect(server.requests[0]?.json).toEqual({
      model: 'gpt-4o-mini-tts',
      input: 'q',
      response_format: 'mp3',
      speed: 2,
    });
  });

  it.each([
    ['', {}, 'text'],
    [' \n', {}, 'text'],
    [undefined, {}, 'text'],
    ['q', { speed: 0.2 }, 'options.speed'],
    ['q', { speed: 4.1 }, 'options.speed'],
    ['q', { speed: Number.NaN }, 'options.speed'],
    ['q', { speed: 'fast' as unknown as number }, 'options.speed'],
  ] satisfies [unknown, Options, string][])(
    '%j with %j is refused before it is sent',
    async (text, options, subject) => {
      await using server = await startMockServer([]);
      const wanted = { code: 'invalid_argument', subject };
      expect(await failure(modelAt(server).call(text as string, options))).toMatchObject(wanted);
      expect(await failure(all(modelAt(server).stream(text as string, options)))).toMatchObject(wanted);
      expect(server.requests).toHaveLength(0);
    },
  );

  it('with options under a wrong name is refused', () => {
    expect(() => openAiSpeechOptions({ voise: 'nova' } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'options.voise' }),
    );
  });
});

describe('speech', () => {
  it('is the bytes as they came, with the limits of the account', async () => {
    const headers = { ...AUDIO, 'x-ratelimit-remaining-requests': '9' };
    await using server = await startMockServer([{ headers, parts: [BYTES] }]);
    const { audio, metadata } = await modelAt(server).call('Good morning');
    expect(audio).toMatchObject({ mimeType: 'audio/mpeg', name: 'speech.mp3' });
    expect([...mediaBytes(audio)]).toEqual([...BYTES]);
    expect(metadata).toEqual({ model: 'gpt-4o-mini-tts', format: 'mp3', rateLimit: { requestsRemaining: 9 } });
  });

  it.each([
    ['mp3', 'application/octet-stream', 'audio/mpeg'],
    ['opus', 'application/octet-stream', 'audio/opus'],
    ['aac', '', 'audio/aac'],
    ['flac', '', 'audio/flac'],
    ['wav', 'Audio/X-Wav; codecs=1', 'audio/x-wav'],
    ['pcm', '', 'audio/pcm'],
    ['other', '', 'audio/other'],
  ])('as %s, sent as %j, is %s', async (format, sent, mimeType) => {
    const headers: Record<string, string> = sent === '' ? {} : { 'content-type': sent };
    await using server = await startMockServer([{ headers, parts: [BYTES] }]);
    const { audio } = await modelAt(server).call('q', { format });
    expect(audio).toMatchObject({ mimeType, name: `speech.${format}` });
  });

  it.each(['call', 'stream'] as const)('of no byte is an error: %s', async (way) => {
    await using server = await startMockServer([spoken()]);
    const model = modelAt(server);
    const error = await failure(way === 'call' ? model.call('q') : all(model.stream('q')));
    expect(error).toMatchObject({ code: 'model_error', retryable: false });
  });

  it('that breaks off is an error of a call', async () => {
    await using server = await startMockServer([spoken(BYTES, { end: 'cut' })]);
    expect(await failure(modelAt(server).call('q'))).toMatchObject({ code: 'model_connection', retryable: true });
  });
});

describe('a stream of speech', () => {
  it('gives the bytes as they come, however the network cuts them: joined they are those of a call', async () => {
    await using server = await startMockServer(({ json: _ }) => ({
      headers: AUDIO,
      parts: [BYTES],
      split: { each: 5 },
    }));
    const model = modelAt(server);
    const whole = [...mediaBytes((await model.call('q')).audio)];
    expect(joined(await all(model.stream('q')))).toEqual(whole);
    expect(whole).toEqual([...BYTES]);
  });

  it('gives a piece before the next is made', async () => {
    const held = gate();
    await using server = await startMockServer([spoken(BYTES.subarray(0, 10), { hold: held }, BYTES.subarray(10))]);
    const pieces: Uint8Array[] = [];
    for await (const piece of modelAt(server).stream('q')) {
      pieces.push(piece);
      if (joined(pieces).length === 10) held.open();
    }
    expect(joined(pieces)).toEqual([...BYTES]);
  });

  it('cut at any byte gives what came, and then is an error, never a whole', async () => {
    await using server = await startMockServer(({ headers }) => {
      const end = headers['x-how'] === 'reset' ? ('reset' as const) : ('cut' as const);
      return { headers: AUDIO, parts: [BYTES.subarray(0, Number(headers['x-cut'])), { end }] };
    });
    const model = modelAt(server);
    for (let cut = 0; cut <= BYTES.length; cut++) {
      const headers = { 'x-cut': String(cut), 'x-how': cut % 2 === 0 ? 'cut' : 'reset' };
      const pieces: Uint8Array[] = [];
      const read = async (): Promise<void> => {
        for await (const piece of model.stream('q', openAiSpeechOptions({ headers }))) pieces.push(piece);
      };
      const error = await failure(read());
      const code = pieces.length === 0 ? 'model_connection' : 'model_stream_interrupted';
      expect(error, String(cut)).toMatchObject({ code, retryable: true, provider: 'openai' });
      expect([...BYTES].slice(0, joined(pieces).length), String(cut)).toEqual(joined(pieces));
      if (headers['x-how'] === 'cut') expect(joined(pieces)).toHaveLength(cut);
    }
  });

  it('is lazy, and read once', async () => {
    await using server = await startMockServer([spoken(BYTES)]);
    const stream = modelAt(server).stream('q');
    expect(server.requests).toHaveLength(0);
    expect(joined(await all(stream))).toEqual([...BYTES]);
    expect(await failure((async () => all(stream))())).toMatchObject({ code: 'invalid_state', subject: 'stream' });
    expect(server.requests).toHaveLength(1);
  });

  it('that is left closes the connection, and its observation', async () => {
    await using server = await startMockServer([spoken(BYTES, { end: 'hang' })]);
    const observationRegistry = new RecordingObservationRegistry();
    for await (const piece of modelAt(server, { observationRegistry }).stream('q')) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await server.whenDropped(1);
    observationRegistry.assertAllStopped();
    expect(observationRegistry.observations[0]?.data).toMatchObject({
      stream: true,
      voice: 'alloy',
      format: 'mp3',
      finishReasons: ['cancelled'],
    });
  });

  it('that is left while a piece is waited for does not wait for it', async () => {
    await using server = await startMockServer([spoken(BYTES, { end: 'hang' })]);
    const iterator = modelAt(server).stream('q')[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await server.whenDropped(1);
  });

  it('that is left before it is read asks nobody', async () => {
    await using server = await startMockServer([]);
    const iterator = modelAt(server).stream('q')[Symbol.asyncIterator]();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(server.requests).toHaveLength(0);
  });

  it('that is aborted while a piece is waited for ends at once', async () => {
    await using server = await startMockServer([spoken(BYTES, { end: 'hang' })]);
    const abort = new AbortController();
    const iterator = modelAt(server).stream('q', undefined, { signal: abort.signal })[Symbol.asyncIterator]();
    await iterator.next();
    const waiting = failure(iterator.next());
    abort.abort('enough');
    expect(await waiting).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await server.whenDropped(1);
  });

  it('that is aborted between two pieces says so at the next, and closes the connection before', async () => {
    await using server = await startMockServer([spoken(BYTES, { end: 'hang' })]);
    const observationRegistry = new RecordingObservationRegistry();
    const abort = new AbortController();
    const model = modelAt(server, { observationRegistry });
    const iterator = model.stream('q', undefined, { signal: abort.signal })[Symbol.asyncIterator]();
    await iterator.next();
    abort.abort('enough');
    await server.whenDropped(1);
    observationRegistry.assertAllStopped();
    expect(await failure(iterator.next())).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('that falls silent is `timeout`', async () => {
    await using server = await startMockServer([spoken(BYTES, { end: 'hang' })]);
    const pieces: Uint8Array[] = [];
    const read = async (): Promise<void> => {
      for await (const piece of modelAt(server, { timeoutMs: 500 }).stream('q')) pieces.push(piece);
    };
    expect(await failure(read())).toMatchObject({ code: 'timeout', retryable: true });
    expect(joined(pieces)).toEqual([...BYTES]);
    await server.whenDropped(1);
  });

  it('is repeated by a policy until its first byte, and never after it', async () => {
    const down: MockExchange = { status: 503, json: {} };
    await using server = await startMockServer([down, spoken(BYTES, { end: 'cut' })]);
    const model = modelAt(server, { retry: { maxAttempts: 5, initialDelayMs: 0 } });
    expect(await failure(all(model.stream('q')))).toMatchObject({ code: 'model_stream_interrupted' });
    server.assertComplete();
  });
});
