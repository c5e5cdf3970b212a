import type { Reading } from '../reading/reading.js';

/** What the central directory says of an entry; only the place and the packed size are relied on. */
export interface ZipEntry {
  /** With forward slashes; never used as a path. */
  readonly name: string;
  readonly isEncrypted: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  /** Where the packed bytes begin. */
  readonly start: number;
  readonly packedSize: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 0xffff;

interface Directory {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** Bytes before the archive, of a program or another file in front of it. */
  readonly shift: number;
}

/**
 * Reads the central directory, as Office does, and holds it to the file: entries that lie outside of it, or share bytes with each other, are
 * refused. Source: APPNOTE.TXT 6.3.10, zip64 included; archives in several pieces are not.
 *
 * @throws VernalError `resource`: 'wrong_type' for what is no zip archive, 'damaged', 'too_large' for too many entries
 */
export function zipDirectory(bytes: Uint8Array, reading: Reading): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { start, end, count, shift } = findDirectory(view, reading);
  if (count > reading.limits.maxEntries) throw reading.tooLarge('maxEntries', 'has too many entries');
  const entries: ZipEntry[] = [];
  const decoder = new TextDecoder();
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL) throw damaged(reading, 'its list of entries is cut off');
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const nameEnd = at + 46 + nameLength;
    if (nameEnd + extraLength > end) throw damaged(reading, 'its list of entries is cut off');
    const name = decoder
      .decode(bytes.subarray(at + 46, nameEnd))
      .replaceAll('\\', '/')
      .replace(/^\/+/, '');
    const sizes = sizesOf(view, at, nameEnd, extraLength);
    entries.push({
      name,
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      start: dataStart(view, sizes.offset + shift, reading),
      packedSize: sizes.packed,
    });
    at = nameEnd + extraLength + view.getUint16(at + 32, true);
  }
  checkRanges(entries, start, reading);
  return entries;
}

function findDirectory(view: DataView, reading: Reading): Directory {
  const least = Math.max(0, view.byteLength - END_SIZE - LONGEST_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= least; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const found = directoryAt(view, at);
    if (found !== undefined) return found;
  }
  const isZip = view.byteLength >= 4 && view.getUint32(0, true) === LOCAL;
  if (isZip) throw damaged(reading, 'the end of the zip archive is missing');
  throw reading.fault(
    'wrong_type',
    'is not a zip archive, which files of this kind are; use readAny, which looks at the content',
  );
}

function directoryAt(view: DataView, at: number): Directory | undefined {
  let count = view.getUint16(at + 10, true);
  let size = view.getUint32(at + 12, true);
  let offset = view.getUint32(at + 16, true);
  let end = at;
  const locator = at - 20;
  if (locator >= 0 && view.getUint32(locator, true) === END_64_LOCATOR) {
    const at64 = Number(view.getBigUint64(locator + 8, true));
    if (at64 + 56 > locator || view.getUint32(at64, true) !== END_64) return undefined;
    count = Number(view.getBigUint64(at64 + 32, true));
    size = Number(view.getBigUint64(at64 + 40, true));
    offset = Number(view.getBigUint64(at64 + 48, true));
    end = at64;
  }
  const start = end - size;
  const shift = start - offset;
  return start < 0 || shift < 0 ? undefined : { start, end, count, shift };
}

/** Of a central header; what does not fit into 32 bits stands in the extra field of zip64. */
function sizesOf(
  view: DataView,
  header: number,
  extra: number,
  extraLength: number,
): { packed: number; offset: number } {
  let packed = view.getUint32(header + 20, true);
  let offset = view.getUint32(header + 42, true);
  const unpackedIs64 = view.getUint32(header + 24, true) === 0xffffffff;
  for (let at = extra; at + 4 <= extra + extraLength; ) {
    const length = view.getUint16(at + 2, true);
    const end = Math.min(at + 4 + length, extra + extraLength);
    if (view.getUint16(at, true) === 1) {
      let field = at + 4 + (unpackedIs64 ? 8 : 0);
      if (packed === 0xffffffff && field + 8 <= end) {
        packed = Number(view.getBigUint64(field, true));
        field += 8;
      }
      if (offset === 0xffffffff && field + 8 <= end) offset = Number(view.getBigUint64(field, true));
    }
    at += 4 + length;
  }
  return { packed, offset };
}

function dataStart(view: DataView, local: number, reading: Reading): number {
  if (local < 0 || local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL)
    throw damaged(reading, 'an entry is not where its list says');
  return local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
}

/** Entries that share their packed bytes are how a small archive unpacks to anything. */
function checkRanges(entries: readonly ZipEntry[], end: number, reading: Reading): void {
  const sorted = [...entries].sort((one, other) => one.start - other.start);
  for (const [index, { start, packedSize }] of sorted.entries()) {
    const next = sorted[index + 1]?.start ?? end;
    if (start + packedSize > (index === sorted.length - 1 ? end : next)) {
      throw damaged(reading, index === sorted.length - 1 ? 'an entry is cut off' : 'two entries share their bytes');
    }
  }
}

function damaged(reading: Reading, fault: string): Error {
  return reading.fault('damaged', `is damaged: ${fault}; get the file again, or save it anew`);
}
