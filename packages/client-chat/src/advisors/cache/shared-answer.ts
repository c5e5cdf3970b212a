import type { ChatClientResponse } from '@vernal/client-chat';
import { foldClient } from '@vernal/client-chat';
import type { ChatResponse } from '@vernal/core';
import { untilAborted } from '@vernal/core';

/**
 * One answer on its way to everybody who asked the same meanwhile. It is read at the model's pace, however slowly a reader takes it, and
 * is aborted when the last of them has turned away.
 */
export class SharedAnswer {
  /** Settles when the answer is whole and kept. */
  readonly whole: Promise<ChatClientResponse>;
  readonly #controller = new AbortController();
  readonly #chunks: ChatResponse[] = [];
  #readers = 0;
  #over = false;
  #changed: Promise<void> = Promise.resolve();
  #tell: () => void = () => {};

  /** `open` gives the chunks, `keep` is called with what they come to. */
  constructor(
    open: (signal: AbortSignal) => AsyncIterable<ChatClientResponse>,
    keep: (response: ChatClientResponse, signal: AbortSignal) => Promise<void>,
  ) {
    this.#await();
    this.whole = this.#read(open, keep);
    // Whoever waits is told; when nobody does any more, nobody has to be.
    this.whole.catch(() => {});
  }

  /** False once it was aborted: then it is no answer for those who come. */
  get joinable(): boolean {
    return !this.#controller.signal.aborted;
  }

  /** While `reading` runs there is somebody who wants the answer. */
  async during<T>(reading: () => Promise<T>): Promise<T> {
    this.#readers++;
    try {
      return await reading();
    } finally {
      this.#readers--;
      if (this.#readers === 0 && !this.#over) this.#controller.abort();
    }
  }

  /** From the first on, those that are there at once. Throws what ended the answer. */
  async *chunks(): AsyncGenerator<ChatResponse, void, undefined> {
    for (let next = 0; ; next++) {
      while (next >= this.#chunks.length && !this.#over) await this.#changed;
      const chunk = this.#chunks[next];
      if (chunk === undefined) break;
      yield chunk;
    }
    await this.whole;
  }

  async #read(
    open: (signal: AbortSignal) => AsyncIterable<ChatClientResponse>,
    keep: (response: ChatClientResponse, signal: AbortSignal) => Promise<void>,
  ): Promise<ChatClientResponse> {
    const { signal } = this.#controller;
    try {
      const response = await untilAborted(foldClient(this.#passOn(open(signal))), signal);
      await keep(response, signal);
      return response;
    } finally {
      this.#over = true;
      this.#tell();
    }
  }

  async *#passOn(chunks: AsyncIterable<ChatClientResponse>): AsyncGenerator<ChatClientResponse, void, undefined> {
    for await (const chunk of chunks) {
      if (chunk.chatResponse !== undefined) {
        this.#chunks.push(chunk.chatResponse);
        const tell = this.#tell;
        this.#await();
        tell();
      }
      yield chunk;
    }
  }

  #await(): void {
    this.#changed = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }
}
