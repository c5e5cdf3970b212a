let table: Uint32Array | undefined;

function crcTable(): Uint32Array {
  const made = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    made[byte] = value;
  }
  return made;
}

/** CRC-32 of more bytes; begin with 0. Source: the zip format (APPNOTE 4.4.7). */
export function crc32(bytes: Uint8Array, before: number): number {
  table ??= crcTable();
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
