// How long a fresh process takes to import an entry point, and what it weighs, over a process that imports a module that is there already.
import { inFreshProcesses, medianOf, peersInstalled } from './fresh-process.mjs';

export function importTime() {
  const programs = {
    'floor: an empty process': { imports: ['node:path'] },
    'vernal core': { imports: ['@vernal/core'] },
    'vernal core + client-chat': { imports: ['@vernal/core', '@vernal/client-chat'] },
    'vernal core + client-chat + vector-store': {
      imports: ['@vernal/core', '@vernal/client-chat', '@vernal/vector-store'],
    },
    ...(peersInstalled && {
      ai: { imports: ['ai'], peer: true },
      'langchain core': {
        imports: ['@langchain/core/language_models/chat_models', '@langchain/core/prompts'],
        peer: true,
      },
    }),
  };
  const found = inFreshProcesses(programs);
  const [floor] = found.values();
  const empty = medianOf(floor, 'process');
  const rows = [...found].map(([contestant, runs]) => ({
    contestant,
    'x floor': Number((medianOf(runs, 'process') / empty).toPrecision(3)),
    'ms over it': Number((medianOf(runs, 'process') - empty).toFixed(1)),
    'MB over it': Number((medianOf(runs, 'megabytes') - medianOf(floor, 'megabytes')).toFixed(1)),
  }));
  console.log(`\nImport, whole processes (an empty one: ${empty.toFixed(1)} ms)`);
  console.table(rows);
  return rows;
}
