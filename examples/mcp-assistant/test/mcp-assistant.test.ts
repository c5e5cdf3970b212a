import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

it('answers with the tools of three servers, over stdio and HTTP', { timeout: 120_000 }, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main]);
  expect(stdout.trim().split('\n')).toEqual([
    'handbook over stdio: search',
    'calendar over stdio: list, add',
    'weather over streamable-http: wind',
    'Asked about calendar_add: yes',
    'Yes: 12 knots of wind. In the calendar is Rowing to Skerry, number 1.',
  ]);
  expect(stderr).toMatch(/Serving \d+ passages over stdin and stdout/);
});
