import type { DocumentBlockParam, ImageBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type Media, mediaBase64, mediaBytes, UnsupportedCapabilityError } from '@vernal/core';

const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** MIME types that user messages may hold. */
export const MEDIA_INPUT: readonly string[] = [...IMAGES, 'application/pdf', 'text/plain'];

/** Images and documents as content blocks. */
export function mediaBlock(media: Media): ImageBlockParam | DocumentBlockParam {
  const { source } = media;
  const mimeType = essenceOf(media.mimeType);
  if (mimeType.startsWith('image/')) {
    if (source.type === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
    const type = IMAGES.find((one) => one === mimeType);
    if (type !== undefined)
      return { type: 'image', source: { type: 'base64', media_type: type, data: mediaBase64(media) } };
  }
  if (mimeType === 'application/pdf') {
    if (source.type === 'url') return { type: 'document', source: { type: 'url', url: source.url } };
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: mediaBase64(media) } };
  }
  if (mimeType === 'text/plain' && source.type !== 'url') {
    const data = new TextDecoder().decode(mediaBytes(media));
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data } };
  }
  throw new UnsupportedCapabilityError(
    `Anthropic takes JPEG, PNG, GIF and WebP images, PDF, and plain text that is no URL, not ${media.mimeType}`,
    { capability: `media.input.${media.mimeType}`, owner: 'anthropic' },
  );
}

/** Case and parameters do not count. */
function essenceOf(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
