import type { CallContext, Document, Documents } from '@vernal/core';
import type { IngestTarget } from '@vernal/etl';
import type { Scheduler } from 'fast-check';

/** Passages in a Map, with what is needed to break it. */
export class MemoryTarget implements IngestTarget {
  held = new Map<string, Document>();
  readonly calls: string[] = [];
  /** Thrown by the next writes, one each. */
  readonly failures: Error[] = [];
  /** The write, counted from 1, that fails once. */
  failAt = 0;
  /** Calls, those of a ledger included, that still work. */
  life: { left: number } | undefined;
  scheduler: Scheduler | undefined;
  mostAtOnce = 0;
  isSlow = false;
  #saved = new Map<string, Document>();
  #atOnce = 0;

  async write(documents: Documents, context?: CallContext): Promise<void> {
    this.#atOnce++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    try {
      await this.#step('write');
      context?.signal?.throwIfAborted();
      const given: Document[] = [];
      for await (const one of documents) given.push(one);
      if (--this.failAt === 0) throw new Error('no room');
      const failure = this.failures.shift();
      if (failure !== undefined) throw failure;
      this.calls.push(`write ${given.map((one) => MemoryTarget.#name(one)).join(' ')}`);
      for (const one of given) this.held.set(one.id, one);
    } finally {
      this.#atOnce--;
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#step('delete');
    this.calls.push(`delete ${ids.length}`);
    for (const id of ids) this.held.delete(id);
  }

  texts(): string[] {
    return [...this.held.values()].map((one) => MemoryTarget.#name(one)).sort();
  }

  save(): void {
    if (this.life !== undefined && this.life.left-- <= 0) throw new Error('killed');
    this.#saved = new Map(this.held);
  }

  restore(): void {
    this.held = new Map(this.#saved);
  }

  async #step(name: string): Promise<void> {
    if (this.scheduler !== undefined) await this.scheduler.schedule(Promise.resolve(), name);
    // A store takes longer than a turn of the event loop.
    if (this.isSlow) await new Promise((resolve) => setImmediate(resolve));
    if (this.life !== undefined && this.life.left-- <= 0) throw new Error('killed');
  }

  static #name({ text, metadata }: Document): string {
    return `${String(metadata['source'])}:${text}`;
  }
}
