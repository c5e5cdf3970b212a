import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const notes = { 'notes/a.md': 'The harbour of Tansy opens at six.', 'notes/b.txt': 'The mill of Corry grinds rye.' };
const sync = ['ingest', 'notes', '--store', 'notes.vernal', '--sync'];
const question = 'When does the harbour of Tansy open?';

describe('ingest --sync', () => {
  it('reads what has changed, deletes what is gone, and says so', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    expect(await run(sync, { cwd })).toEqual({
      code: 0,
      out: 'Files: 2 new, 0 changed, 0 unchanged, 0 gone; notes.vernal holds 2 passages now\n',
      err: 'Reading 2 files\n',
      json: [],
    });
    await writeFile(join(cwd, 'notes/a.md'), 'The harbour of Tansy opens at nine.');
    await rm(join(cwd, 'notes/b.txt'));
    await writeFile(join(cwd, 'notes/c.csv'), 'flower,price\nrose,5\n');
    const { json } = await run([...sync, '--json'], { cwd });
    expect(json).toEqual([
      {
        type: 'synced',
        store: 'notes.vernal',
        total: 2,
        added: 1,
        changed: 1,
        unchanged: 0,
        removed: 1,
        written: 2,
        skipped: [],
        partial: [],
      },
    ]);
    const asked = await run(['ask', '--json', '--model', 'local', '--store', 'notes.vernal', question], { cwd });
    expect(asked.json.at(-1)).toMatchObject({ text: 'The harbour of Tansy opens at nine. [1]' });
    expect((await run([...sync, '--json'], { cwd })).json).toMatchObject([{ unchanged: 2, written: 0, total: 2 }]);
  });

  it('leaves alone what lies elsewhere', async () => {
    await using folder = await temporaryFolder({ ...notes, 'more/c.md': 'The well of Ibsley is 70 metres deep.' });
    const cwd = folder.path;
    await run(sync, { cwd });
    const more = ['ingest', 'more', '--json', '--store', 'notes.vernal', '--sync'];
    expect((await run(more, { cwd })).json).toMatchObject([{ added: 1, removed: 0, total: 3 }]);
    await rm(join(cwd, 'notes/b.txt'));
    expect((await run([...sync, '--json'], { cwd })).json).toMatchObject([{ removed: 1, total: 2 }]);
  });

  it('leaves out what cannot be read, keeps what the store had of it, and says why', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    await run(sync, { cwd });
    await writeFile(join(cwd, 'notes/b.txt'), new Uint8Array([0x4d, 0, 0xff, 0xfe, 0, 0]));
    // What it is counts, and not what it is called.
    await writeFile(join(cwd, 'notes/c.docx'), 'A text by the name of a Word document.');
    await writeFile(join(cwd, 'notes/d.json'), '{');
    const { code, out, err } = await run(sync, { cwd });
    expect(code).toBe(1);
    expect(out).toBe('Files: 1 new, 0 changed, 1 unchanged, 0 gone, 2 left out; notes.vernal holds 3 passages now\n');
    expect(err).toMatch(/^Left out: notes\/b\.txt: it is no UTF-8 text/m);
    expect(err).toMatch(/^Left out: notes\/d\.json: .*JSON/m);
  });

  it('takes no store that was made without it, nor lets one be changed without it', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    const plain = sync.slice(0, -1);
    await run(plain, { cwd });
    expect(await run(sync, { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('was made without --sync'),
    });
    const other = [...plain.slice(0, -1), 'other.vernal'];
    await run([...other, '--sync'], { cwd });
    expect(await run(other, { cwd })).toMatchObject({ code: 2, err: expect.stringContaining('add --sync') });
  });

  it('begins anew when the store is gone', async () => {
    await using folder = await temporaryFolder(notes);
    const cwd = folder.path;
    await run(sync, { cwd });
    await rm(join(cwd, 'notes.vernal'));
    expect((await run([...sync, '--json'], { cwd })).json).toMatchObject([{ added: 2, total: 2 }]);
  });
});
