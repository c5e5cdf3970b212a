import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalEmbeddingModel } from '@vernal/model-local';
import { fileResource } from '@vernal/node';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { kindOf, madeFiles, realOfficeFiles, realTexts } from './real-files.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

interface Report {
  readonly added: number;
  readonly total: number;
  readonly skipped: readonly { readonly source: string; readonly reason: string }[];
  readonly partial: readonly { readonly source: string; readonly reason: string }[];
}

/** Every text that a store holds, with the file and the page that it is from, in order. */
async function textsOf(path: string): Promise<string[]> {
  await using store = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
  await store.load(fileResource(path));
  const found = await store.similaritySearch({
    query: 'anything',
    topK: Math.max(1, store.size),
    similarityThreshold: 0,
  });
  return found
    .map(({ text, metadata }) => `${String(metadata['source'])} ${String(metadata['page_number'])}: ${text}`)
    .sort();
}

/** '12 .md, 3 .pdf' */
function byKind(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(kindOf(name), (counts.get(kindOf(name)) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

describe('ingest --sync of a folder of all kinds of real files', () => {
  it('reads them, leaves out what is none, and comes to the same end after a kill', {
    timeout: 300_000,
  }, async ({ annotate }) => {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    const texts = await realTexts(500);
    expect(texts.length).toBe(500);
    const office = await realOfficeFiles();
    const made = await madeFiles([...texts, ...office]);
    const files = [...made, ...office, ...texts].map(({ name, bytes }, at) => ({
      source: `files/${at % 10}/${at}-${name}`,
      name,
      bytes,
    }));
    for (const { source, bytes } of files) {
      await mkdir(dirname(join(cwd, source)), { recursive: true });
      await writeFile(join(cwd, source), bytes);
    }

    const ingest = (store: string): string[] => ['ingest', 'files', '--json', '--sync', '--store', store];
    const whole = (await run(ingest('whole.vernal'), { cwd })).json[0] as unknown as Report;
    const leftOut = new Map(whole.skipped.map(({ source, reason }) => [source, reason]));
    const read = files.filter(({ source }) => !leftOut.has(source)).map(({ name }) => name);
    await annotate(`Read: ${byKind(read)}`);
    for (const { reason } of whole.skipped) await annotate(`Left out: ${reason}`);
    for (const { reason } of whole.partial) await annotate(`Read in part: ${reason}`);
    expect(whole.added + leftOut.size).toBe(files.length);
    expect(whole.added).toBeGreaterThan(470);
    for (const [source, reason] of leftOut) expect(reason).toContain(`${source}: `);
    // Each reason says what to do; this is that of files whose fault nobody knows.
    expect([...leftOut.values()].filter((reason) => reason.includes('it cannot be read'))).toEqual([]);
    for (const kind of ['.pdf', '.docx', '.pptx', '.xlsx', '.odt', '.odp', '.ods', '.rtf', '.epub', '.eml', '.csv'])
      expect(read.map(kindOf)).toContain(kind);
    const reasonFor = (name: string): string | undefined =>
      leftOut.get(files.find((file) => file.name === name)?.source ?? '');
    expect(reasonFor('encrypted-aes256.pdf')).toMatch(/: it is encrypted: save it without a password\.$/);
    expect(reasonFor('encrypted-rc4.pdf')).toMatch(/: it is encrypted: save it without a password\.$/);
    expect(reasonFor('scan.pdf')).toMatch(/: it holds no text, only pictures .*\(OCR\)/);
    for (const name of ['cut.pdf', 'cut.docx']) expect(reasonFor(name)).toMatch(/: it is damaged or cut/);
    expect(reasonFor('cut.json')).toMatch(/is not valid JSON/);
    expect(whole.partial.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(/torn-page\.pdf: page 2 is damaged/),
    );

    const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, ...ingest('killed.vernal')], { cwd, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // A PDF is in the ledger: it is in the middle of its work.
    while (!(await readFile(join(cwd, 'killed.vernal.ledger'), 'utf8').catch(() => '')).includes('.pdf')) {
      if (child.exitCode !== null) throw new Error('it ended before it could be killed');
      await new Promise((resolve) => setImmediate(resolve));
    }
    child.kill('SIGKILL');
    await ended;
    const again = (await run(ingest('killed.vernal'), { cwd })).json[0] as unknown as Report;
    expect(again.total).toBe(whole.total);
    expect(again.skipped).toEqual(whole.skipped);
    expect(await textsOf(join(cwd, 'killed.vernal'))).toEqual(await textsOf(join(cwd, 'whole.vernal')));
  });
});
