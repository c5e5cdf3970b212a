import { PassThrough, Writable } from 'node:stream';
import type { CliIo } from '@vernal/cli';

class Screen extends Writable {
  readonly isTTY: boolean;
  columns = 80;
  text = '';

  constructor(isTTY: boolean) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    this.emit('written');
    done();
  }
}

/** What tests hand to `runCli`: nothing of the real process is in it. */
export interface FakeIo extends CliIo {
  readonly stdin: PassThrough & { readonly isTTY: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Presses Ctrl-C as a signal; false when nobody listens, so that it would have ended the process. */
  interrupt(): boolean;
  /** Resolves once stdout holds the text this many times. */
  shown(text: string, times?: number): Promise<void>;
  /** Objects of the JSON lines on stdout. */
  json(): Record<string, unknown>[];
}

export interface FakeIoOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default false: all three are pipes. */
  readonly terminal?: boolean;
  /** What comes in on stdin; it then ends. Default: nothing comes, and it stays open. */
  readonly input?: string;
}

/** No Ollama server of the machine is asked unless a test says where one is. */
const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:9' };

export function fakeIo({ cwd, env = {}, terminal = false, input }: FakeIoOptions): FakeIo {
  const stdin = Object.assign(new PassThrough(), { isTTY: terminal });
  if (input !== undefined) stdin.end(input);
  const [stdout, stderr] = [new Screen(terminal), new Screen(terminal)];
  const listeners = new Set<() => void>();
  return {
    stdin,
    stdout,
    stderr,
    env: { ...NO_OLLAMA, ...env },
    cwd,
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    interrupt() {
      const heard = listeners.size > 0;
      for (const listener of [...listeners]) listener();
      return heard;
    },
    async shown(text, times = 1) {
      while (stdout.text.split(text).length <= times) {
        await new Promise<void>((resolve) => stdout.once('written', resolve));
      }
    },
    json() {
      return stdout.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}
