const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const HEADER_SIZE = 512;
const ENTRY_SIZE = 128;
const ENTRIES_IN_HEADER = 109;
/** Entries that are looked at; what a file is stands among the first. */
const MOST_ENTRIES = 4_096;

/** True for the container that Office used before 2007, and still uses for what is encrypted. */
export function isOle(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => bytes[index] === byte);
}

/**
 * The names of the streams and storages in a compound file, as far as they can be read: [] for what is damaged. Source: MS-CFB.
 */
export function oleNames(bytes: Uint8Array): string[] {
  if (!isOle(bytes) || bytes.length < HEADER_SIZE) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = view.getUint16(30, true);
  if (shift !== 9 && shift !== 12) return [];
  const size = 2 ** shift;
  const names: string[] = [];
  let sector = view.getUint32(48, true);
  for (let step = 0; step < MOST_ENTRIES; step++) {
    const start = (sector + 1) * size;
    if (start + size > bytes.length) break;
    for (let at = start; at < start + size; at += ENTRY_SIZE) {
      const name = nameAt(view, at);
      if (name !== '') names.push(name);
      if (names.length >= MOST_ENTRIES) return names;
    }
    sector = nextSector(view, sector, size);
  }
  return names;
}

function nameAt(view: DataView, entry: number): string {
  const type = view.getUint8(entry + 66);
  if (type !== 1 && type !== 2) return '';
  const length = Math.min(view.getUint16(entry + 64, true), 64) - 2;
  let name = '';
  for (let at = 0; at < length; at += 2) name += String.fromCharCode(view.getUint16(entry + at, true));
  return name;
}

/** By the allocation table, of which the header names the first 109 sectors: enough for the directory of all but huge files. */
function nextSector(view: DataView, sector: number, size: number): number {
  const perSector = size / 4;
  const index = Math.floor(sector / perSector);
  if (index >= ENTRIES_IN_HEADER) return Number.POSITIVE_INFINITY;
  const table = view.getUint32(76 + index * 4, true);
  const at = (table + 1) * size + (sector % perSector) * 4;
  return at + 4 <= view.byteLength ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
}
