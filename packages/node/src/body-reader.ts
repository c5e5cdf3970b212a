import type { Readable } from 'node:stream';

/** So many pieces wait before the source is told to stop. */
const HIGH_WATER = 16;

interface Waiting {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(error: unknown): void;
}

/** The bytes of a body as they come, without the cost of a web stream. Nothing is read before it is asked for; leaving destroys the source. */
export class BodyReader implements AsyncIterableIterator<Uint8Array> {
  readonly #source: Readable;
  readonly #chunks: Uint8Array[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #signal: AbortSignal | undefined;
  #failure: unknown;
  #ended = false;
  #begun = false;

  /** `signal`: what may have destroyed the source; its reason is the failure then. */
  constructor(source: Readable, signal?: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    source.on('error', (error) => this.#break(error));
  }

  /** True once somebody reads. */
  get begun(): boolean {
    return this.#begun;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#begun) this.#begin();
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      if (this.#chunks.length === 0 && !this.#ended) this.#source.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (!this.#ended) return new Promise((resolve, reject) => void this.#waiting.push({ resolve, reject }));
    const failure = this.#failure;
    this.#failure = undefined;
    return failure === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(failure);
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#begun = true;
    this.#end();
    this.#chunks.length = 0;
    this.#source.destroy();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** All that is left. */
  async rest(): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await this.next();
      if (done) return Buffer.concat(chunks);
      chunks.push(value);
    }
  }

  #begin(): void {
    this.#begun = true;
    if (this.#source.destroyed) this.#break();
    this.#source.on('end', () => this.#end());
    this.#source.on('close', () => this.#break());
    this.#source.on('data', (chunk: Uint8Array) => {
      if (this.#ended) return;
      const waiting = this.#waiting.shift();
      if (waiting !== undefined) waiting.resolve({ done: false, value: chunk });
      else if (this.#chunks.push(chunk) >= HIGH_WATER) this.#source.pause();
    });
  }

  /** In the words of `fetch`. */
  #break(cause?: Error): void {
    // Every body closes in the end, and an error is dear to make.
    if (this.#ended) return;
    this.#end(this.#signal?.aborted ? this.#signal.reason : new TypeError('terminated', { cause }));
  }

  #end(failure?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const [first, ...others] = this.#waiting.splice(0);
    if (failure === undefined) first?.resolve({ done: true, value: undefined });
    else if (first === undefined) this.#failure = failure;
    else first.reject(failure);
    for (const { resolve } of others) resolve({ done: true, value: undefined });
  }
}
