import type {
  CallContext,
  Media,
  ObservationData,
  ResolvedTranscriptionOptions,
  Resource,
  TranscriptionModel,
  TranscriptionOptions,
  TranscriptionResponse,
} from '@vernal/core';
import {
  begunAt,
  type ModelErrorPlace,
  notTheApi,
  RequestTimeout,
  readAnswer,
  requireApiKey,
} from '@vernal/core/adapter';
import type OpenAI from 'openai';
import { answeredJson, answeredRequest, requestSettings } from './answered-request.js';
import { type BegunStream, type CallSubject, GuardedCalls } from './guarded-calls.js';
import { onlyDefined } from './only-defined.js';
import { derivedOptions, OPEN_AI, openAiClient } from './open-ai-connection.js';
import { openAiError } from './open-ai-error.js';
import type { OpenAiTaskOptions } from './open-ai-task-options.js';
import { transcriptionOptionNames } from './open-ai-transcription-options.js';
import { streamedForm, type TranscriptionForm, transcriptionForm } from './open-ai-transcription-request.js';
import { fromPlainTranscript, fromTranscript } from './open-ai-transcription-response.js';
import { transcriptText } from './transcript-events.js';
import { audioFile } from './upload-file.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface OpenAiTranscriptionModelOptions extends OpenAiTaskOptions<TranscriptionOptions> {}

/** What one call of the model asks for. */
interface Asked {
  readonly form: TranscriptionForm;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes down what is said, with OpenAI, or a server that has its API. Default model 'whisper-1', the one of OpenAI's that tells times.
 * Sound is sent whole, under its file name, or one made of its MIME type: OpenAI tells formats by the ending. A stream gives pieces of
 * text; whisper-1 does not stream, and gives one. Failures are `ModelError`s; an option that does not exist is `invalid_argument`, sound
 * that is only a URL `invalid_state`. What else the server says is metadata: `language`, `duration` in seconds, `usage`, `logprobs`,
 * `speakers` by segment, and `segmentDetails` as they came.
 * Source: `OpenAiAudioTranscriptionModel` of Spring AI; https://platform.openai.com/docs/api-reference/audio/createTranscription
 *
 * @example
 * const transcriber = new OpenAiTranscriptionModel({ apiKey: process.env.OPENAI_API_KEY });
 * const { text, segments } = await transcriber.call(fileResource('talk.mp3'), { timestamps: 'segment' });
 */
export class OpenAiTranscriptionModel implements TranscriptionModel {
  readonly provider = 'openai';
  /** What a call does not say. */
  readonly defaultOptions: ResolvedTranscriptionOptions;
  readonly #options: OpenAiTranscriptionModelOptions;
  readonly #client: OpenAI;
  readonly #calls: GuardedCalls;

  constructor(options: OpenAiTranscriptionModelOptions = {}) {
    this.defaultOptions = transcriptionOptionNames.merged({ model: 'whisper-1' }, options.defaultOptions).portable;
    requireApiKey(OPEN_AI.name, options);
    this.#options = options;
    this.#client = openAiClient(options);
    this.#calls = new GuardedCalls('transcription_model', this.provider, options);
  }

  /**
   * A model like this one with some options changed, by the rules of `OpenAiChatModel.with`; this one stays as it is.
   *
   * @example
   * const english = transcriber.with({ defaultOptions: { language: 'en' } });
   */
  with(change: Partial<OpenAiTranscriptionModelOptions>): OpenAiTranscriptionModel {
    return new OpenAiTranscriptionModel(derivedOptions(this.#options, change));
  }

  async call(
    audio: Resource | Media,
    options?: TranscriptionOptions,
    context?: CallContext,
  ): Promise<TranscriptionResponse> {
    const known = transcriptionOptionNames.merged(this.defaultOptions, options);
    const asked = { form: transcriptionForm(known), headers: known.own.headers };
    let file: File | undefined;
    const send = async (): Promise<TranscriptionResponse> => {
      file ??= await audioFile(audio, context ?? {});
      return this.#transcribe(file, asked, context?.signal);
    };
    return this.#calls.call(subject(asked, false), context, send, learnt);
  }

  stream(audio: Resource | Media, options?: TranscriptionOptions, context?: CallContext): AsyncIterable<string> {
    const begin = (): BegunStream<string> => {
      const known = transcriptionOptionNames.merged(this.defaultOptions, options);
      const asked = { form: streamedForm(known), headers: known.own.headers };
      return {
        subject: subject(asked, true),
        open: (signal) => this.#pieces(() => audioFile(audio, { ...context, signal }), asked, signal),
      };
    };
    return this.#calls.stream(begin, context);
  }

  #transcribe(file: File, { form, headers }: Asked, signal: AbortSignal | undefined): Promise<TranscriptionResponse> {
    const client = this.#client;
    const place = this.#place(form);
    return answeredRequest(
      { client, place, signal, headers },
      (settings) => client.audio.transcriptions.create({ ...form, file }, settings),
      async (response, timeout) => {
        const at = { model: form.model, headers: response.headers };
        const format = form.response_format ?? 'json';
        if (/json$/.test(format) || /\bjson\b/i.test(kindOf(response))) {
          return answeredJson(place, { response, timeout }, (answer) => fromTranscript(answer, at));
        }
        const text = await timeout.within(response.text(), begunAt(response));
        if (/^text\/html\b/i.test(kindOf(response))) throw notTheApi(place);
        return readAnswer(place, () => fromPlainTranscript(text, format, at));
      },
    );
  }

  async *#pieces(read: () => Promise<File>, { form, headers }: Asked, signal: AbortSignal): AsyncIterable<string> {
    const file = await read();
    let place = this.#place(form);
    const timeout = new RequestTimeout(this.#client.timeout, signal);
    try {
      const response = await this.#client.audio.transcriptions
        .create({ ...form, file, stream: true }, requestSettings(timeout.signal, headers))
        .asResponse();
      const begun = (): void => {
        place = { ...place, streaming: true };
      };
      yield* transcriptText(response, { timeout, place, begun });
    } catch (error) {
      throw openAiError(error, place);
    } finally {
      timeout.stop();
    }
  }

  #place({ model }: TranscriptionForm): ModelErrorPlace {
    return { ...OPEN_AI, model, providerMessages: this.#options.providerMessages ?? false };
  }
}

function kindOf({ headers }: Response): string {
  return headers.get('content-type') ?? '';
}

function subject({ form }: Asked, stream: boolean): CallSubject {
  const facts = (content: boolean): ObservationData => ({
    stream,
    ...onlyDefined({ language: form.language, responseFormat: form.response_format, temperature: form.temperature }),
    ...(content && form.prompt !== undefined ? { inputs: [form.prompt] } : {}),
  });
  return { model: form.model, facts };
}

function learnt({ text, metadata }: TranscriptionResponse, content: boolean): ObservationData {
  const { model, usage, duration } = metadata;
  return { responseModel: model, usage, ...onlyDefined({ duration }), ...(content ? { text } : {}) };
}
