import type { CallContext } from '../context/call-context.js';
import type { Media } from '../media/media.js';
import type { Settings } from '../options/chat-options.js';
import type { Usage } from '../responses/usage.js';

/** The portable options without null or undefined: what a model works from once everything is merged. */
export interface ResolvedImageOptions {
  readonly model?: string;
  /** Images to make. */
  readonly n?: number;
  /** Pixels. */
  readonly width?: number;
  /** Pixels. */
  readonly height?: number;
  /** 'url': a link that may expire; 'base64': the image itself. */
  readonly responseFormat?: 'url' | 'base64';
  /** In the provider's words: 'vivid', 'natural'. */
  readonly style?: string;
  /** Typed options of providers, by provider name; read only by their owner. Merged per provider and key. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Options as a caller writes them: undefined keeps the model's default, null unsets it. Source: `ImageOptions` of spring-ai-model. */
export interface ImageOptions extends Settings<ResolvedImageOptions> {}

/** What to draw. Source: `ImagePrompt` of spring-ai-model. */
export interface ImagePrompt {
  /** `weight` says how much a text counts, for models that know weights (negative: what is not to be seen); `media` are images to change. */
  readonly messages: readonly { readonly text: string; readonly weight?: number; readonly media?: readonly Media[] }[];
  readonly options?: ImageOptions | undefined;
}

/** One image. Source: `ImageGeneration` of spring-ai-model. */
export interface ImageGeneration {
  /** A URL or base64, as `responseFormat` asked. */
  readonly image: Media;
  /** `revisedPrompt`: what the model made of the prompt before it drew. */
  readonly metadata: { readonly revisedPrompt?: string; readonly [key: string]: unknown };
}

/** The images of one call. Source: `ImageResponse` of spring-ai-model. */
export interface ImageResponse {
  /** In the order the provider gave them. */
  readonly results: readonly ImageGeneration[];
  readonly metadata: { readonly model?: string; readonly usage: Usage; readonly [key: string]: unknown };
}

/**
 * Makes images from text, and from images where the model can. Source: `ImageModel` of spring-ai-model.
 *
 * @example
 * const { results } = await images.call({ messages: [{ text: 'A red fox' }], options: { width: 1024, height: 1024 } });
 */
export interface ImageModel {
  /** Lower case, stable: 'openai'. The key of `providerOptions` and of telemetry. */
  readonly provider: string;
  /** Text is short for a prompt of one message. */
  call(prompt: string | ImagePrompt, context?: CallContext): Promise<ImageResponse>;
}
