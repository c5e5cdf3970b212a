import { runCli } from '@vernal/cli';
import { type FakeIoOptions, fakeIo } from './fake-io.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Objects of the JSON lines; [] without `--json`. */
  readonly json: readonly Record<string, unknown>[];
}

/** Runs the command to its end. */
export async function run(args: readonly string[], options: FakeIoOptions): Promise<Ran> {
  const io = fakeIo(options);
  const code = await runCli(args, io);
  const json = args.includes('--json') ? io.json() : [];
  return { code, out: io.stdout.text, err: io.stderr.text, json };
}
