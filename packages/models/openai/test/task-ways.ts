// Each way to ask the models beside chat and embeddings, with an answer that they take. Shapes: https://platform.openai.com/docs/api-reference
import { bytesResource, type CallContext, type Logger, type ObservationRegistry, type RetryPolicy } from '@vernal/core';
import {
  type OpenAiConnection,
  OpenAiImageModel,
  OpenAiModerationModel,
  OpenAiSpeechModel,
  OpenAiTranscriptionModel,
} from '@vernal/model-openai';
import type { MockReply, MockRequest } from '@vernal/testing/mock-server';

/** What all of them are made with. */
export interface Connected extends OpenAiConnection {
  readonly retry?: RetryPolicy | undefined;
  readonly observationRegistry?: ObservationRegistry | undefined;
  readonly logger?: Logger | undefined;
}

export interface Way {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly good: MockReply;
  readonly ask: (options: Connected, context?: CallContext) => Promise<unknown>;
  /** A call with an option that does not exist. */
  readonly misspelt: (options: Connected) => Promise<unknown>;
}

export const PROMPT = 'a secret prompt';
export const sound = bytesResource(new Uint8Array([82, 73, 70, 70]), { filename: 'talk.wav', mimeType: 'audio/wav' });

const SPOKEN: MockReply = { headers: { 'content-type': 'audio/mpeg' }, parts: ['sound'] };
const WRITTEN: MockReply = { json: { text: 'said' } };
const EVENTS: MockReply = {
  parts: [
    { data: { type: 'transcript.text.delta', delta: 'sa' } },
    { data: { type: 'transcript.text.delta', delta: 'id' } },
    { data: { type: 'transcript.text.done', text: 'said' } },
  ],
};

/** What `as never` hides here is what untyped callers can do. */
const WRONG = { modle: 'x' } as never;

export const WAYS: readonly Way[] = [
  {
    name: 'image call',
    kind: 'image_model',
    path: '/v1/images/generations',
    good: { json: { created: 1, data: [{ b64_json: 'AQID' }] } },
    ask: (options, context) => new OpenAiImageModel(options).call(PROMPT, context),
    misspelt: (options) => new OpenAiImageModel(options).call({ messages: [{ text: PROMPT }], options: WRONG }),
  },
  {
    name: 'speech call',
    kind: 'speech_model',
    path: '/v1/audio/speech',
    good: SPOKEN,
    ask: (options, context) => new OpenAiSpeechModel(options).call(PROMPT, undefined, context),
    misspelt: (options) => new OpenAiSpeechModel(options).call(PROMPT, WRONG),
  },
  {
    name: 'speech stream',
    kind: 'speech_model',
    path: '/v1/audio/speech',
    good: SPOKEN,
    ask: (options, context) => all(new OpenAiSpeechModel(options).stream(PROMPT, undefined, context)),
    misspelt: (options) => all(new OpenAiSpeechModel(options).stream(PROMPT, WRONG)),
  },
  {
    name: 'transcription call',
    kind: 'transcription_model',
    path: '/v1/audio/transcriptions',
    good: WRITTEN,
    ask: (options, context) => new OpenAiTranscriptionModel(options).call(sound, { prompt: PROMPT }, context),
    misspelt: (options) => new OpenAiTranscriptionModel(options).call(sound, WRONG),
  },
  {
    name: 'transcription stream',
    kind: 'transcription_model',
    path: '/v1/audio/transcriptions',
    good: EVENTS,
    ask: (options, context) => all(new OpenAiTranscriptionModel(options).stream(sound, { prompt: PROMPT }, context)),
    misspelt: (options) => all(new OpenAiTranscriptionModel(options).stream(sound, WRONG)),
  },
  {
    name: 'moderation call',
    kind: 'moderation_model',
    path: '/v1/moderations',
    good: { json: { id: 'm1', model: 'm', results: [{ flagged: false, categories: {}, category_scores: {} }] } },
    ask: (options, context) => new OpenAiModerationModel(options).call(PROMPT, undefined, context),
    misspelt: (options) => new OpenAiModerationModel(options).call(PROMPT, WRONG),
  },
];

export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error,
  );
}

/** The parts of a form, by name; files as what they hold. Only for forms whose bytes are UTF-8. */
export async function formOf(request: MockRequest | undefined): Promise<Record<string, unknown[]>> {
  const headers = { 'content-type': request?.headers['content-type'] ?? '' };
  const form = await new Response(request?.text ?? '', { headers }).formData();
  const parts: Record<string, unknown[]> = {};
  for (const name of form.keys()) {
    parts[name] = await Promise.all(
      form
        .getAll(name)
        .map(async (value) =>
          typeof value === 'string' ? value : { name: value.name, type: value.type, text: await value.text() },
        ),
    );
  }
  return parts;
}
