import { Writable } from 'node:stream';
import type { CliIo } from '../cli-io.js';

/**
 * Where the line editor writes. It echoes, and draws its line anew when the window changes, at any time; while an answer is being
 * written that would go right through it, so it can be muted.
 */
export class PromptOutput extends Writable {
  muted = false;
  readonly #terminal: CliIo['stdout'];
  readonly #resized = (): boolean => this.emit('resize');

  constructor(terminal: CliIo['stdout']) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    terminal.on('resize', this.#resized);
  }

  /** Read by the line editor. */
  get columns(): number {
    return this.#terminal.columns ?? 80;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    if (!this.muted) this.#terminal.write(text);
    done();
  }

  override _destroy(_error: Error | null, done: () => void): void {
    this.#terminal.off('resize', this.#resized);
    done();
  }
}
