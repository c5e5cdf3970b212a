import { VernalError } from '@vernal/core';

export interface DecodedText {
  readonly text: string;
  /** The encoding that was used, by its WHATWG name. */
  readonly charset: string;
}

const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** A byte order mark tells the encoding and outweighs all else. */
export function encodingOfMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

export function charsetOfMimeType(mimeType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(mimeType ?? '')?.[1];
}

/** A decoder that refuses what is not of its encoding, instead of putting U+FFFD into an index. */
export function strictDecoder(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new VernalError(
      "encoding: give a label of the WHATWG Encoding Standard, such as 'utf-8', 'windows-1252' or 'gb18030'",
      {
        code: 'invalid_argument',
        subject: 'encoding',
        cause,
      },
    );
  }
}

/** The error for a part that `strictDecoder` refused. */
export function undecodable(name: string, encoding: string): VernalError {
  return new VernalError(`${name} is not ${encoding} text. Give its encoding, or a reader for its format`, {
    code: 'resource',
    subject: name,
    details: { reason: 'undecodable' },
  });
}

/** Text never holds NUL; files that are not text mostly do. */
export function requireText(name: string, text: string): void {
  if (!text.includes('\0')) return;
  throw new VernalError(
    `${name} is binary: it holds NUL bytes. Use a reader for its format, or give its encoding (utf-16le has such bytes)`,
    {
      code: 'resource',
      subject: name,
      details: { reason: 'binary' },
    },
  );
}

/** Decodes a whole resource: by its mark, else by `encoding`, else by the charset of its MIME type, else as UTF-8. */
export function decodeText(
  name: string,
  bytes: Uint8Array,
  encoding: string | undefined,
  mimeType: string | undefined,
): DecodedText {
  const decoder = strictDecoder(encodingOfMark(bytes) ?? encoding ?? charsetOfMimeType(mimeType) ?? 'utf-8');
  let text: string;
  try {
    // In two steps: Node decodes windows-1252 wrongly in one (0x80 to 0x9f).
    text = decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    throw undecodable(name, decoder.encoding);
  }
  requireText(name, text);
  return { text, charset: decoder.encoding };
}
