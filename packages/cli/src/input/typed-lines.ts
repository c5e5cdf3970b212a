import { createInterface } from 'node:readline';
import type { CliIo } from '../cli-io.js';
import { printable } from '../output/write-line.js';
import type { LineSource } from './line-source.js';
import { PromptOutput } from './prompt-output.js';
import { isYes } from './typed-answer.js';

const PROMPT = '> ';

/**
 * Lines that somebody types at a terminal, behind a prompt. While a line is being dealt with nothing is echoed: what is typed meanwhile
 * stands behind the next prompt. The terminal then sends Ctrl-C as a key, so it comes here and not as a signal.
 */
export function typedLines(io: CliIo, onInterrupt: () => void): LineSource {
  const output = new PromptOutput(io.stdout);
  const editor = createInterface({ input: io.stdin, output, prompt: PROMPT, terminal: true });
  // What is typed before the first prompt is kept from here on.
  const typed = editor[Symbol.asyncIterator]();
  /** For each line that is waiting: was it typed or pasted when nobody could see it next to its answer? */
  const early: boolean[] = [];
  editor.on('line', () => early.push(output.muted || early.length > 0));
  editor.on('SIGINT', onInterrupt);
  /** Ctrl-D closes it even while a line is being dealt with; newer versions of Node.js throw when a closed one is asked for more. */
  let closed = false;
  editor.once('close', () => {
    closed = true;
  });

  const showPrompt = (): void => {
    if (closed) return;
    output.muted = false;
    io.stdout.write('\n');
    editor.prompt(true);
  };
  async function* lines(): AsyncGenerator<string> {
    showPrompt();
    for await (const line of typed) {
      output.muted = true;
      if (early.shift()) io.stdout.write(`\n${PROMPT}${printable(line)}\n`);
      yield line;
      if (early.length === 0) showPrompt();
    }
    io.stdout.write('\n');
  }
  return {
    lines,
    interrupt() {
      if (closed) return;
      if (editor.line === '') editor.close();
      else {
        editor.write(null, { ctrl: true, name: 'e' });
        editor.write(null, { ctrl: true, name: 'u' });
      }
    },
    confirm(question, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const settle = (): void => {
          output.muted = true;
          signal.removeEventListener('abort', stop);
          editor.off('close', refuse);
        };
        const stop = (): void => {
          settle();
          reject(signal.reason);
        };
        const refuse = (): void => {
          settle();
          resolve(false);
        };
        if (closed) return resolve(false);
        signal.addEventListener('abort', stop, { once: true });
        editor.once('close', refuse);
        output.muted = false;
        io.stdout.write('\n');
        // With the signal the editor gives the next line to the conversation again.
        editor.question(question, { signal }, (line) => {
          settle();
          resolve(isYes(line));
        });
      });
    },
    close() {
      editor.close();
      output.destroy();
    },
  };
}
