import type {
  CallContext,
  ImageModel,
  ImageOptions,
  ImagePrompt,
  ImageResponse,
  ObservationData,
  ResolvedImageOptions,
} from '@vernal/core';
import { type ModelErrorPlace, requireApiKey } from '@vernal/core/adapter';
import type OpenAI from 'openai';
import { answeredJson, answeredRequest } from './answered-request.js';
import { GuardedCalls } from './guarded-calls.js';
import { onlyDefined } from './only-defined.js';
import { derivedOptions, OPEN_AI, openAiClient } from './open-ai-connection.js';
import { imageOptionNames } from './open-ai-image-options.js';
import { type ImageRequest, imageMessages, imageRequest } from './open-ai-image-request.js';
import { fromImages } from './open-ai-image-response.js';
import type { OpenAiTaskOptions } from './open-ai-task-options.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. `timeoutMs` is 180,000 unless given: drawing takes minutes. */
export interface OpenAiImageModelOptions extends OpenAiTaskOptions<ImageOptions> {}

/**
 * Draws with OpenAI, or a server that speaks its API; a prompt whose messages bring `media` changes those images. Default model
 * 'gpt-image-1'. The texts of several messages are sent one a line; a weight other than 1 is `unsupported_capability`. Failures are
 * `ModelError`s, a filtered prompt `model_content_filter`; an option that does not exist is `invalid_argument`.
 * Source: `OpenAiImageModel` of Spring AI; https://platform.openai.com/docs/api-reference/images
 *
 * @example
 * const images = new OpenAiImageModel({ apiKey: process.env.OPENAI_API_KEY });
 * const { results } = await images.call({ messages: [{ text: 'A red fox' }], options: { width: 1024, height: 1024 } });
 */
export class OpenAiImageModel implements ImageModel {
  readonly provider = 'openai';
  /** What a call does not say. */
  readonly defaultOptions: ResolvedImageOptions;
  readonly #options: OpenAiImageModelOptions;
  readonly #client: OpenAI;
  readonly #calls: GuardedCalls;

  constructor(options: OpenAiImageModelOptions = {}) {
    this.defaultOptions = imageOptionNames.merged({ model: 'gpt-image-1' }, options.defaultOptions).portable;
    requireApiKey(OPEN_AI.name, options);
    this.#options = options;
    this.#client = openAiClient({ ...options, timeoutMs: options.timeoutMs ?? 180_000 });
    this.#calls = new GuardedCalls('image_model', this.provider, options);
  }

  /**
   * A model like this one with some options changed, by the rules of `OpenAiChatModel.with`; this one stays as it is.
   *
   * @example
   * const draft = images.with({ defaultOptions: openAiImageOptions({ quality: 'low' }) });
   */
  with(change: Partial<OpenAiImageModelOptions>): OpenAiImageModel {
    return new OpenAiImageModel(derivedOptions(this.#options, change));
  }

  async call(prompt: string | ImagePrompt, context?: CallContext): Promise<ImageResponse> {
    const messages = imageMessages(prompt);
    const known = imageOptionNames.merged(this.defaultOptions, typeof prompt === 'string' ? undefined : prompt.options);
    const request = imageRequest(messages, known);
    const facts = (content: boolean): ObservationData => ({
      count: known.portable.n ?? 1,
      ...onlyDefined({
        responseFormat: known.portable.responseFormat,
        size: sizeOf(request),
        style: known.portable.style,
      }),
      ...(content ? { inputs: messages.map(({ text }) => text) } : {}),
    });
    return this.#calls.call(
      { model: request.model, facts },
      context,
      () => this.#send(request, known.own.headers, context?.signal),
      ({ metadata }) => ({ usage: metadata.usage, ...(metadata.model ? { responseModel: metadata.model } : {}) }),
    );
  }

  #send(
    request: ImageRequest,
    headers: Readonly<Record<string, string>> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ImageResponse> {
    const client = this.#client;
    const place: ModelErrorPlace = {
      ...OPEN_AI,
      model: request.model,
      providerMessages: this.#options.providerMessages ?? false,
    };
    return answeredRequest(
      { client, place, signal, headers },
      (settings) =>
        'edit' in request
          ? client.images.edit(request.edit, settings)
          : client.images.generate(request.generate, settings),
      (response, timeout) =>
        answeredJson(place, { response, timeout }, (answer) =>
          fromImages(answer, request, { place, headers: response.headers }),
        ),
    );
  }
}

function sizeOf(request: ImageRequest): string | undefined {
  return ('edit' in request ? request.edit : request.generate).size ?? undefined;
}
