/** All bytes at once, as a piece: asked for a whole, Node.js 20 decodes windows-1252 as Latin-1, wrong from 0x80 to 0x9f. */
export function decodeWhole(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
