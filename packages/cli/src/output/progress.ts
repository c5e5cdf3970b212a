import type { CliIo } from '../cli-io.js';

/** A long task's word about itself: a bar on a terminal, nothing elsewhere and without a stream. */
export interface Progress {
  show(done: number, total: number, facts: string): void;
  /** Takes the bar away. Twice is once. */
  clear(): void;
}

const BAR = 24;
const LINE_START = '\r\u001B[K';

export function progressOn(stream: CliIo['stderr'] | undefined): Progress {
  if (stream?.isTTY !== true) return { show: () => {}, clear: () => {} };
  let shown = '';
  return {
    show(done, total, facts) {
      const filled = Math.floor((done / Math.max(total, 1)) * BAR);
      const line = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done}/${total} ${facts}`;
      // A line that wraps could not be taken away again.
      const fitting = line.slice(0, Math.max((stream.columns ?? 80) - 1, 1));
      if (fitting === shown) return;
      shown = fitting;
      stream.write(LINE_START + fitting);
    },
    clear() {
      if (shown !== '') stream.write(LINE_START);
      shown = '';
    },
  };
}
