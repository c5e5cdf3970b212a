const POLYNOMIAL = 0xedb88320;
/** 256 entries for each of eight bytes that are taken in one step ("slicing by eight"). */
let table: Uint32Array | undefined;

function crcTable(): Uint32Array {
  if (table !== undefined) return table;
  const made = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ ((value & 1) === 0 ? 0 : POLYNOMIAL);
    made[byte] = value;
  }
  for (let i = 256; i < made.length; i++) {
    const before = made[i - 256] ?? 0;
    made[i] = (before >>> 8) ^ (made[before & 255] ?? 0);
  }
  table = made;
  return made;
}

/** CRC-32 as in zip and PNG, over pieces as they come. */
export class Crc32 {
  #state = 0xffffffff;

  update(bytes: Uint8Array): void {
    const t = crcTable();
    let state = this.#state;
    let i = 0;
    for (; i + 7 < bytes.length; i += 8) {
      const low =
        state ^
        ((bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24));
      state =
        (t[1792 + (low & 255)] ?? 0) ^
        (t[1536 + ((low >>> 8) & 255)] ?? 0) ^
        (t[1280 + ((low >>> 16) & 255)] ?? 0) ^
        (t[1024 + (low >>> 24)] ?? 0) ^
        (t[768 + (bytes[i + 4] ?? 0)] ?? 0) ^
        (t[512 + (bytes[i + 5] ?? 0)] ?? 0) ^
        (t[256 + (bytes[i + 6] ?? 0)] ?? 0) ^
        (t[bytes[i + 7] ?? 0] ?? 0);
    }
    for (; i < bytes.length; i++) state = (state >>> 8) ^ (t[(state ^ (bytes[i] ?? 0)) & 255] ?? 0);
    this.#state = state;
  }

  get value(): number {
    return ~this.#state >>> 0;
  }
}
