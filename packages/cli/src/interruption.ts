import type { CliIo } from './cli-io.js';

/** Whom Ctrl-C stops: the program, unless a conversation has taken it over. */
export interface Interruption {
  /** Aborted by a Ctrl-C that stops the program. */
  readonly signal: AbortSignal;
  /** From now on Ctrl-C calls the handler instead, until what this gives back is called. */
  takeOver(handler: () => void): () => void;
  close(): void;
}

export function listenForInterrupts(io: CliIo): Interruption {
  const stop = new AbortController();
  let handler: (() => void) | undefined;
  const close = io.onInterrupt(() => {
    if (handler !== undefined) {
      handler();
      return;
    }
    stop.abort();
    // Whoever presses Ctrl-C again does not want to wait: without a listener it ends the process at once.
    close();
  });
  return {
    signal: stop.signal,
    takeOver(next) {
      handler = next;
      return () => {
        handler = undefined;
      };
    },
    close,
  };
}
