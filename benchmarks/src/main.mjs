// Runs the benchmarks named in the arguments, or all of them, and prints a table each. Nothing is asserted: ratios in one run are the point.
import { cpus } from 'node:os';
import { chatCall } from './chat-call.mjs';
import { chatStream } from './chat-stream.mjs';
import { flatSearch } from './flat-search.mjs';
import { importTime } from './import-time.mjs';
import { tokenSplit } from './token-split.mjs';

const all = {
  'chat-call': chatCall,
  'chat-stream': chatStream,
  'token-split': tokenSplit,
  'flat-search': flatSearch,
  'import-time': importTime,
};
const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'));
for (const name of wanted)
  if (!(name in all)) throw new Error(`there is no benchmark '${name}'; there are ${Object.keys(all).join(', ')}`);
console.log(`Node.js ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const [name, run] of Object.entries(all)) if (wanted.length === 0 || wanted.includes(name)) await run();
