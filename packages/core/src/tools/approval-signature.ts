import { canonicalJson } from '../json/canonical-json.js';
import { base64ToBytes, bytesToBase64, normalizeBase64 } from '../media/base64.js';
import type { PendingApproval } from './approval.js';

const HMAC: Readonly<{ name: 'HMAC'; hash: 'SHA-256' }> = { name: 'HMAC', hash: 'SHA-256' };

/** HMAC-SHA-256 (RFC 2104) over the canonical JSON, base64url without padding (RFC 4648 section 5). */
export async function signApproval(unsigned: Omit<PendingApproval, 'signature'>, key: Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(key, 'sign'), signedBytes(unsigned));
  return bytesToBase64(new Uint8Array(signature)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Compared in constant time by the engine. A signature that is not base64url is a wrong one. */
export async function isSignedWith(pending: PendingApproval, key: Uint8Array): Promise<boolean> {
  const { signature, ...unsigned } = pending;
  let given: Uint8Array;
  try {
    given = base64ToBytes(normalizeBase64(signature, 'signature'));
  } catch {
    return false;
  }
  return crypto.subtle.verify('HMAC', await hmacKey(key, 'verify'), given.slice(), signedBytes(unsigned));
}

function hmacKey(key: Uint8Array, use: 'sign' | 'verify'): ReturnType<typeof crypto.subtle.importKey> {
  return crypto.subtle.importKey('raw', key.slice(), HMAC, false, [use]);
}

function signedBytes(unsigned: Omit<PendingApproval, 'signature'>): Uint8Array<ArrayBuffer> {
  const { version, id, calls, messages, context, createdAt, expiresAt } = unsigned;
  return new TextEncoder().encode(
    canonicalJson({
      version,
      id,
      calls: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
      messages,
      context,
      createdAt,
      expiresAt,
    }),
  );
}
