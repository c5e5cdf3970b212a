import { decodeText } from '@vernal/core';

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
  // Decoding nothing looks the label up, too.
  decodeText(new Uint8Array(0), { encoding: label });
}
