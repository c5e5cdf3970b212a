import { Inflate } from 'fflate';
import type { Reading } from '../reading/reading.js';
import { crc32 } from './crc32.js';
import { type ZipEntry, zipDirectory } from './zip-directory.js';

/** Packed bytes a step: at most a thousand times as many come out of them at once. */
const STEP = 4_096;
const STORED_STEP = 65_536;
/** The ratio is of interest once this much came out. */
const RATIO_FROM = 4_194_304;

interface Unpacked {
  readonly chunk: Uint8Array;
  /** Packed bytes that were used so far. */
  readonly used: number;
}

/** A zip archive in memory, entry by entry. Names are looked up whatever their case; of several entries with one name the first counts. */
export class ZipArchive {
  readonly #bytes: Uint8Array;
  readonly #reading: Reading;
  readonly #entries = new Map<string, ZipEntry>();

  /** @throws VernalError `resource` as `zipDirectory` does */
  constructor(bytes: Uint8Array, reading: Reading) {
    this.#bytes = bytes;
    this.#reading = reading;
    for (const entry of zipDirectory(bytes, reading)) {
      const key = entry.name.toLowerCase();
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
    }
  }

  get names(): string[] {
    return [...this.#entries.values()].map(({ name }) => name);
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * The unpacked bytes of an entry as they come, counted by what comes and not by what the archive says.
   *
   * @param isCounted - false for a second look at an entry, which is not more of the file
   * @throws VernalError `resource`: 'damaged' (also for an entry that is not there), 'too_large', 'encrypted', 'unsupported_format'
   */
  *chunks(name: string, isCounted = true): Generator<Uint8Array> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw this.#fault(name, 'is missing');
    const { isEncrypted, method, crc } = entry;
    if (isEncrypted) {
      throw this.#reading.fault('encrypted', 'is encrypted; remove the password and save it anew', { part: name });
    }
    let length = 0;
    let found = 0;
    for (const { chunk, used } of method === 8 ? this.#inflated(entry) : this.#stored(entry)) {
      length += chunk.length;
      const { maxEntryBytes, maxRatio } = this.#reading.limits;
      if (isCounted) this.#reading.countUnpacked(chunk.length, name);
      if (length > maxEntryBytes) throw this.#reading.tooLarge('maxEntryBytes', 'unpacks to too many bytes', name);
      if (length > RATIO_FROM && length - RATIO_FROM > used * maxRatio)
        throw this.#reading.tooLarge('maxRatio', 'unpacks to too many times its size', name);
      found = crc32(chunk, found);
      yield chunk;
    }
    if (found !== crc) throw this.#fault(name, 'does not have the checksum that it should have');
  }

  *#stored({ name, method, start, packedSize }: ZipEntry): Generator<Unpacked> {
    if (method !== 0) {
      const fault = `is packed by method ${method}, which Office does not use; save the file anew`;
      throw this.#reading.fault('unsupported_format', fault, { part: name });
    }
    for (let at = 0; at < packedSize; at += STORED_STEP) {
      const used = Math.min(at + STORED_STEP, packedSize);
      yield { chunk: this.#bytes.subarray(start + at, start + used), used };
    }
  }

  *#inflated({ name, start, packedSize }: ZipEntry): Generator<Unpacked> {
    let out: Uint8Array[] = [];
    const inflate = new Inflate((chunk) => {
      if (chunk.length > 0) out.push(chunk);
    });
    for (let at = 0; at < packedSize; at += STEP) {
      const end = Math.min(at + STEP, packedSize);
      try {
        inflate.push(this.#bytes.subarray(start + at, start + end), end === packedSize);
      } catch {
        throw this.#fault(name, 'cannot be unpacked');
      }
      const ready = out;
      out = [];
      for (const chunk of ready) yield { chunk, used: end };
    }
  }

  #fault(part: string, fault: string): Error {
    return this.#reading.fault('damaged', `${fault}: the file is damaged; get it again, or save it anew`, { part });
  }
}
