// What is downloaded once and kept: outside of the workspace, for a server that must not run as root has to be able to read it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify, stripVTControlCharacters } from 'node:util';

const run = promisify(execFile);
const cache = join(tmpdir(), `vernal-services-${userInfo().uid}`);

/**
 * The folder of that name. Where it is not there yet, `fill` makes its contents in a work folder, three times at the most: a registry that
 * does not answer once is no reason to have no engine. Throws with the last reason, in one line.
 */
export async function cached(name, fill) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const work = `${folder}.${process.pid}`;
  for (let tries = 1; ; tries += 1) {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    try {
      await fill(work);
      // Another run may have been quicker.
      if (!existsSync(folder)) renameSync(work, folder);
      return folder;
    } catch (error) {
      if (tries === 3 || error.final) throw new Error(`${name} cannot be had: ${error.message}`);
      await sleep(tries * 1_000);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

/** What a program printed that got `input`. Throws with the line that says why it failed; `final` where no second try can help. */
export async function output(command, args, { timeoutMs = 300_000, input, ...options } = {}) {
  const running = run(command, args, { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 << 20, ...options });
  // It may end before it has read all: why, is what counts.
  running.child.stdin?.on('error', () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    if (error.code === 'ENOENT') throw Object.assign(new Error(`there is no ${command}`), { final: true });
    if (error.killed) throw new Error(`${command} took more than ${timeoutMs / 1_000} s`);
    const lines = stripVTControlCharacters(`${error.stdout ?? ''}\n${error.stderr ?? ''}`)
      .trim()
      .split('\n');
    const reason = lines.find((line) => /(?:^|\[)\W*(?:error|fatal|E:)/i.test(line)) ?? lines.at(-1);
    throw new Error(`${command}: ${reason || error.message}`.slice(0, 300));
  }
}
