import type { CallContext } from '../context/call-context.js';
import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import type { Resource } from '../resource/resource.js';
import { base64ToBytes, bytesToBase64, normalizeBase64 } from './base64.js';

/** Where the bytes are: at hand, as base64 text, or at a URL that the provider fetches. */
export type MediaSource =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'base64'; readonly base64: string }
  | { readonly type: 'url'; readonly url: string };

/** Something that is not text. `name` may be shown to the model: never a path. */
export interface Media {
  readonly mimeType: string;
  readonly source: MediaSource;
  readonly id?: string;
  readonly name?: string;
}

/** Those that models take most, for completion; any other will do. Source: `Media.Format` of spring-ai-commons. */
export type MimeType =
  | 'application/msword'
  | 'application/pdf'
  | 'application/vnd.ms-excel'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  | 'audio/mpeg'
  | 'audio/wav'
  | 'image/gif'
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'text/csv'
  | 'text/html'
  | 'text/markdown'
  | 'text/plain'
  | 'video/3gpp'
  | 'video/mp4'
  | 'video/mpeg'
  | 'video/quicktime'
  | 'video/webm'
  | 'video/x-flv'
  | 'video/x-matroska'
  | 'video/x-ms-wmv'
  | (string & {});

/** How the provider and the model may refer to it. */
export interface MediaOptions {
  readonly id?: string | undefined;
  /** Default `media-<subtype>-<random>`. */
  readonly name?: string | undefined;
}

/**
 * A string is a URL (`data:` URLs become base64). There is no guessing: base64 text goes in as `{ type: 'base64', base64 }`; white space,
 * the URL-safe alphabet and missing padding are mended. Bytes are kept as they are given, not copied.
 * Throws `invalid_argument` for a MIME type without a slash, text that is not a URL, and base64 that is none.
 * Source: `Media` of spring-ai-commons.
 *
 * @example
 * media('image/png', bytes);
 * media('image/jpeg', 'https://example.com/a.jpg');
 */
export function media(
  mimeType: MimeType,
  data: Uint8Array | URL | string | MediaSource,
  options?: MediaOptions,
): Media {
  if (typeof mimeType !== 'string' || !/^[^\s/;]+\/[^\s/;]+/.test(mimeType)) {
    throw invalidArgument('mimeType', "must look like 'image/png'");
  }
  return {
    mimeType,
    source: sourceOf(data),
    ...(options?.id === undefined ? undefined : { id: options.id }),
    name: options?.name ?? defaultName(mimeType),
  };
}

/** Reads the resource now. The MIME type is the resource's own unless given; without either, `invalid_argument`. */
export async function mediaFrom(
  resource: Resource,
  options?: MediaOptions & CallContext & { readonly mimeType?: MimeType | undefined },
): Promise<Media> {
  const bytes = await resource.bytes(options);
  // Asked after reading: a URL learns its type from the answer.
  const mimeType = options?.mimeType ?? resource.mimeType;
  if (mimeType === undefined) throw invalidArgument('mimeType', 'the resource does not say it; give it as an option');
  return media(mimeType, bytes, options);
}

/** Bytes of media held as bytes or base64. A URL is an error (`invalid_state`): nothing is fetched behind your back. */
export function mediaBytes(media: Media): Uint8Array {
  const { source } = media;
  if (source.type === 'bytes') return source.bytes;
  if (source.type === 'base64') return base64ToBytes(normalizeBase64(source.base64, 'media.source.base64'));
  throw urlHasNoContent();
}

/** Text that says the same whether the source is bytes or base64; URL media have none (`invalid_state`). */
export function mediaBase64(media: Media): string {
  const { source } = media;
  if (source.type === 'base64') return normalizeBase64(source.base64, 'media.source.base64');
  if (source.type === 'bytes') return bytesToBase64(source.bytes);
  throw urlHasNoContent();
}

function sourceOf(data: Uint8Array | URL | string | MediaSource): MediaSource {
  if (data instanceof Uint8Array) return { type: 'bytes', bytes: data };
  if (typeof data === 'string') return urlSource(data);
  if (data instanceof URL) return urlSource(data.href);
  switch (data?.type) {
    case 'bytes':
      if (data.bytes instanceof Uint8Array) return { type: 'bytes', bytes: data.bytes };
      throw invalidArgument('data.bytes', 'must be a Uint8Array');
    case 'base64':
      if (typeof data.base64 === 'string')
        return { type: 'base64', base64: normalizeBase64(data.base64, 'data.base64') };
      throw invalidArgument('data.base64', 'must be text');
    case 'url':
      return urlSource(data.url);
    default:
      throw invalidArgument('data', "must be bytes, a URL, or a source such as { type: 'base64', base64 }");
  }
}

function urlSource(url: string): MediaSource {
  const match = /^data:([^,]*),/i.exec(url);
  if (match !== null) return dataUrlSource(match[1] ?? '', url.slice(match[0].length));
  if (!URL.canParse(url)) {
    throw invalidArgument('data', "text must be an absolute URL; give base64 as { type: 'base64', base64 }");
  }
  return { type: 'url', url };
}

function dataUrlSource(header: string, body: string): MediaSource {
  if (/;\s*base64\s*$/i.test(header)) {
    const text = body.includes('%') ? new TextDecoder().decode(percentDecode(body)) : body;
    return { type: 'base64', base64: normalizeBase64(text, 'data') };
  }
  return { type: 'base64', base64: bytesToBase64(percentDecode(body)) };
}

/** By bytes, not by characters: a data URL may hold bytes that are not UTF-8. */
function percentDecode(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes[i] === 0x25 ? String.fromCharCode(bytes[i + 1] ?? 0, bytes[i + 2] ?? 0) : '';
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      out[length++] = Number.parseInt(hex, 16);
      i += 2;
    } else {
      out[length++] = bytes[i] ?? 0;
    }
  }
  return out.slice(0, length);
}

/** Random, not counted: names of two requests, or of two processes, must not look alike. */
function defaultName(mimeType: string): string {
  const subtype = (/\/([^;\s]+)/.exec(mimeType)?.[1] ?? 'data').replace(/[^A-Za-z0-9]+/g, '-');
  return `media-${subtype}-${Math.random().toString(36).slice(2, 10)}`;
}

function urlHasNoContent(): VernalError {
  return new VernalError(
    'The media is a URL and holds no content; read it first, e.g. by mediaFrom(urlResource(url))',
    {
      code: 'invalid_state',
      subject: 'media.source',
    },
  );
}
