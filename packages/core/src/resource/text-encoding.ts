import { invalidArgument } from '../errors/invalid-argument.js';
import type { VernalError } from '../errors/vernal-error.js';

const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** As many bytes as the longest mark has: with fewer at hand, a mark may still be on its way. */
export const LONGEST_MARK = 3;

/** A byte order mark tells the encoding and outweighs all else. */
export function encodingOfMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** The `charset` that a MIME type or a Content-Type header names, as it is written there. */
export function charsetOf(mimeType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(mimeType ?? '')?.[1];
}

/** True for labels of the WHATWG Encoding Standard that this platform can decode. */
export function isEncoding(label: string | undefined): label is string {
  try {
    return label !== undefined && new TextDecoder(label) !== undefined;
  } catch {
    return false;
  }
}

/**
 * For the constructors of readers, so that a label which nobody knows is refused before anything is read.
 *
 * @throws VernalError `invalid_argument` with subject 'encoding'
 */
export function requireEncoding(label: string | undefined): void {
  if (label !== undefined && !isEncoding(label)) throw unknownEncoding();
}

export function unknownEncoding(cause?: unknown): VernalError {
  return invalidArgument(
    'encoding',
    "is not known here; give a label of the WHATWG Encoding Standard, such as 'utf-8', 'windows-1252' or 'gb18030'",
    cause,
  );
}
