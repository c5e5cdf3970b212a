import type { CallContext, Resource } from '@vernal/core';
import { joinBytes } from '@vernal/core';

async function* chunksOf(source: Resource, context: CallContext | undefined): AsyncGenerator<Uint8Array> {
  if (source.stream === undefined) yield await source.bytes(context);
  else yield* source.stream(context);
}

/** Takes a resource apart in pieces of chosen length, holding no more than a piece and a chunk. */
export class ByteSource {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(source: Resource, context: CallContext | undefined) {
    this.#chunks = chunksOf(source, context);
  }

  /** Exactly `length` bytes; fewer only where the resource ends. Nothing is allocated for bytes that do not come. */
  async take(length: number): Promise<Uint8Array> {
    if (this.#chunk.length >= length) return this.#cut(length);
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0 && (await this.#fill())) {
      const part = this.#cut(Math.min(missing, this.#chunk.length));
      parts.push(part);
      missing -= part.length;
    }
    return joinBytes(parts);
  }

  /** Everything up to the end. */
  async rest(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    while (await this.#fill()) parts.push(this.#cut(this.#chunk.length));
    return joinBytes(parts);
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  #cut(length: number): Uint8Array {
    const part = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return part;
  }

  /** False at the end. */
  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#chunk = next.value;
    }
    return true;
  }
}
