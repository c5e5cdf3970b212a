// Runs what a test wants to happen in a process of its own.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle-program.mjs';

/** Starts the program at the file URL `entry`, bundled from sources, with `input` as JSON in its one argument. */
export async function startProgram(entry, input, told) {
  const program = await bundleProgram(fileURLToPath(entry));
  const child = spawn(process.execPath, [program, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => told?.(line));
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve();
      else reject(new Error(`the process ended with ${code ?? signal}: ${errors}`));
    });
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}

/** The same, to its end. */
export async function runProgram(entry, input) {
  const { ended } = await startProgram(entry, input);
  await ended;
}
