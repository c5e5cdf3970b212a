import type { CallContext } from '../context/call-context.js';
import type { Resource } from '../resource/resource.js';

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

export interface MediaOptions {
  readonly id?: string | undefined;
  /** Default `media-<subtype>-<random>`. */
  readonly name?: string | undefined;
}

/** A string is a URL (`data:` URLs become base64). There is no guessing: base64 text goes in as `{ type: 'base64', base64 }`. */
export declare function media(
  mimeType: string,
  data: Uint8Array | URL | string | MediaSource,
  options?: MediaOptions,
): Media;

/** Reads the resource now. The MIME type is the resource's own unless given. */
export declare function mediaFrom(
  resource: Resource,
  options?: MediaOptions & CallContext & { readonly mimeType?: string | undefined },
): Promise<Media>;

/** Bytes of media held as bytes or base64. A URL is an error (`invalid_state`): nothing is fetched behind your back. */
export declare function mediaBytes(media: Media): Uint8Array;

/** Text that says the same whether the source is bytes or base64; URL media have none (`invalid_state`). */
export declare function mediaBase64(media: Media): string;
