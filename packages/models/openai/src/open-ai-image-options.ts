import type { ImageOptions, Media, ResolvedImageOptions, Settings } from '@vernal/core';
import { OptionNames } from './option-names.js';

/** What only OpenAI's images have. Which of it a model knows differs. Source: https://platform.openai.com/docs/api-reference/images/create */
export interface OpenAiImageOptions {
  /** In place of `width` and `height`: 'auto' lets the model choose. */
  readonly size: 'auto' | '1024x1024' | '1536x1024' | '1024x1536' | (string & {});
  /** 'low' to 'high' for the GPT image models, 'standard' and 'hd' for dall-e-3. Default 'auto'. */
  readonly quality: 'auto' | 'low' | 'medium' | 'high' | 'standard' | 'hd' | (string & {});
  /** File format, for the GPT image models. Default 'png'. */
  readonly outputFormat: 'png' | 'jpeg' | 'webp' | (string & {});
  /** 0 to 100, for 'jpeg' and 'webp'. Default 100. */
  readonly outputCompression: number;
  /** 'transparent' needs 'png' or 'webp'. Default 'auto'. */
  readonly background: 'auto' | 'transparent' | 'opaque' | (string & {});
  /** How strictly the GPT image models filter. Not for images that are changed. Default 'auto'. */
  readonly moderation: 'auto' | 'low' | (string & {});
  /** How close to the images of the prompt the result stays. Only with images to change. Default 'low'. */
  readonly inputFidelity: 'low' | 'high' | (string & {});
  /** Where the first image is to be changed: the transparent parts of this one, which has its size. Only with images to change. */
  readonly mask: Media;
  /** The end user, for finding abuse. */
  readonly user: string;
  /** Headers of this request, over those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** Goes into the request body as it is, over all the above. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export const imageOptionNames: OptionNames<ResolvedImageOptions, OpenAiImageOptions> = new OptionNames<
  ResolvedImageOptions,
  OpenAiImageOptions
>(
  { model: true, n: true, width: true, height: true, responseFormat: true, style: true, providerOptions: true },
  {
    size: true,
    quality: true,
    outputFormat: true,
    outputCompression: true,
    background: true,
    moderation: true,
    inputFidelity: true,
    mask: true,
    user: true,
    headers: true,
    extra: true,
  },
);

/**
 * Portable and OpenAI's own options in one literal. A name that is neither is `invalid_argument`.
 *
 * @example
 * await images.call({ messages: [{ text: 'A red fox' }], options: openAiImageOptions({ quality: 'high', outputFormat: 'webp' }) });
 */
export function openAiImageOptions(options: ImageOptions & Settings<OpenAiImageOptions>): ImageOptions {
  return imageOptionNames.filed(options);
}
