import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '@vernal/cli';
import { gate, type MockRequest, startMockServer } from '@vernal/testing/mock-server';
import { openAiEmbeddingsWire, type WireReply } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { fakeIo } from './fake-io.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const notes = { 'notes/a.md': 'The harbour of Tansy opens at six.', 'notes/b.txt': 'The mill of Corry grinds rye.' };
const question = 'When does the harbour of Tansy open?';
const ingest = ['ingest', 'notes', '--store', 'notes.vernal'];
/** As an OpenAI server embeds, with as many numbers as the embedded model gives unless told otherwise. */
function embedded({ json }: MockRequest, dimensions = 1024): WireReply {
  return openAiEmbeddingsWire.call({ ...(json as object), dimensions });
}
const custom = ['--embedding-model', 'openai:custom'];
const ask = ['ask', '--json', '--model', 'local', '--store', 'notes.vernal'];

describe('ingest', () => {
  it('makes a store that ask answers from', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    expect(await run(ingest, { cwd })).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^Ingested 2 passages of 2 files in \d+\.\d s into notes\.vernal, which holds 2 now\n$/,
      ),
      err: 'Reading 2 files\n',
      json: [],
    });
    const { json } = await run([...ask, question], { cwd });
    expect(json[0]).toMatchObject({ type: 'ready', passages: 2 });
    expect(json.at(-1)).toMatchObject({
      text: 'The harbour of Tansy opens at six. [1]',
      sources: [{ index: 1, source: 'notes/a.md', cited: true }, { index: 2 }],
    });
  });

  it('says so in JSON', async () => {
    await using folder = await temporaryFolder(notes);
    const { json, err } = await run([...ingest, '--json'], { cwd: folder.path });
    expect(err).toBe('');
    expect(json).toEqual([
      {
        type: 'ingested',
        store: 'notes.vernal',
        files: 2,
        passages: 2,
        total: 2,
        milliseconds: expect.any(Number),
        skipped: [],
        partial: [],
      },
    ]);
  });

  it('replaces what a file held before, from whatever folder it is run, and keeps the rest', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    await run(ingest, { cwd });
    await writeFile(join(cwd, 'notes/a.md'), 'The harbour of Tansy opens at nine.\n\n# Boats\n\nThere are three.');
    const again = await run(['ingest', 'a.md', '--json', '--store', '../notes.vernal'], { cwd: join(cwd, 'notes') });
    expect(again.json).toMatchObject([{ passages: 2, total: 3 }]);
    const { json } = await run([...ask, question], { cwd });
    expect(json.at(-1)).toMatchObject({ text: 'The harbour of Tansy opens at nine. [1]' });
    await run(ingest, { cwd });
    const third = await run([...ingest, '--json'], { cwd });
    expect(third.json).toMatchObject([{ passages: 3, total: 3 }]);
  });

  it('leaves out what cannot be read in a folder, keeps what the store had of it, and says why', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    await run(ingest, { cwd });
    await writeFile(join(cwd, 'notes/a.md'), Uint8Array.of(1, 0, 2));
    await writeFile(join(cwd, 'notes/b.txt'), 'The mill of Corry grinds oats.');
    const { code, out, err } = await run(ingest, { cwd });
    expect([code, out]).toEqual([1, expect.stringMatching(/^Ingested 1 passage of 1 file in .* holds 2 now\n$/)]);
    expect(err).toMatch(/^Reading 2 files\nLeft out: notes\/a\.md: it is no UTF-8 text: .*\.\n$/);
    expect((await run([...ask, question], { cwd })).json.at(-1)).toMatchObject({
      text: 'The harbour of Tansy opens at six. [1]',
    });
    expect((await run([...ask, 'What does the mill of Corry grind?'], { cwd })).json.at(-1)).toMatchObject({
      text: 'The mill of Corry grinds oats. [1]',
    });
    expect((await run([...ingest, '--json'], { cwd })).json).toMatchObject([
      { files: 1, skipped: [{ source: 'notes/a.md', reason: expect.stringMatching(/^notes\/a\.md: /) }], partial: [] },
    ]);
  });

  it('does not read the store itself, though it lies among the documents', async () => {
    await using folder = await temporaryFolder(notes);
    const args = ['ingest', 'notes', '--json', '--store', 'notes/store.json'];
    await run(args, { cwd: folder.path });
    expect((await run(args, { cwd: folder.path })).json).toMatchObject([{ files: 2, total: 2 }]);
  });

  it('adds documents to a store for one question only', async () => {
    await using folder = await temporaryFolder({ ...notes, 'c.md': 'The well of Ibsley is 70 metres deep.' });
    const cwd = folder.path;
    await run(ingest, { cwd });
    const before = await readFile(join(cwd, 'notes.vernal'));
    const { json } = await run([...ask, '--docs', 'c.md', 'How deep is the well of Ibsley?'], { cwd });
    expect(json[0]).toMatchObject({ passages: 3, files: 1 });
    expect(json.at(-1)).toMatchObject({ text: 'The well of Ibsley is 70 metres deep. [1]' });
    expect(await readFile(join(cwd, 'notes.vernal'))).toEqual(before);
  });

  it('draws a bar on a terminal and takes it away', async () => {
    await using folder = await temporaryFolder(notes);
    const io = fakeIo({ cwd: folder.path, terminal: true });
    io.stderr.columns = 30;
    expect(await runCli(ingest, io)).toBe(0);
    const [, ...drawn] = io.stderr.text.split('\r\u001B[K');
    expect(drawn.length).toBeGreaterThan(2);
    expect(drawn.some((line) => line.startsWith('█'.repeat(24)))).toBe(true);
    expect(drawn.every((line) => line.length < 30)).toBe(true);
    expect(drawn.at(-1)).toBe('');
  });
});

describe('a store that stays as it was', () => {
  /** Runs what has to fail, and looks whether anything was touched. */
  async function untouched(cwd: string, args: readonly string[], env = {}): Promise<string> {
    const names = await readdir(cwd);
    const before = await readFile(join(cwd, 'notes.vernal'));
    const { code, out, err } = await run(args, { cwd, env });
    expect([code, out]).toEqual([expect.any(Number), '']);
    expect(code).toBeGreaterThan(0);
    expect(err.replace(/^Reading .*\n/, '')).toMatch(/^[^\n]+\.\n$/);
    expect(await readFile(join(cwd, 'notes.vernal'))).toEqual(before);
    expect(await readdir(cwd)).toEqual(names);
    return err;
  }

  it('when it was made with another embedding model', async () => {
    await using folder = await temporaryFolder(notes);
    await using server = await startMockServer((request) => embedded(request, 1536));
    const cwd = folder.path;
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
    const other = [...ingest, '--embedding-model', 'openai:text-embedding-3-small'];
    expect((await run(other, { cwd, env })).code).toBe(0);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      json: { model: 'text-embedding-3-small' },
      headers: { authorization: 'Bearer sk-test' },
    });
    const sentence =
      /^The store was made with another embedding model: notes\.vernal holds vectors of text-embedding-3-small and this model is vernal-words-en-\d+; write --embedding-model openai:text-embedding-3-small, or ingest the documents again into a new file\.\n$/;
    expect(await untouched(cwd, ingest)).toMatch(sentence);
    const { code, err } = await run(['ask', '--model', 'local', '--store', 'notes.vernal', question], { cwd });
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
    const same = await run([...ask, '--embedding-model', 'openai', question], { cwd, env });
    expect(same.json.at(-1)).toMatchObject({ text: 'The harbour of Tansy opens at six. [1]' });
  });

  it('when it was made with the embedded model and another is named', async () => {
    await using folder = await temporaryFolder(notes);
    await using server = await startMockServer((request) => embedded(request));
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
    await run(ingest, { cwd: folder.path });
    expect(await untouched(folder.path, [...ingest, ...custom], env)).toMatch(
      /^The store was made with another embedding model: notes\.vernal holds vectors of vernal-words-en-\d+ and this model is custom; write --embedding-model local, or leave that option out, or ingest the documents again into a new file\.\n$/,
    );
  });

  it('when the same name stands for a model of other dimensions, which no option mends', async () => {
    await using folder = await temporaryFolder(notes);
    let dimensions = 8;
    await using server = await startMockServer((request) => embedded(request, dimensions));
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test' };
    await run([...ingest, ...custom], { cwd: folder.path, env });
    dimensions = 9;
    expect(await untouched(folder.path, [...ingest, ...custom], env)).toMatch(
      /holds vectors of 8 dimensions and this model makes 9; ingest the documents again into a new file\.\n$/,
    );
  });

  it.each(['my precious letters', '{}', '', 'VERNAL'])('when it is no store but %j', async (content) => {
    await using folder = await temporaryFolder({ ...notes, 'notes.vernal': content });
    expect(await untouched(folder.path, ingest)).toBe('notes.vernal is not a store of Vernal: name another file.\n');
    expect(await run(ingest, { cwd: folder.path })).toMatchObject({ code: 2 });
  });

  it('when it is damaged', async () => {
    await using folder = await temporaryFolder(notes);
    await run(ingest, { cwd: folder.path });
    const whole = await readFile(join(folder.path, 'notes.vernal'));
    await writeFile(join(folder.path, 'notes.vernal'), whole.subarray(0, whole.length - 10));
    expect(await untouched(folder.path, ingest)).toMatch(/^notes\.vernal is no store that can be read/);
  });

  it('when a document that is named, or each of a folder, cannot be read', async () => {
    await using folder = await temporaryFolder(notes);
    await run(ingest, { cwd: folder.path });
    const broken = Uint8Array.of(1, 0, 2);
    await writeFile(join(folder.path, 'notes/c.txt'), broken);
    const named = ['ingest', 'notes', 'notes/c.txt', ...ingest.slice(2)];
    expect(await untouched(folder.path, ['ingest', 'notes/c.txt', ...ingest.slice(2)])).toMatch(
      /notes\/c\.txt: it is no UTF-8 text/,
    );
    expect(await untouched(folder.path, named)).toMatch(/notes\/c\.txt: it is no UTF-8 text/);
    for (const name of ['a.md', 'b.txt']) await writeFile(join(folder.path, 'notes', name), broken);
    expect(await untouched(folder.path, ingest)).toMatch(/notes\/a\.md: it is no UTF-8 text/);
  });

  it('when the key is refused in the middle', async () => {
    await using folder = await temporaryFolder(notes);
    await using server = await startMockServer((request, position) =>
      position < 2 ? embedded(request) : openAiEmbeddingsWire.error('authentication'),
    );
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-secret' };
    await run([...ingest, ...custom], { cwd: folder.path, env });
    const err = await untouched(folder.path, [...ingest, ...custom], env);
    expect(err).toMatch(
      /The key was refused by OpenAI \(401.*\): check OPENAI_API_KEY, or take another model with --embedding-model\.\n$/,
    );
    expect(err).not.toContain('sk-');
  });

  it('when Ctrl-C stops it in the middle', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    const hold = gate();
    let probe = Number.POSITIVE_INFINITY;
    await using server = await startMockServer((request, position) => ({
      ...embedded(request),
      ...(position > probe && { hold }),
    }));
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-test' };
    await run([...ingest, ...custom], { cwd, env });
    probe = server.requests.length;
    const before = await readFile(join(cwd, 'notes.vernal'));
    await writeFile(join(cwd, 'notes/a.md'), 'Changed meanwhile.');
    const io = fakeIo({ cwd, env });
    const code = runCli([...ingest, ...custom], io);
    await hold.reached;
    expect(io.interrupt()).toBe(true);
    expect(await code).toBe(130);
    expect(io.stderr.text).toMatch(/\nStopped\.\n$/);
    expect(await readFile(join(cwd, 'notes.vernal'))).toEqual(before);
    expect((await readdir(cwd)).sort()).toEqual(['notes', 'notes.vernal']);
    // The second time nobody listens: the process would end at once.
    expect(io.interrupt()).toBe(false);
  });
});

describe('a place where no store can be', () => {
  it.each([
    ['notes', /^notes is a folder: --store takes a file\.\n$/],
    ['missing/a.vernal', /^There is no folder for missing\/a\.vernal: make it first, or name another place/],
  ])('%s', async (store, sentence) => {
    await using folder = await temporaryFolder(notes);
    const { code, err } = await run(['ingest', 'notes', '--store', store], { cwd: folder.path });
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
  });

  it.each([['ask', question], ['chat']])('tells %s that a store is empty', async (command, ...words) => {
    await using folder = await temporaryFolder({ ...notes, 'e.json': '{}' });
    const { code, out, err } = await run([command, '--model', 'local', '--store', 'e.json', ...words], {
      cwd: folder.path,
      input: '',
    });
    expect([code, out, err]).toEqual([2, '', 'The store e.json is empty: ingest documents first.\n']);
  });

  it('tells how to make the store that ask was to read', async () => {
    await using folder = await temporaryFolder(notes);
    const { code, err } = await run(['ask', '--model', 'local', '--store', 'a.vernal', question], { cwd: folder.path });
    expect([code, err]).toEqual([
      2,
      "There is no store at a.vernal: make one with 'vernal ingest PATH… --store FILE'.\n",
    ]);
  });
});
