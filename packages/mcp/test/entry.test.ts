import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

/** Everything from elsewhere that an entry reaches. */
async function importsOf(entry: string): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'neutral',
    external: (imported) => !/^(?:[./]|[A-Za-z]:)/.test(imported),
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].imports;
}

it('the root entry needs nothing of Node.js, the other one does', async () => {
  const root = await importsOf('../src/index.ts');
  expect(root.filter((name) => /^node:|\/node$|\/stdio$/.test(name))).toEqual([]);
  expect(root).toContain('@modelcontextprotocol/server');
  expect(await importsOf('../src/node.ts')).toContain('node:http');
});
