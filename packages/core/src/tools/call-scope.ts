type OnAbort = (reason: unknown) => void;

/**
 * What a tool call, or a round of them, runs under: ended by the caller's signal, by a scope around it, by a time-out, or by hand.
 * One listener a scope on the caller's signal, none on any other: engines warn of signals with many. What nobody asks for is not made.
 */
export class CallScope {
  readonly #waiting = new Set<OnAbort>();
  #controller: AbortController | undefined;
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #aborted = false;
  #reason: unknown;
  #timedOut = false;

  /** `around`: the caller's signal or an outer scope. */
  constructor(around: AbortSignal | CallScope | undefined, timeoutMs?: number) {
    if (around !== undefined) {
      if ('addEventListener' in around) this.#joinSignal(around);
      else this.#joinScope(around);
    }
    if (timeoutMs !== undefined && !this.#aborted) this.#timer = setTimeout(() => this.#timeOut(), timeoutMs);
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get timedOut(): boolean {
    return this.#timedOut;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const tell of this.#waiting) tell(reason);
  }

  /** Settles as `work` does, or rejects with the reason as soon as the scope is aborted, whether or not the work heeds it. */
  race<T>(work: Promise<T>): Promise<T> {
    if (this.#leave === undefined && this.#timer === undefined && !this.#aborted) return work;
    return new Promise((resolve, reject) => {
      if (this.#aborted) reject(this.#reason);
      this.#waiting.add(reject);
      // Also when the race is lost: a late rejection is nobody's surprise.
      work.then(
        (value) => {
          this.#waiting.delete(reject);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  /** Takes the timer and the listener away. */
  close(): void {
    this.#leave?.();
    clearTimeout(this.#timer);
  }

  #joinSignal(signal: AbortSignal): void {
    if (signal.aborted) {
      this.abort(signal.reason);
      return;
    }
    const follow = (): void => this.abort(signal.reason);
    signal.addEventListener('abort', follow, { once: true });
    this.#leave = () => signal.removeEventListener('abort', follow);
  }

  #joinScope(outer: CallScope): void {
    if (outer.#aborted) {
      this.abort(outer.#reason);
      return;
    }
    const follow: OnAbort = (reason) => this.abort(reason);
    outer.#waiting.add(follow);
    this.#leave = () => outer.#waiting.delete(follow);
  }

  #timeOut(): void {
    this.#timedOut = !this.#aborted;
    this.abort(new DOMException('The tool took too long', 'TimeoutError'));
  }
}
