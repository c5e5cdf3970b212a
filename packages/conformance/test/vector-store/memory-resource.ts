import type { CallContext, WritableResource } from '@vernal/core';

/** A place in memory that is written whole or not at all, and read back in pieces of any size. */
export class MemoryResource implements WritableResource {
  content: Uint8Array;
  /** Bytes a chunk when it is streamed. */
  readonly #chunk: number;
  /** Runs before each chunk is taken from the writer. */
  onChunk: (index: number) => void | Promise<void> = () => {};
  chunks = 0;

  constructor(content: Uint8Array | string = new Uint8Array(0), chunk = 1 << 16) {
    this.content = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    this.#chunk = chunk;
  }

  async bytes(): Promise<Uint8Array> {
    return this.content;
  }

  async *stream(context?: CallContext): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < this.content.length; i += this.#chunk) {
      context?.signal?.throwIfAborted();
      yield this.content.subarray(i, i + this.#chunk);
    }
  }

  async write(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    if (content instanceof Uint8Array) {
      this.content = content.slice();
      return;
    }
    const parts: Uint8Array[] = [];
    for await (const part of content) {
      await this.onChunk(this.chunks++);
      parts.push(part);
    }
    this.content = Uint8Array.from(parts.flatMap((part) => [...part]));
  }
}
