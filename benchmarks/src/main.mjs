// Runs the benchmarks named in the arguments, or all of them, and prints a table each. Nothing is asserted: ratios in one run are the point.
import { cpus, loadavg } from 'node:os';
import { chatCall } from './chat-call.mjs';
import { chatStream } from './chat-stream.mjs';
import { filterParse } from './filter-parse.mjs';
import { firstCall } from './first-call.mjs';
import { flatSearch } from './flat-search.mjs';
import { httpCall } from './http-call.mjs';
import { importTime } from './import-time.mjs';
import { ingestFolder } from './ingest-folder.mjs';
import { keywordSearch } from './keyword-search.mjs';
import { mcpCall } from './mcp-call.mjs';
import { memory } from './memory.mjs';
import { memoryStores } from './memory-stores.mjs';
import { pdfRead } from './pdf-read.mjs';
import { pgvectorInsert } from './pgvector-insert.mjs';
import { ragPipeline } from './rag-pipeline.mjs';
import { readerSpeed } from './reader-speed.mjs';
import { tokenSplit } from './token-split.mjs';
import { toolRound } from './tool-round.mjs';

const all = {
  'chat-call': chatCall,
  'chat-stream': chatStream,
  'tool-round': toolRound,
  'http-call': httpCall,
  'mcp-call': mcpCall,
  memory,
  'memory-stores': memoryStores,
  'token-split': tokenSplit,
  'flat-search': flatSearch,
  'keyword-search': keywordSearch,
  'filter-parse': filterParse,
  'ingest-folder': ingestFolder,
  'pgvector-insert': pgvectorInsert,
  'pdf-read': pdfRead,
  'reader-speed': readerSpeed,
  'rag-pipeline': ragPipeline,
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
