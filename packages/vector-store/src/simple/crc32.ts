const POLYNOMIAL = 0xedb88320;
let table: Uint32Array | undefined;

function crcTable(): Uint32Array {
  if (table !== undefined) return table;
  table = new Uint32Array(256).map((_zero, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ ((value & 1) === 0 ? 0 : POLYNOMIAL);
    return value >>> 0;
  });
  return table;
}

/** CRC-32 as in zip and PNG, over pieces as they come. */
export class Crc32 {
  #state = 0xffffffff;

  update(bytes: Uint8Array): void {
    const values = crcTable();
    let state = this.#state;
    for (let i = 0; i < bytes.length; i++) state = (state >>> 8) ^ (values[(state ^ (bytes[i] ?? 0)) & 255] ?? 0);
    this.#state = state;
  }

  get value(): number {
    return ~this.#state >>> 0;
  }
}
