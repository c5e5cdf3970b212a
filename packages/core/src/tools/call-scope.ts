/** What a tool call, or a round of them, runs under: a signal, and a wait that ends with it. */
export interface CallScope {
  /** Made when first asked for if nothing else can abort it. */
  readonly signal: AbortSignal;
  readonly timedOut: boolean;
  abort(reason: unknown): void;
  /** Settles as `work` does, or rejects with the signal's reason as soon as it aborts, whether or not the work heeds it. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Takes the timer and the listener away. */
  close(): void;
}

/** A scope inside `parent`, ended by it and after `timeoutMs`. With neither it costs nothing. */
export function openCallScope(parent?: AbortSignal, timeoutMs?: number): CallScope {
  let controller: AbortController | undefined;
  let timedOut = false;
  const own = (): AbortController => {
    controller ??= new AbortController();
    return controller;
  };
  const follow = (): void => own().abort(parent?.reason);
  if (parent?.aborted) follow();
  else parent?.addEventListener('abort', follow, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          own().abort(new DOMException('The tool took too long', 'TimeoutError'));
        }, timeoutMs);
  const endless = parent === undefined && timeoutMs === undefined;
  return {
    get signal() {
      return own().signal;
    },
    get timedOut() {
      return timedOut;
    },
    abort: (reason) => own().abort(reason),
    race: (work) => (endless && controller === undefined ? work : settleUnder(own().signal, work)),
    close() {
      parent?.removeEventListener('abort', follow);
      clearTimeout(timer);
    },
  };
}

function settleUnder<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    // Also after the race is lost: a late rejection is nobody's surprise.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
