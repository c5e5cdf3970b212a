import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { engine } from '../../../scripts/services/engine.mjs';

const folder = mkdtempSync(join(tmpdir(), 'vernal-resume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const engines = ['postgres', 'mariadb', 'redis', 'mongo', 'neo4j', 'cassandra'].map((name) => ({
  name,
  ...engine(name),
}));

describe('a conversation goes on after its process was killed', () => {
  it.each(
    [{ name: 'sqlite', url: `sqlite:${folder}/memory.db` }, ...engines].flatMap((one) => ('url' in one ? [one] : [])),
  )('on $name', { timeout: 180_000 }, async ({ url }) => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, url], { cwd: folder });
    expect(stdout.trim().split('\n')).toEqual([
      'One process: Your number is F-1740.',
      'It is killed.',
      'Another process, shown 5 messages: Your number is F-1740.',
    ]);
  });
  for (const one of engines) if ('reason' in one) it.skip(`on ${one.name} (skipped: ${one.reason})`);
});
