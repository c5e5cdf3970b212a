// How long a fresh process takes to import an entry point, over an empty process.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compare } from './measure.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const peers = fileURLToPath(new URL('../peers/', import.meta.url));

function start(cwd, ...specifiers) {
  const code = specifiers.map((name) => `await import('${name}');`).join('') || '0';
  return () => {
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stderr);
  };
}

export async function importTime() {
  const contestants = {
    'floor: an empty process': start(here),
    'vernal core + client-chat': start(here, '@vernal/core', '@vernal/client-chat'),
    'vernal core + client-chat + vector-store': start(
      here,
      '@vernal/core',
      '@vernal/client-chat',
      '@vernal/vector-store',
    ),
  };
  if (existsSync(`${peers}node_modules`)) {
    contestants['zod'] = start(peers, 'zod');
    contestants['ai'] = start(peers, 'ai');
    contestants['langchain core'] = start(
      peers,
      '@langchain/core/language_models/chat_models',
      '@langchain/core/prompts',
    );
  }
  const rows = await compare('Import, in ms of a whole process', contestants, { operations: 1, rounds: 9, unit: 'ms' });
  for (const row of rows.slice(1))
    console.log(`${row.contestant}: ${(row['ms each'] - rows[0]['ms each']).toFixed(1)} ms over an empty process`);
  return rows;
}
