import { open, rename, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const local = ['--model', 'local', '--json'];
const binary = Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0, 1, 2, 0xff);

/** The one sentence that says so. */
async function refused(docs: readonly string[], cwd: string): Promise<string> {
  const { code, out, err } = await run(['ask', '--model', 'local', ...docs.flatMap((path) => ['--docs', path]), 'x?'], {
    cwd,
  });
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^[^\n]+[.]\n$/);
  return err;
}

describe('documents that cannot be read', () => {
  it('names a path where there is nothing', async () => {
    await using folder = await temporaryFolder({ 'a.md': 'text' });
    expect(await refused(['a.md', 'b.md'], folder.path)).toBe(
      'No document found: there is nothing at b.md; check the path.\n',
    );
    expect(await refused(['a.md/b'], folder.path)).toContain('there is nothing at a.md/b');
  });

  it('names a folder without a readable file, and what it reads', async () => {
    await using folder = await temporaryFolder({ 'empty/picture.png': binary, 'a.md': 'text' });
    const sentence = await refused(['a.md', 'empty'], folder.path);
    expect(sentence).toMatch(/^No document found: empty holds no file that ends in .*\.md.*\.docx.*; check the path/);
  });

  it('names a file that is binary, named or in a folder', async () => {
    await using folder = await temporaryFolder({ 'in/a.txt': binary, 'b.pdf': binary });
    const fix = 'it is no UTF-8 text: convert it to text or Markdown in UTF-8, or leave it out.\n';
    expect(await refused(['in'], folder.path)).toBe(`in/a.txt: ${fix}`);
    expect(await refused(['b.pdf'], folder.path)).toMatch(/^b\.pdf: nothing here reads such a file: convert it/);
  });

  it.each(['.txt', '.md', '.jsonl'])('names a %s file that is not UTF-8', async (ending) => {
    await using folder = await temporaryFolder({ [`a${ending}`]: Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65) });
    expect(await refused([`a${ending}`], folder.path)).toBe(
      `a${ending}: it is no UTF-8 text: convert it to text or Markdown in UTF-8, or leave it out.\n`,
    );
  });

  it('names the place where JSON is none, and does not quote it', async () => {
    await using folder = await temporaryFolder({
      'a.jsonl': '{"a":1}\nsecret\n',
      'b.json': '[1,secret]',
      'c.json': '{',
    });
    expect(await refused(['a.jsonl'], folder.path)).toBe(
      'a.jsonl: line 2 is not valid JSON: correct it, or rename the file to .txt.\n',
    );
    expect(await refused(['b.json'], folder.path)).toMatch(/^b\.json: .*is not valid JSON/);
    expect(await refused(['c.json'], folder.path)).toMatch(/^c\.json: .*is not valid JSON/);
  });

  it('names a line or an entry that is too long or too deep', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    await using folder = await temporaryFolder({
      'a.jsonl': `{}\n"${'x'.repeat(17_000_000)}"\n`,
      'b.json': `[{}, ${deep}]`,
    });
    expect(await refused(['a.jsonl'], folder.path)).toBe('a.jsonl: line 2 is too large, or unpacks to too much.\n');
    expect(await refused(['b.json'], folder.path)).toMatch(/^b\.json: entry 2 (?:nests too deep|is not valid JSON)/);
  });

  it('names a file that cannot be opened', async () => {
    await using folder = await temporaryFolder();
    const socket = createServer().listen(join(folder.path, 'a.md'));
    await new Promise((resolve) => socket.once('listening', resolve));
    try {
      expect(await refused(['a.md'], folder.path)).toBe('a.md: it cannot be read: check the file, or leave it out.\n');
    } finally {
      socket.close();
    }
  });

  it('refuses files that all are empty', async () => {
    await using folder = await temporaryFolder({ 'a.md': '', 'b.txt': ' \n', 'c.html': '<p></p>', 'd.jsonl': '\n' });
    expect(await refused(['.'], folder.path)).toBe('No document found: the files hold no text; name files that do.\n');
  });

  it('refuses a file that would not fit into memory before it reads any', async () => {
    await using folder = await temporaryFolder();
    const file = await open(join(folder.path, 'huge.txt'), 'w');
    await file.truncate(3_000_000_000);
    await file.close();
    expect(await refused(['huge.txt'], folder.path)).toBe(
      'huge.txt is larger than 256 MB: split it, or leave it out.\n',
    );
  });
});

describe('documents that are read', () => {
  const ready = async (cwd: string, ...docs: string[]): Promise<unknown> =>
    (await run(['ask', ...local, ...docs.flatMap((path) => ['--docs', path]), 'x?'], { cwd })).json[0];

  it('counts a file once, whatever ways lead to it', async () => {
    await using folder = await temporaryFolder({ 'in/a.md': 'One.', 'b.txt': 'Two.' });
    await symlink('in', join(folder.path, 'same'));
    await symlink('b.txt', join(folder.path, 'link.txt'));
    expect(
      await ready(folder.path, 'in', './in/a.md', join(folder.path, 'in'), 'same', 'b.txt', 'link.txt'),
    ).toMatchObject({ files: 2, passages: 2 });
  });

  it('follows links and ends in a circle of them', async () => {
    await using folder = await temporaryFolder({ 'in/a.md': 'One.', 'other/b.md': 'Two.' });
    await symlink('../other', join(folder.path, 'in/away'));
    await symlink('..', join(folder.path, 'other/back'));
    expect(await ready(folder.path, 'in')).toMatchObject({ files: 2 });
  });

  it('reads each kind by its reader, and names the place in it', async () => {
    const facts: Readonly<Record<string, string>> = {
      'a.md': '# Trees\r\n\r\n## Height\r\n\r\nThe wollemi tree grows to 40 metres.\r\n',
      'b.html': '<title>T</title><h1>Boats</h1><p>The boat of Yrsa carries 12 barrels.</p>',
      'c d/é.txt': '\uFEFFThe clock of Brindle strikes 13 times.',
      'e.json': '[{"name":"first"},{"name":"Quoll","food":"Quoll eats 7 beetles."}]',
      'f.jsonl': '"nothing here"\r\n"The bridge of Marn has 5 arches."\r\n',
      notes: 'The kiln of Osk reaches 900 degrees.',
    };
    await using folder = await temporaryFolder(facts);
    const questions = [
      'How high does the wollemi tree grow?',
      'How many barrels does the boat of Yrsa carry?',
      'How many times does the clock of Brindle strike?',
      'How many beetles does Quoll eat?',
      'How many arches has the bridge of Marn?',
      'How many degrees does the kiln of Osk reach?',
    ];
    const { json } = await run(['ask', ...local, '--docs', '.', '--docs', 'notes', ...questions], { cwd: folder.path });
    const answers = json.filter(({ type }) => type === 'answer');
    expect(answers.map(({ text, sources }) => [text, citedIn(sources)])).toEqual([
      [expect.stringContaining('40 metres'), [['a.md', 'Trees › Height']]],
      [expect.stringContaining('12 barrels'), [['b.html', 'Boats']]],
      [expect.stringContaining('13 times'), [['c d/é.txt', undefined]]],
      [expect.stringContaining('7 beetles'), [['e.json', 'entry 2']]],
      [expect.stringContaining('5 arches'), [['f.jsonl', 'line 2']]],
      [expect.stringContaining('900 degrees'), [['notes', undefined]]],
    ]);
  });

  it('names sources relative to the working folder, and in full outside of it', async () => {
    await using folder = await temporaryFolder({ 'work/in/a.md': 'The colour of the sea is green.', 'b.md': 'Other.' });
    const cwd = join(folder.path, 'work');
    const ask = (path: string, question: string): ReturnType<typeof run> =>
      run(['ask', ...local, '--docs', path, question], { cwd });
    expect((await ask('in', 'What is the colour of the sea?')).json.at(-1)).toMatchObject({
      sources: [{ index: 1, source: 'in/a.md', cited: true }],
    });
    await rename(join(cwd, 'in/a.md'), join(folder.path, 'c.md'));
    expect((await ask('../c.md', 'What is the colour of the sea?')).json.at(-1)).toMatchObject({
      sources: [{ source: join(folder.path, 'c.md') }],
    });
  });

  it('reads a long line and a long file', async () => {
    const filler = 'Nothing of interest stands here, and nothing else either. ';
    await using folder = await temporaryFolder({
      'long.txt': `${filler.repeat(4_000)}The password of the tower is Zyxomma.\n${filler.repeat(4_000)}`,
    });
    const { json } = await run(['ask', ...local, '--docs', '.', 'What is the password of the tower?'], {
      cwd: folder.path,
    });
    expect(json.at(-1)).toMatchObject({ type: 'answer', text: expect.stringContaining('Zyxomma') });
  });
});

function citedIn(sources: unknown): (readonly [source: unknown, title: unknown])[] {
  const all = sources as { readonly source: string; readonly title?: string; readonly cited: boolean }[];
  return all.filter(({ cited }) => cited).map(({ source, title }) => [source, title] as const);
}
