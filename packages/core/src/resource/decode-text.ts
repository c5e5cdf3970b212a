import { PieceDecoder } from './piece-decoder.js';
import type { Resource } from './resource.js';

/** How bytes become text. */
export interface TextOptions {
  /**
   * A label of the WHATWG Encoding Standard. A byte order mark outweighs it. Default the charset of the MIME type, else 'utf-8'.
   */
  readonly encoding?: string | undefined;
  /** False puts U+FFFD in the place of bytes that are not of the encoding, true refuses them. Default true. */
  readonly fatal?: boolean | undefined;
}

/** How bytes become text, and whose bytes they are. */
export interface DecodeTextOptions extends TextOptions {
  /** Where the bytes came from: its MIME type may tell the encoding, and errors name it. */
  readonly source?: Pick<Resource, 'uri' | 'filename' | 'mimeType'> | undefined;
}

/** What `decodeText` found. */
export interface DecodedText {
  /** Without its byte order mark. */
  readonly text: string;
  /** The encoding that was used, by its WHATWG name. */
  readonly encoding: string;
}

/**
 * The text that bytes stand for, decoded by their byte order mark, else by `encoding`, else by the charset of the source's MIME type, else
 * as UTF-8. `readText` and `streamText` do this for a resource.
 *
 * @throws VernalError `resource` with `details.reason` 'undecodable' for bytes that are not of the encoding, unless `fatal` is false, and
 * 'binary' for NUL characters, which text never holds and other files mostly do; `invalid_argument` for an encoding that the platform does
 * not know
 *
 * @example
 * const { text, encoding } = decodeText(await resource.bytes(), { source: resource }); // encoding 'utf-8'
 */
export function decodeText(bytes: Uint8Array, options: DecodeTextOptions = {}): DecodedText {
  const decoder = new PieceDecoder(options);
  const text = decoder.push(bytes);
  const { text: rest, encoding } = decoder.end();
  return { text: text + rest, encoding };
}
