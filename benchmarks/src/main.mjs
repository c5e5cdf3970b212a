// Runs the benchmarks named in the arguments, or all of them, and prints a table each. Nothing is asserted: ratios in one run are the point.
import { cpus, loadavg } from 'node:os';
import { chatCall } from './chat-call.mjs';
import { chatStream } from './chat-stream.mjs';
import { firstCall } from './first-call.mjs';
import { flatSearch } from './flat-search.mjs';
import { importTime } from './import-time.mjs';
import { memory } from './memory.mjs';
import { tokenSplit } from './token-split.mjs';
import { toolRound } from './tool-round.mjs';

const all = {
  'chat-call': chatCall,
  'chat-stream': chatStream,
  'tool-round': toolRound,
  memory,
  'token-split': tokenSplit,
  'flat-search': flatSearch,
  'import-time': importTime,
  'first-call': firstCall,
};
const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'));
for (const name of wanted)
  if (!(name in all)) throw new Error(`there is no benchmark '${name}'; there are ${Object.keys(all).join(', ')}`);
console.log(
  `Node.js ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}, load ${loadavg()[0].toFixed(1)}`,
);
for (const [name, run] of Object.entries(all)) if (wanted.length === 0 || wanted.includes(name)) await run();
