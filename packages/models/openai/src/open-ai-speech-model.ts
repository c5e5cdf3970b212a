import {
  type CallContext,
  media,
  type ObservationData,
  type ResolvedSpeechOptions,
  type SpeechModel,
  type SpeechOptions,
  type SpeechResponse,
} from '@vernal/core';
import { begunAt, type ModelErrorPlace, RequestTimeout, requireApiKey } from '@vernal/core/adapter';
import type OpenAI from 'openai';
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import { answeredRequest, requestSettings } from './answered-request.js';
import { requireBytes, requireSound } from './answered-sound.js';
import { audioMimeType } from './audio-mime-type.js';
import { type BegunStream, type CallSubject, GuardedCalls } from './guarded-calls.js';
import { onlyDefined } from './only-defined.js';
import { derivedOptions, OPEN_AI, openAiClient } from './open-ai-connection.js';
import { openAiError } from './open-ai-error.js';
import { reportedRateLimit } from './open-ai-rate-limit.js';
import { speechOptionNames } from './open-ai-speech-options.js';
import { speechRequest } from './open-ai-speech-request.js';
import type { OpenAiTaskOptions } from './open-ai-task-options.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface OpenAiSpeechModelOptions extends OpenAiTaskOptions<SpeechOptions> {}

/** What one call of the model asks for. */
interface Asked {
  readonly body: SpeechCreateParams;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Speaks with OpenAI, or a server that has its API. Default model 'gpt-4o-mini-tts', voice 'alloy', format 'mp3'. `speed` is 0.25 to 4.
 * A stream gives the bytes as they come. Failures are `ModelError`s: a stream that breaks off is `model_stream_interrupted`, a server that
 * falls silent in the middle of one `timeout`. An option that does not exist is `invalid_argument`.
 * Source: `OpenAiAudioSpeechModel` of Spring AI; https://platform.openai.com/docs/api-reference/audio/createSpeech
 *
 * @example
 * const speech = new OpenAiSpeechModel({ apiKey: process.env.OPENAI_API_KEY });
 * for await (const piece of speech.stream('Good morning', { voice: 'coral', format: 'wav' })) player.write(piece);
 */
export class OpenAiSpeechModel implements SpeechModel {
  readonly provider = 'openai';
  /** What a call does not say. */
  readonly defaultOptions: ResolvedSpeechOptions;
  readonly #options: OpenAiSpeechModelOptions;
  readonly #client: OpenAI;
  readonly #calls: GuardedCalls;

  constructor(options: OpenAiSpeechModelOptions = {}) {
    const ours: SpeechOptions = { model: 'gpt-4o-mini-tts', voice: 'alloy', format: 'mp3' };
    this.defaultOptions = speechOptionNames.merged(ours, options.defaultOptions).portable;
    requireApiKey(OPEN_AI.name, options);
    this.#options = options;
    this.#client = openAiClient(options);
    this.#calls = new GuardedCalls('speech_model', this.provider, options);
  }

  /**
   * A model like this one with some options changed, by the rules of `OpenAiChatModel.with`; this one stays as it is.
   *
   * @example
   * const slow = speech.with({ defaultOptions: { speed: 0.8 } });
   */
  with(change: Partial<OpenAiSpeechModelOptions>): OpenAiSpeechModel {
    return new OpenAiSpeechModel(derivedOptions(this.#options, change));
  }

  async call(text: string, options?: SpeechOptions, context?: CallContext): Promise<SpeechResponse> {
    const asked = this.#asked(text, options);
    return this.#calls.call(subject(asked, false), context, () => this.#speak(asked, context?.signal), learnt);
  }

  stream(text: string, options?: SpeechOptions, context?: CallContext): AsyncIterable<Uint8Array> {
    const begin = (): BegunStream<Uint8Array> => {
      const asked = this.#asked(text, options);
      return { subject: subject(asked, true), open: (signal) => this.#pieces(asked, signal) };
    };
    return this.#calls.stream(begin, context);
  }

  #asked(text: string, options: SpeechOptions | undefined): Asked {
    const known = speechOptionNames.merged(this.defaultOptions, options);
    return { body: speechRequest(text, known), headers: known.own.headers };
  }

  #speak({ body, headers }: Asked, signal: AbortSignal | undefined): Promise<SpeechResponse> {
    const client = this.#client;
    const place = this.#place(body);
    return answeredRequest(
      { client, place, signal, headers },
      (settings) => client.audio.speech.create(body, settings),
      async (response, timeout) => {
        await requireSound(response, timeout, place);
        const bytes = new Uint8Array(await timeout.within(response.arrayBuffer(), begunAt(response)));
        requireBytes(bytes.length, place);
        return speechResponse(bytes, body, response);
      },
    );
  }

  async *#pieces({ body, headers }: Asked, signal: AbortSignal): AsyncIterable<Uint8Array> {
    let place = this.#place(body);
    const timeout = new RequestTimeout(this.#client.timeout, signal);
    try {
      const response = await this.#client.audio.speech
        .create(body, requestSettings(timeout.signal, headers))
        .asResponse();
      await requireSound(response, timeout, place);
      let length = 0;
      for await (const bytes of timeout.chunks(response.body)) {
        length += bytes.length;
        if (length > 0) place = { ...place, streaming: true };
        yield bytes;
      }
      requireBytes(length, place);
    } catch (error) {
      throw openAiError(error, place);
    } finally {
      timeout.stop();
    }
  }

  #place({ model }: SpeechCreateParams): ModelErrorPlace {
    return { ...OPEN_AI, model, providerMessages: this.#options.providerMessages ?? false };
  }
}

function subject({ body }: Asked, stream: boolean): CallSubject {
  const facts = (content: boolean): ObservationData => ({
    stream,
    ...onlyDefined({
      voice: typeof body.voice === 'string' ? body.voice : body.voice?.id,
      format: body.response_format,
      speed: body.speed,
    }),
    ...(content ? { inputs: [body.input] } : {}),
  });
  return { model: body.model, facts };
}

function learnt({ metadata }: SpeechResponse): ObservationData {
  return { responseModel: metadata['model'] };
}

/** The MIME type is what the server says, when it says one of sound. */
function speechResponse(bytes: Uint8Array, body: SpeechCreateParams, { headers }: Response): SpeechResponse {
  const format = body.response_format ?? 'mp3';
  const [told = ''] = (headers.get('content-type') ?? '').split(';');
  const mimeType = /^audio\/\S+$/i.test(told.trim()) ? told.trim().toLowerCase() : audioMimeType(format);
  return {
    audio: media(mimeType, bytes, { name: `speech.${format}` }),
    metadata: onlyDefined({ model: body.model, format, rateLimit: reportedRateLimit(headers) }),
  };
}
