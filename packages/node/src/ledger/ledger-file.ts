import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { atomicWrite } from '../atomic-write.js';
import { apply, HEAD, type LedgerLine, type LedgerScopes, lineOf, readLedgerLog } from './ledger-log.js';
import { lockForProcess } from './process-lock.js';

/** Fewer outdated lines are not worth a new file. */
const WORTH_COMPACTING = 1000;

/** The ledgers of this process that are over one file share it. */
const openFiles = new Map<string, { readonly file: Promise<LedgerFile>; users: number }>();

/** A file of lines, each of which says what an entry is from then on. Held in memory as a whole, and by one process at a time. */
export class LedgerFile {
  readonly scopes: LedgerScopes;
  readonly #handle: FileHandle;
  readonly #unlock: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  /** Bytes up to the end of the last whole line. */
  #end: number;
  /** A write that failed, as on a full disk, may have left a piece of its line behind the end. */
  #isTorn = false;

  private constructor(scopes: LedgerScopes, handle: FileHandle, end: number, unlock: () => Promise<void>) {
    this.scopes = scopes;
    this.#handle = handle;
    this.#end = end;
    this.#unlock = unlock;
  }

  /** The file behind the path, which is made if it is not there. Give it back with `release`. */
  static async use(given: string): Promise<LedgerFile> {
    const path = resolve(given);
    const known = openFiles.get(path);
    if (known !== undefined) {
      known.users++;
      return known.file;
    }
    const file = LedgerFile.#open(path);
    openFiles.set(path, { file, users: 1 });
    file.catch(() => openFiles.delete(path));
    return file;
  }

  static async release(given: string): Promise<void> {
    const path = resolve(given);
    const known = openFiles.get(path);
    if (known === undefined || --known.users > 0) return;
    openFiles.delete(path);
    await (await known.file).#close();
  }

  static async #open(path: string): Promise<LedgerFile> {
    const unlock = await lockForProcess(path);
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'a+');
      const { scopes, end, outdated } = readLedgerLog(path, await handle.readFile());
      if (outdated > WORTH_COMPACTING) {
        await atomicWrite(path, Buffer.from(HEAD + linesOf(scopes)), undefined);
        await handle.close();
        handle = await open(path, 'a+');
      } else {
        await handle.truncate(end);
        if (end === 0) await handle.appendFile(HEAD);
      }
      return new LedgerFile(scopes, handle, (await handle.stat()).size, unlock);
    } catch (error) {
      await handle?.close();
      await unlock();
      throw error;
    }
  }

  /** One change after the other: `decide` gives the line to be written, or undefined for none. What it gives is in the file before it is in memory. */
  change(decide: () => LedgerLine | undefined): Promise<boolean> {
    const done = this.#last.then(async () => {
      const line = decide();
      if (line === undefined) return false;
      await this.#append(Buffer.from(lineOf(line)));
      apply(this.scopes, line);
      return true;
    });
    this.#last = done.catch(() => {});
    return done;
  }

  async #append(line: Buffer): Promise<void> {
    if (this.#isTorn) await this.#handle.truncate(this.#end);
    this.#isTorn = true;
    await this.#handle.appendFile(line);
    this.#isTorn = false;
    this.#end += line.length;
  }

  async #close(): Promise<void> {
    await this.#last;
    try {
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
      await this.#unlock();
    }
  }
}

function linesOf(scopes: LedgerScopes): string {
  return [...scopes]
    .flatMap(([scope, entries]) => [...entries].map(([source, entry]) => lineOf({ scope, source, entry })))
    .join('');
}
