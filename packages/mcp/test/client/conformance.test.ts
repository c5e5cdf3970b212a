import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../../scripts/bundle-program.mjs';
import { PEERS_HINT, peer } from '../mcp-peers.js';

const LIMIT = 300_000;
const node = peer('node');
const suite = peer('conformance');

/** It goes by the clock, to a fifth of a second: asked again, alone, on a machine that was too busy. */
const BY_THE_CLOCK = 'sse-retry';
const TRIES = 5;

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const program = await bundleProgram(file('./conformance-client.ts'));
  const all = [suite ?? '', 'client', '--command', `${process.execPath} ${program}`, '--timeout', '120000', ...args];
  return await new Promise((resolve) => {
    execFile(node ?? '', all, { maxBuffer: 64 * 1024 * 1024, timeout: LIMIT }, (error, output) =>
      resolve({ code: error === null ? 0 : 1, output }),
    );
  });
}

test.skipIf(node === undefined || suite === undefined)(
  `the official conformance suite for clients: only what conformance-failures.yml lists fails, and all of that ${PEERS_HINT}`,
  { timeout: LIMIT },
  async () => {
    const { output } = await run('--suite', 'all');
    const results = [...output.matchAll(/^([✓✗]) ([\w./-]+):/gm)].map(([, mark, name]) => ({
      failed: mark === '✗',
      name,
    }));
    expect(results.length, output).toBeGreaterThanOrEqual(26);
    let failed = results.filter((one) => one.failed).map(({ name }) => name);
    for (let tries = 0; failed.includes(BY_THE_CLOCK) && tries < TRIES; tries++) {
      const { code } = await run('--scenario', BY_THE_CLOCK);
      if (code === 0) failed = failed.filter((name) => name !== BY_THE_CLOCK);
    }
    const listed = [...(await readFile(file('./conformance-failures.yml'), 'utf8')).matchAll(/^ {2}- (\S+)$/gm)];
    expect(failed, output).toEqual(listed.map(([, name]) => name));
  },
);
