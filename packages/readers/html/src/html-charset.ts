import { charsetOf, type DecodedText, decodeText, type Resource, VernalError } from '@vernal/core';
import { isEncoding } from '@vernal/core/adapter';

/** How far into a page its own word on its encoding is looked for; browsers stop at 1,024 bytes. */
const PRESCAN_BYTES = 8_192;

/**
 * Decodes as browsers do: by byte order mark, then `encoding`, then the charset of the MIME type, then `<meta>` or the XML declaration;
 * a page that tells nothing is UTF-8 when it decodes as such, else windows-1252. Bytes that do not fit become U+FFFD. Labels that nobody
 * knows are passed over.
 */
export function decodeHtml(bytes: Uint8Array, encoding: string | undefined, source: Resource): DecodedText {
  const told = [encoding, charsetOf(source.mimeType)].find(isEncoding) ?? declaredEncoding(bytes);
  if (told !== undefined) return decodeText(bytes, { encoding: told, fatal: false, source });
  try {
    return decodeText(bytes, { encoding: 'utf-8', source });
  } catch (error) {
    if (!VernalError.is(error) || error.details['reason'] !== 'undecodable') throw error;
    return decodeText(bytes, { encoding: 'windows-1252', fatal: false, source });
  }
}

/** The first label that is known. Source: the prescan of the HTML standard (13.2.3.2), on attributes instead of bytes. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  // Only its ASCII is of interest; unlike decodeText this takes any bytes.
  const head = new TextDecoder('windows-1252')
    .decode(bytes.subarray(0, PRESCAN_BYTES))
    .replace(/<!--.*?(?:-->|$)/gs, '');
  const xml = /^\s*<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(head.slice(0, 256))?.[1];
  const label = [xml, ...metaLabels(head)].find(isEncoding);
  // A page whose ASCII could be read this far is not in UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function* metaLabels(head: string): Generator<string | undefined> {
  for (const [, tag = ''] of head.matchAll(/<meta[\s/]([^>]*)/gi)) {
    const attributes = attributesOf(tag);
    yield attributes.get('charset');
    if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') continue;
    yield /charset\s*=\s*["']?([^"';\s]+)/i.exec(attributes.get('content') ?? '')?.[1];
  }
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
