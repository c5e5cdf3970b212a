import {
  type ImagePrompt,
  invalidArgument,
  type Media,
  type ResolvedImageOptions,
  UnsupportedCapabilityError,
} from '@vernal/core';
import { requireModel } from '@vernal/core/adapter';
import type { ImageEditParamsNonStreaming, ImageGenerateParamsNonStreaming } from 'openai/resources/images';
import { onlyDefined } from './only-defined.js';
import { OPEN_AI } from './open-ai-connection.js';
import type { OpenAiImageOptions } from './open-ai-image-options.js';
import type { KnownOptions } from './option-names.js';
import { mediaFile } from './upload-file.js';

type Messages = ImagePrompt['messages'];
type Known = KnownOptions<ResolvedImageOptions, OpenAiImageOptions>;

/** What goes to one of the two endpoints: that which draws, or that which changes images. */
export type ImageRequest = { readonly model: string; readonly format: string } & (
  | { readonly generate: ImageGenerateParamsNonStreaming }
  | { readonly edit: ImageEditParamsNonStreaming }
);

/** The messages of a prompt. Throws `invalid_argument` for what is none, which untyped callers may pass. */
export function imageMessages(prompt: string | ImagePrompt): Messages {
  const messages: unknown = typeof prompt === 'string' ? [{ text: prompt }] : prompt?.messages;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalidArgument('prompt', 'must be a text, or { messages: [{ text }] } with at least one');
  }
  for (const [position, message] of messages.entries()) {
    const text: unknown = message?.text;
    if (typeof text !== 'string') throw invalidArgument(`prompt.messages[${position}].text`, 'must be a text');
  }
  return messages as Messages;
}

/** The request for a prompt: texts one a line; with images it is a request to change them. */
export function imageRequest(messages: Messages, { portable, own }: Known): ImageRequest {
  const model = requireModel(portable.model);
  const prompt = promptText(messages, model);
  const images = messages.flatMap(({ media }) => media ?? []);
  const shared = {
    model,
    prompt,
    n: imageCount(portable.n),
    size: size(portable, own),
    response_format: responseFormat(portable, model),
    quality: own.quality as 'auto' | undefined,
    output_format: own.outputFormat as 'png' | undefined,
    output_compression: own.outputCompression,
    background: own.background as 'auto' | undefined,
    user: own.user,
  };
  const format = own.outputFormat ?? 'png';
  if (images.length > 0) return { model, format, edit: editBody(shared, images, { portable, own }) };
  for (const name of ['mask', 'inputFidelity'] as const) {
    if (own[name] !== undefined) {
      throw invalidArgument(`options.${name}`, 'is for images to change: give them as `media` of a message');
    }
  }
  const body = {
    ...shared,
    style: portable.style as 'vivid' | undefined,
    moderation: own.moderation as 'auto' | undefined,
  };
  return { model, format, generate: { ...onlyDefined(body), ...own.extra } };
}

function editBody(
  shared: Record<string, unknown> & { readonly prompt: string },
  images: readonly Media[],
  { portable, own }: Known,
): ImageEditParamsNonStreaming {
  if (portable.style !== undefined) throw unsupported('style', 'when it changes images');
  if (own.moderation !== undefined) throw unsupported('moderation', 'when it changes images');
  const files = images.map((image, position) => mediaFile(image, `prompt.media[${position}]`, 'image'));
  const [first] = files;
  const body = {
    ...shared,
    image: files.length === 1 && first !== undefined ? first : files,
    mask: own.mask === undefined ? undefined : mediaFile(own.mask, 'options.mask', 'mask'),
    input_fidelity: own.inputFidelity as 'low' | undefined,
  };
  return { ...onlyDefined(body), ...own.extra };
}

function promptText(messages: Messages, model: string): string {
  if (messages.some(({ weight }) => weight !== undefined && weight !== 1)) {
    throw unsupported('weight', `(${model}): say in the text what matters, and what is not to be seen`);
  }
  const text = messages.map((message) => message.text).join('\n');
  if (text.trim() === '') throw invalidArgument('prompt', 'says nothing: describe the image');
  return text;
}

function imageCount(n: number | undefined): number | undefined {
  if (n === undefined || (Number.isInteger(n) && n >= 1)) return n;
  throw invalidArgument('options.n', 'must be a whole number, at least 1');
}

function size({ width, height }: ResolvedImageOptions, own: Known['own']): string | undefined {
  if (own.size !== undefined || (width === undefined && height === undefined)) return own.size;
  for (const [name, pixels] of Object.entries({ width, height })) {
    if (pixels === undefined)
      throw invalidArgument(`options.${name}`, 'is missing: OpenAI takes width and height together');
    if (!Number.isInteger(pixels) || pixels < 1)
      throw invalidArgument(`options.${name}`, 'must be a whole number of pixels');
  }
  return `${width}x${height}`;
}

/** The GPT image models give base64, and refuse to be asked for it. */
function responseFormat(
  { responseFormat: wanted }: ResolvedImageOptions,
  model: string,
): 'url' | 'b64_json' | undefined {
  if (wanted === undefined) return undefined;
  if (wanted !== 'url' && wanted !== 'base64')
    throw invalidArgument('options.responseFormat', "must be 'url' or 'base64'");
  if (!/^(?:chat)?gpt-image/.test(model)) return wanted === 'url' ? 'url' : 'b64_json';
  if (wanted === 'url')
    throw unsupported('responseFormat', `as 'url' (${model}): leave it out, the image itself comes`);
  return undefined;
}

function unsupported(option: string, why: string): UnsupportedCapabilityError {
  return new UnsupportedCapabilityError(`${OPEN_AI.name} does not take ${option} ${why}`, {
    capability: option,
    owner: OPEN_AI.provider,
    subject: `options.${option}`,
  });
}
