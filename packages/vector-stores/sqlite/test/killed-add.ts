import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const { resolve } = createRequire(import.meta.url);

/** A program of its own, that a second process can run without a compiler: `node <file> <database> <journal mode>`. */
export async function killedAdd(folder: string): Promise<string> {
  const file = join(folder, 'killed-add.mjs');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./killed-add.entry.ts', import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['@vernal/source', 'node', 'import', 'default'] },
    external: [/^node:/],
    plugins: [
      {
        name: 'native-packages-stay-outside',
        resolveId: (id) => (id === 'libsql' || id === 'sqlite-vec' ? { id: resolve(id), external: true } : undefined),
      },
    ],
  });
  try {
    await bundle.write({ file, format: 'esm', codeSplitting: false });
  } finally {
    await bundle.close();
  }
  return file;
}
