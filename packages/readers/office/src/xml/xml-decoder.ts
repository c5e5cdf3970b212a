/** Bytes of a declaration. */
const HEAD = 256;

/** Text of XML as it comes: by its byte order mark, else by its declaration, else UTF-8. Bytes that do not fit become U+FFFD. */
export function xmlDecoder(first: Uint8Array): InstanceType<typeof TextDecoder> {
  const [a, b] = first;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le');
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be');
  if (a === 0x3c && b === 0) return new TextDecoder('utf-16le');
  if (a === 0 && b === 0x3c) return new TextDecoder('utf-16be');
  const head = String.fromCharCode(...first.subarray(0, HEAD));
  const label = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  if (label !== undefined && !/^utf-?16/i.test(label)) {
    try {
      return new TextDecoder(label);
    } catch {
      // A label that nobody knows: most such files are UTF-8 all the same.
    }
  }
  return new TextDecoder();
}
