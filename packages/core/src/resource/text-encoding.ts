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

export function unknownEncoding(cause: unknown): VernalError {
  return invalidArgument(
    'encoding',
    "is not known here; give a label of the WHATWG Encoding Standard, such as 'utf-8', 'windows-1252' or 'gb18030'",
    cause,
  );
}
