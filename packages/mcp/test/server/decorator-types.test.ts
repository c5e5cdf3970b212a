import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const compiler = fileURLToPath(new URL('../../../../node_modules/tsgo/bin/tsc', import.meta.url));

/** What the compiler has to say; an unused `@ts-expect-error` is an error of its own. */
function typeErrors(config: string): Promise<string> {
  const path = fileURLToPath(new URL(config, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', path, '--noEmit'], (error, stdout, stderr) =>
      resolve(error === null ? stdout : `${error.message}${stdout}${stderr}`),
    );
  });
}

describe('the types of decorators', () => {
  it.each(['stage-3', 'legacy'])(
    '%s: take what fits and refuse what does not',
    { timeout: 120_000 },
    async (dialect) => {
      expect(await typeErrors(`./tsconfig.${dialect}.json`)).toBe('');
    },
  );
});
