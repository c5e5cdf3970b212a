/** A second way to the server, by which a statement is cancelled that another connection waits for. */
export interface CancellationWay<C> {
  take(): Promise<C>;
  giveBack(connection: C): void;
  /** Ends or gives back what it was given, whatever happens. Never rejects. */
  cancel(connection: C): Promise<void>;
}

/**
 * Cancels what a connection runs when the signal fires. The protocols have no message for that: another connection of the pool asks the
 * server, so a pool of one connection lets its statement run to the end.
 */
export class Cancellation<C> {
  readonly #way: CancellationWay<C>;
  readonly #signal: AbortSignal | undefined;
  readonly #listener = (): void => void this.#ask();
  #sent: Promise<void> | undefined;
  #over = false;

  constructor(signal: AbortSignal | undefined, way: CancellationWay<C>) {
    this.#way = way;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#listener, { once: true });
  }

  /**
   * Waits for a cancel that is on its way, so that it cannot hit the connection's next user. True when one was sent: the connection is
   * then not to be used again.
   */
  async end(): Promise<boolean> {
    this.#over = true;
    this.#signal?.removeEventListener('abort', this.#listener);
    await this.#sent;
    return this.#sent !== undefined;
  }

  async #ask(): Promise<void> {
    let other: C;
    try {
      other = await this.#way.take();
    } catch {
      // The statement runs to its end.
      return;
    }
    if (this.#over) return this.#way.giveBack(other);
    this.#sent = this.#way.cancel(other);
  }
}
