import { VernalError } from '@vernal/core';

export interface DecodedHtml {
  readonly html: string;
  /** The encoding that was used, by its WHATWG name. */
  readonly charset: string;
}

/** How far into a page its own word on its encoding is looked for; browsers stop at 1,024 bytes. */
const PRESCAN_BYTES = 8_192;

/**
 * Decodes as browsers do: by byte order mark, then `encoding`, then the charset of the MIME type, then `<meta>` or the XML declaration;
 * a page that tells nothing is UTF-8 when it decodes as such, else windows-1252. Bytes that do not fit become U+FFFD. Labels that nobody
 * knows are passed over.
 */
export function decodeHtml(
  name: string,
  bytes: Uint8Array,
  encoding: string | undefined,
  mimeType: string | undefined,
): DecodedHtml {
  const told =
    decoderFor(encodingOfMark(bytes)) ??
    decoderFor(encoding) ??
    decoderFor(/;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(mimeType ?? '')?.[1]) ??
    decoderFor(declaredEncoding(bytes));
  const { html, charset } = told === undefined ? decodeUntold(bytes) : decodeWith(told, bytes);
  if (html.includes('\0')) {
    throw new VernalError(`${name} is binary: it holds NUL bytes. Use a reader for its format, or give its encoding`, {
      code: 'resource',
      subject: name,
      details: { reason: 'binary' },
    });
  }
  return { html, charset };
}

/** Undefined for labels that the platform does not know. */
export function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function decodeUntold(bytes: Uint8Array): DecodedHtml {
  try {
    return decodeWith(new TextDecoder('utf-8', { fatal: true }), bytes);
  } catch {
    return decodeWith(new TextDecoder('windows-1252'), bytes);
  }
}

/** In two steps: Node decodes windows-1252 wrongly in one (0x80 to 0x9f). */
function decodeWith(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): DecodedHtml {
  return { html: decoder.decode(bytes, { stream: true }) + decoder.decode(), charset: decoder.encoding };
}

function encodingOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Source: the prescan of the HTML standard (13.2.3.2), on attributes instead of bytes. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252')
    .decode(bytes.subarray(0, PRESCAN_BYTES))
    .replace(/<!--.*?(?:-->|$)/gs, '');
  const xml = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(head.slice(0, 256))?.[1];
  if (xml !== undefined) return xml;
  for (const [, tag = ''] of head.matchAll(/<meta[\s/]([^>]*)/gi)) {
    const attributes = attributesOf(tag);
    const isContentType = attributes.get('http-equiv')?.toLowerCase() === 'content-type';
    const label =
      attributes.get('charset') ??
      (isContentType ? /charset\s*=\s*["']?([^"';\s]+)/i.exec(attributes.get('content') ?? '')?.[1] : undefined);
    if (label === undefined || decoderFor(label) === undefined) continue;
    // A page whose ASCII could be read this far is not in UTF-16, whatever it says.
    return /^utf-?16/i.test(label) ? 'utf-8' : label;
  }
  return undefined;
}

function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of tag.matchAll(
    /([^\s=/"'>]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
  }
  return attributes;
}
