import { isOle } from '../legacy/ole-directory.js';
import { oleType } from '../legacy/ole-type.js';
import { resolveLimits } from '../reading/office-limits.js';
import { Reading } from '../reading/reading.js';
import { decodeWhole } from '../text/decode-whole.js';
import { PDF, RTF } from './mime-types.js';
import { type TypeHints, textType } from './text-type.js';
import { zipType } from './zip-type.js';

/** As many bytes as tell what a file is that is neither a zip archive nor a compound file. */
export const HEAD_BYTES = 65_536;

/** What is told by its first bytes, and is no text. */
const MAGIC: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/bmp', 0, 'BM'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['application/x-7z-compressed', 0, '7z\xbc\xaf\x27\x1c'],
  ['application/vnd.rar', 0, 'Rar!\x1a\x07'],
  ['application/x-tar', 257, 'ustar'],
  ['application/wasm', 0, '\0asm'],
  ['application/vnd.sqlite3', 0, 'SQLite format 3\0'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/wav', 8, 'WAVE'],
  ['video/mp4', 4, 'ftyp'],
];

/**
 * What a file is, by its content: first bytes, names and types inside of zip archives, streams of compound files, how a text begins. A
 * name or a declared type only decides among texts that may be several things, such as Markdown, CSV and plain text.
 *
 * @param bytes - of zip archives and compound files all, of others the first 64 kibibytes are enough
 * @returns a MIME type without parameters; undefined for bytes that nobody knows
 * @throws VernalError `resource` with `details.reason` 'damaged', 'encrypted' or 'too_large' for archives that cannot be looked into
 *
 * @example
 * await detectMimeType(new TextEncoder().encode('{"a":1}')); // 'application/json'
 */
export async function detectMimeType(bytes: Uint8Array, hints: TypeHints = {}): Promise<string | undefined> {
  const reading = new Reading(
    { ...(hints.filename !== undefined && { filename: hints.filename }) },
    resolveLimits(),
    undefined,
  );
  return detectType(bytes, bytes.length <= HEAD_BYTES, hints, reading);
}

/** True for files of which the beginning does not tell what they are. */
export function isContainer(bytes: Uint8Array): boolean {
  return begins(bytes, 'PK\x03\x04') || begins(bytes, 'PK\x05\x06') || isOle(bytes);
}

/** `isWhole`: false when the bytes go on. */
export async function detectType(
  bytes: Uint8Array,
  isWhole: boolean,
  hints: TypeHints,
  reading: Reading,
): Promise<string | undefined> {
  if (isOle(bytes)) return oleType(bytes, reading);
  if (isContainer(bytes)) return zipType(bytes, reading);
  if (indexOf(bytes.subarray(0, 1_024), '%PDF-') !== -1) return PDF;
  if (begins(bytes, '{\\rtf')) return RTF;
  const magic = MAGIC.find(([, at, text]) => begins(bytes.subarray(at), text));
  const text = textOf(bytes.subarray(0, HEAD_BYTES));
  // Text that happens to begin like a bitmap is text.
  if (magic !== undefined && (text === undefined || magic[2].length > 2)) return magic[0];
  return text === undefined ? undefined : textType(text, isWhole && bytes.length <= HEAD_BYTES, hints);
}

/** Undefined for bytes that are no text of any kind. */
function textOf(bytes: Uint8Array): string | undefined {
  const label = begins(bytes, '\xff\xfe') ? 'utf-16le' : begins(bytes, '\xfe\xff') ? 'utf-16be' : 'utf-8';
  const text = decodeWhole(new TextDecoder(label), bytes);
  return hasControls(text) ? undefined : text;
}

/** Characters that no text has; tabs, line ends, form feeds and escapes it may. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 32 && (unit < 9 || unit > 13) && unit !== 27) return true;
  }
  return false;
}

function begins(bytes: Uint8Array, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text.charCodeAt(at)) return false;
  return true;
}

function indexOf(bytes: Uint8Array, text: string): number {
  for (let at = 0; at + text.length <= bytes.length; at++) if (begins(bytes.subarray(at), text)) return at;
  return -1;
}
