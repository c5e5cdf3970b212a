import { invalidArgument } from '../errors/invalid-argument.js';

/** Divisible by 3, so that the pieces of the text can be joined; small enough for one argument list. */
const PIECE = 24_576;

export function bytesToBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += PIECE) text += btoa(String.fromCharCode(...bytes.subarray(i, i + PIECE)));
  return text;
}

/** `base64` as `normalizeBase64` gives it. */
export function base64ToBytes(base64: string): Uint8Array {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Standard alphabet, padded, no white space. Throws `invalid_argument` for anything that is not base64. */
export function normalizeBase64(text: string, subject: string): string {
  let base64 = /[\s_-]/.test(text) ? text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/') : text;
  if (base64.length % 4 !== 0) {
    base64 = base64.replace(/=+$/, '');
    base64 = base64.padEnd(Math.ceil(base64.length / 4) * 4, '=');
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw invalidArgument(subject, 'is not base64');
  return base64;
}
