import { createInterface } from 'node:readline';
import type { CliIo } from '../cli-io.js';

/** A yes; anything else is a no. */
export function isYes(text: string): boolean {
  return /^\s*y(?:es)?\s*$/i.test(text);
}

/**
 * Asks at a terminal outside of a conversation. The terminal keeps its own line editing, so Ctrl-C stays the signal that stops the
 * program. An input that ends is a no.
 */
export function typedAnswer(io: CliIo, question: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const reader = createInterface({ input: io.stdin, terminal: false });
    const stop = (): void => {
      reject(signal.reason);
      reader.close();
    };
    signal.addEventListener('abort', stop, { once: true });
    reader.once('line', (line) => {
      resolve(isYes(line));
      reader.close();
    });
    reader.once('close', () => {
      signal.removeEventListener('abort', stop);
      resolve(false);
    });
    io.stdout.write(`\n${question}`);
  });
}
