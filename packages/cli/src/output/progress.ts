import type { CliIo } from '../cli-io.js';

/** What a long task says about itself: a bar on a terminal, nothing but its last word elsewhere. */
export interface Progress {
  show(title: string, done: number, total: number): void;
  /** Takes the bar away. */
  done(): void;
}

const WIDTH = 24;

export function progressOf(io: CliIo, json: boolean): Progress {
  if (json || io.stderr.isTTY !== true) return { show: () => undefined, done: () => undefined };
  let shown = false;
  return {
    show(title, done, total) {
      const filled = Math.round((done / Math.max(total, 1)) * WIDTH);
      io.stderr.write(`\r\u001B[K${title} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`);
      shown = true;
    },
    done() {
      if (shown) io.stderr.write('\r\u001B[K');
      shown = false;
    },
  };
}
