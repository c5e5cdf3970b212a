// A folder of text files ingested, in a process of its own: how quick, and the most memory it held. Passages are cut and counted and not
// embedded, so it is the pipeline that is measured, and not a model or a store. VERNAL_BENCH_MB says how large the folder is.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MEGABYTES = Number(process.env.VERNAL_BENCH_MB ?? 128);
const WORDS = 'river boat ferry harbour lamp keeper island winter storm letter bread stone garden window bridge'.split(
  ' ',
);

/** A megabyte of sentences, different in each file. */
function page(seed) {
  const sentences = [];
  let state = seed + 1;
  for (let size = 0; size < 1024 * 1024; ) {
    const words = Array.from({ length: 14 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return WORDS[state % WORDS.length];
    });
    const sentence = `In ${state} the ${words.join(' ')}.`;
    sentences.push(sentence);
    size += sentence.length + 1;
  }
  return sentences.join('\n');
}

const SCRIPT = `
const { readdir, readFile } = await import('node:fs/promises');
const { join } = await import('node:path');
const { ingest, resourceSource, TextReader, TokenTextSplitter } = await import('@vernal/etl');
const { FileIngestLedger, fileResource, listFiles } = await import('@vernal/node');
const [folder, mode] = process.argv.slice(1);
const started = performance.now();
let passages = 0;
if (mode === 'floor') {
  for (const name of await readdir(folder)) if (name.endsWith('.txt')) passages += (await readFile(join(folder, name), 'utf8')).length > 0 ? 1 : 0;
} else {
  async function* sources() {
    for await (const path of listFiles(folder, { extensions: ['txt'] })) {
      const resource = fileResource(path);
      yield resourceSource(resource, new TextReader(resource));
    }
  }
  const target = {
    async write(documents) {
      for await (const _ of documents) passages += 1;
    },
    async delete() {},
  };
  const ledger = new FileIngestLedger(join(folder, 'ledger'));
  await ingest(sources(), { ledger, target, transform: new TokenTextSplitter({ maxNumChunks: 1_000_000 }) });
  await ledger.close();
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now() - started, cpu: (user + system) / 1000, passages, peak: process.resourceUsage().maxRSS / 1024 }));
`;

export async function ingestFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'vernal-bench-'));
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  try {
    for (let file = 0; file < MEGABYTES; file += 1) await writeFile(join(folder, `${file}.txt`), page(file));
    const rows = [];
    for (const [contestant, mode] of [
      ['floor: read the files', 'floor'],
      ['ingest, all new', 'ingest'],
      ['ingest once more, nothing changed', 'ingest'],
    ]) {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', SCRIPT, folder, mode],
        {
          cwd,
          encoding: 'utf8',
        },
      );
      if (status !== 0) throw new Error(stderr);
      const { ms, cpu, passages, peak } = JSON.parse(stdout);
      rows.push({
        contestant,
        'MB a second': Number((MEGABYTES / (ms / 1000)).toPrecision(3)),
        'CPU s': Number((cpu / 1000).toPrecision(3)),
        passages,
        'peak RSS, MB': Math.round(peak),
      });
    }
    console.log(`\nIngest of a folder, ${MEGABYTES} files of a megabyte`);
    console.table(rows);
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
