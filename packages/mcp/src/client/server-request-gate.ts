import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { ConcurrencyGate } from './concurrency-gate.js';

/** How many wait for each that is answered. */
const WAITING = 8;

/** Bounds what a server may want at once: each sampling costs money, and each form somebody's attention. */
export class ServerRequestGate {
  readonly #limit: number;
  readonly #gate: ConcurrencyGate;

  constructor(limit: number) {
    this.#limit = limit;
    this.#gate = new ConcurrencyGate(limit);
  }

  /** Throws the protocol error for the server when too many wait already. */
  async run<T>(method: string, answer: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#gate.waiting >= this.#limit * WAITING)
      throw new ProtocolError(ProtocolErrorCode.InternalError, `The client has too many requests of ${method} at once`);
    return await this.#gate.run(answer, signal);
  }
}
