import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { engine } from '../../../scripts/services/engine.mjs';

const found = engine('redis');
const reason = 'reason' in found ? ` (skipped: ${found.reason})` : '';

describe(`three workers, one of which is killed${reason}`, () => {
  it.runIf('url' in found)('ingest everything once', async () => {
    const url = 'url' in found ? found.url : '';
    const name = `example-${process.pid}-${Date.now().toString(36)}`;
    const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
    const folder = fileURLToPath(new URL('../../../docs', import.meta.url));
    const client = new Redis(url);
    try {
      const env = { ...process.env, REDIS_URL: url, EXAMPLE_NAME: name };
      const { stdout } = await promisify(execFile)(process.execPath, [main, folder], { env });
      const [, files] = /^(\d+) files new, 0 changed, 0 failed/m.exec(stdout) ?? [];
      expect(stdout).toContain('One of three workers is killed');
      expect(Number(files)).toBeGreaterThan(10);
      expect(stdout).toContain(`Once more: ${files} files unchanged, 0 passages written.`);
      const held = (await client.keys(`${name}:*`)).length;
      const [, written, resumed] = /(\d+) passages written, (\d+) by the one/.exec(stdout) ?? [];
      // What the victim wrote and could not tell any more is written again, over itself.
      expect(Number(written) + Number(resumed)).toBeGreaterThanOrEqual(held);
      expect(held).toBeGreaterThan(Number(files));
    } finally {
      await client.call('FT.DROPINDEX', [name, 'DD']).catch(() => undefined);
      const left = await client.keys(`*${name}*`);
      if (left.length > 0) await client.del(left);
      client.disconnect();
    }
  });
});
