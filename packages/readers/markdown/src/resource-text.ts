import type { CallContext, Resource } from '@vernal/core';
import { throwIfAborted, VernalError } from '@vernal/core';

export interface ResourceText {
  readonly text: string;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

/** Reads and decodes strictly: by byte order mark, `encoding`, charset of the MIME type, else UTF-8. CRLF and CR become LF. */
export async function resourceText(
  resource: Resource,
  encoding: string | undefined,
  context: CallContext | undefined,
): Promise<ResourceText> {
  throwIfAborted(context?.signal);
  const bytes = await resource.bytes(context);
  throwIfAborted(context?.signal);
  const name = resource.filename ?? resource.uri ?? 'The resource';
  const decoder = strictDecoder(encodingOfMark(bytes) ?? encoding ?? charsetOf(resource.mimeType) ?? 'utf-8');
  let text: string;
  try {
    // In two steps: Node decodes windows-1252 wrongly in one (0x80 to 0x9f).
    text = decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    throw unreadable(name, 'undecodable', `is not ${decoder.encoding} text. Give its encoding`);
  }
  if (text.includes('\0'))
    throw unreadable(name, 'binary', 'is binary: it holds NUL bytes. Use a reader for its format');
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes.slice()));
  return { text: text.replace(/\r\n?/g, '\n'), hash: hash.join(' ') };
}

/** Throws `invalid_argument` for a label that the platform does not know. */
export function strictDecoder(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new VernalError("encoding: give a label of the WHATWG Encoding Standard, such as 'utf-8' or 'windows-1252'", {
      code: 'invalid_argument',
      subject: 'encoding',
      cause,
    });
  }
}

function unreadable(name: string, reason: string, message: string): VernalError {
  return new VernalError(`${name} ${message}`, { code: 'resource', subject: name, details: { reason } });
}

function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function charsetOf(mimeType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mimeType ?? '')?.[1];
}
