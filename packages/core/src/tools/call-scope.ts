type OnAbort = (reason: unknown) => void;

/**
 * What a tool call, or a round of them, runs under: ended by the caller's signal, by a scope around it, by a time-out, or by hand.
 * One listener a scope on the caller's signal, none on any other: engines warn of signals with many. What nobody asks for is not made.
 */
export class CallScope {
  #waiting: Set<OnAbort> | undefined;
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #aborted = false;
  #reason: unknown;
  #timedOut = false;
  readonly #abortable: boolean;

  /** `around`: the caller's signal or an outer scope. `abortable`: ended by hand too. */
  constructor(
    around: AbortSignal | CallScope | undefined,
    { timeoutMs, abortable = false }: { readonly timeoutMs?: number | undefined; readonly abortable?: boolean } = {},
  ) {
    this.#abortable = abortable;
    if (around !== undefined) {
      if ('addEventListener' in around) this.#joinSignal(around);
      else this.#joinScope(around);
    }
    if (timeoutMs !== undefined && !this.#aborted) this.#timer = setTimeout(() => this.#timeOut(), timeoutMs);
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** True when nothing can end it. */
  get endless(): boolean {
    return !this.#abortable && this.#leave === undefined && this.#timer === undefined && !this.#aborted;
  }

  get timedOut(): boolean {
    return this.#timedOut;
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    for (const tell of this.#waiting ?? []) tell(reason);
  }

  /** A signal for one user: listeners that he leaves on it are nobody else's. It lives no longer than the scope. */
  newSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.#aborted) controller.abort(this.#reason);
    else this.#wait((reason) => controller.abort(reason));
    return controller.signal;
  }

  /** Settles as `work` does, or rejects with the reason as soon as the scope is aborted, whether or not the work heeds it. */
  race<T>(work: Promise<T>): Promise<T> {
    if (this.endless) return work;
    return new Promise((resolve, reject) => {
      if (this.#aborted) reject(this.#reason);
      const waiting = this.#wait(reject);
      // Also when the race is lost: a late rejection is nobody's surprise.
      work.then(
        (value) => {
          waiting.delete(reject);
          resolve(value);
        },
        (error: unknown) => {
          waiting.delete(reject);
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
    const waiting = outer.#wait(follow);
    this.#leave = () => waiting.delete(follow);
  }

  #wait(onAbort: OnAbort): Set<OnAbort> {
    this.#waiting ??= new Set();
    return this.#waiting.add(onAbort);
  }

  #timeOut(): void {
    this.#timedOut = !this.#aborted;
    this.abort(new DOMException('The tool took too long', 'TimeoutError'));
  }
}
