import { constants, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  readonly name: string;
  /** As it stands in the archive. */
  readonly packed: Uint8Array;
  /** 0 stored, 8 deflated. */
  readonly method?: number;
  readonly crc?: number;
  /** What the archive says. */
  readonly size?: number;
}

/** An archive of entries that are packed already, right or wrong. */
export function rawZip(entries: readonly RawEntry[]): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, method = 8, crc = 0, size = packed.length } of entries) {
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(method, 8);
    header.writeUInt32LE(crc, 14);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(size, 22);
    header.writeUInt16LE(name.length, 26);
    local.push(header, Buffer.from(name, 'latin1'), Buffer.from(packed));
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(method, 10);
    listed.writeUInt32LE(crc, 16);
    listed.writeUInt32LE(packed.length, 20);
    listed.writeUInt32LE(size, 24);
    listed.writeUInt16LE(name.length, 28);
    listed.writeUInt32LE(offset, 42);
    central.push(listed, Buffer.from(name, 'latin1'));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(
    central.reduce((length, { length: more }) => length + more, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...local, ...central, end]));
}

/** A text, and so many mebibytes of spaces behind it, packed: a block that ends at a byte and refers to nothing before it can be repeated. */
export function packedSpaces(head: string, mebibytes: number): Uint8Array {
  const packed = (bytes: Buffer): Buffer => deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const block = packed(Buffer.alloc(8_388_608, 32));
  const blocks = Array.from({ length: mebibytes / 8 }, () => block);
  return new Uint8Array(Buffer.concat([packed(Buffer.from(head)), ...blocks, Buffer.from([3, 0])]));
}
