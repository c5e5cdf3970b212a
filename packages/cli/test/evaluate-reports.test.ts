import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { handbook, jsonLines, questions } from './handbook.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const files = { ...handbook, 'q.jsonl': jsonLines(questions) };
const local = ['eval', 'q.jsonl', '--docs', 'handbook', '--model', 'local'];

describe('reports of eval', () => {
  const contents = ['31 days', 'canteen', 'How many days', 'When is lunch'];

  it('are JSON and one page, without contents', async () => {
    await using folder = await temporaryFolder(files);
    const { code, err, out } = await run([...local, '--out', 'r'], { cwd: folder.path });
    expect(code).toBe(0);
    expect(err).toMatch(/\nWrote r\.json and r\.html\n$/);
    expect(out).not.toContain('r.json');
    const json = await readFile(join(folder.path, 'r.json'), 'utf8');
    const html = await readFile(join(folder.path, 'r.html'), 'utf8');
    expect(JSON.parse(json)).toMatchObject({ version: 1, name: 'r', cases: [{ id: 'leave' }, { id: 'lunch' }] });
    expect(html).toContain('<title>r</title>');
    for (const content of contents) expect(json + html).not.toContain(content);
  });

  it('hold contents with --contents', async () => {
    await using folder = await temporaryFolder(files);
    await run([...local, '--out', 'r', '--contents'], { cwd: folder.path });
    const json = await readFile(join(folder.path, 'r.json'), 'utf8');
    const html = await readFile(join(folder.path, 'r.html'), 'utf8');
    for (const content of contents) {
      expect(json).toContain(content);
      expect(html).toContain(content);
    }
  });

  it.each(['sub/r', 'sub/r.json', 'sub/r.html'])('are named by the last part of --out %s', async (out) => {
    await using folder = await temporaryFolder({ ...files, 'sub/x': '' });
    const { json } = await run([...local, '--json', '--out', out], { cwd: folder.path });
    expect(json.at(-1)).toMatchObject({ reports: ['sub/r.json', 'sub/r.html'] });
    expect((await readdir(join(folder.path, 'sub'))).sort()).toEqual(['r.html', 'r.json', 'x']);
    expect(JSON.parse(await readFile(join(folder.path, 'sub/r.json'), 'utf8'))).toMatchObject({ name: 'r' });
  });

  it('take the place of older ones', async () => {
    await using folder = await temporaryFolder(files);
    const evaluated = async (evaluator: string): Promise<readonly string[]> => {
      const args = [...local, '--out', 'r', '--evaluators', evaluator];
      expect(await run(args, { cwd: folder.path })).toMatchObject({ code: 0 });
      return Object.keys(JSON.parse(await readFile(join(folder.path, 'r.json'), 'utf8')).summary);
    };
    expect(await evaluated('mrr')).toEqual(['mrr']);
    expect(await evaluated('map')).toEqual(['map']);
    expect(await readFile(join(folder.path, 'r.html'), 'utf8')).not.toContain('mrr');
  });

  it.each([
    ['q', 'q.json', '[]', 'q.json is there and is no report: choose another name with --out.'],
    ['q', 'q.json', '{"version":1}', 'q.json is there and is no report: choose another name with --out.'],
    ['q.html', 'q.html', '<html><p>Mine', 'q.html is there and is no report: choose another name with --out.'],
    ['q', 'q.html/x', '', 'q.html cannot be written: check the path.'],
    ['none/q', 'x', '', 'There is no folder for none/q.json: make it first, or name another place with --out.'],
    ['x/q', 'x', '', 'There is no folder for x/q.json: make it first, or name another place with --out.'],
    ['handbook/', 'x', '', '--out handbook/: that is a folder; write the name of a file in it.'],
    ['..', 'x', '', '--out ..: that is a folder; write the name of a file in it.'],
  ])('never take the place of anything else: --out %s, %s', async (out, path, content, sentence) => {
    await using folder = await temporaryFolder({ ...files, [path]: content });
    await using server = await startMockServer([]);
    const before = await readdir(folder.path, { recursive: true });
    const options = { cwd: folder.path, env: { OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: server.url } };
    expect(await run(['eval', 'q.jsonl', '--docs', 'handbook', '--out', out], options)).toMatchObject({
      code: 2,
      out: '',
      err: `${sentence}\n`,
    });
    expect(await readdir(folder.path, { recursive: true })).toEqual(before);
    if (content !== '') expect(await readFile(join(folder.path, path), 'utf8')).toBe(content);
    server.assertComplete();
  });
});

describe('eval compare', () => {
  /** Two runs: the second does not know when lunch is. */
  async function twoRuns(cwd: string): Promise<void> {
    const evaluation = ['--evaluators', 'contains,mrr'];
    await run([...local, ...evaluation, '--out', 'before'], { cwd });
    await writeFile(join(cwd, 'handbook/lunch.md'), '# Lunch\n\nLunch is served at one in the canteen.\n');
    await run([...local, ...evaluation, '--out', 'after', '--contents'], { cwd });
  }

  it('shows what changed, as text, as JSON and as a page', async () => {
    await using folder = await temporaryFolder(files);
    const cwd = folder.path;
    await twoRuns(cwd);
    const { code, out, err } = await run(['eval', 'compare', 'before.json', 'after.json', '--out', 'c.html'], { cwd });
    expect([code, err]).toEqual([0, 'Wrote c.html\n']);
    expect(out).toMatch(/\ncontains +2 +1\.000 +0\.500 +[-−]0\.500 .*\nmrr +2 +1\.000 +1\.000 /);
    expect(out).toMatch(/\ncontains worse: lunch\n$/);
    const page = await readFile(join(cwd, 'c.html'), 'utf8');
    expect(page).toContain('<title>after</title>');
    expect(page).not.toContain('canteen');
    const withContents = ['--out', 'c.html', '--contents', '--json'];
    const { json } = await run(['eval', 'compare', 'before.json', 'after.json', ...withContents], { cwd });
    expect(json).toMatchObject([
      {
        type: 'compared',
        before: { name: 'before' },
        evaluators: [{ evaluator: 'contains', worse: [{ id: 'lunch' }] }, {}],
      },
    ]);
    expect(await readFile(join(cwd, 'c.html'), 'utf8')).toContain('canteen');
  });

  it.each([
    [[], /^Two reports are compared: write 'vernal eval compare BEFORE\.json AFTER\.json'\.\n$/],
    [['before.json'], /^Two reports are compared/],
    [['before.json', 'after.json', 'x.json'], /^Two reports are compared/],
    [['before.json', 'none.json'], /^There is no file none\.json: check the path\.\n$/],
    [['before.json', 'handbook'], /^handbook is a folder: name a file\.\n$/],
    [['before.json', 'q.jsonl'], /^q\.jsonl is no report of this version: 'vernal eval' with --out writes one\.\n$/],
    [['before.json', 'before.html'], /^before\.html is no report of this version/],
    [['before.json', 'after.json', '--out', 'c'], /^--out c: a comparison is written as \.html\.\n$/],
    [['before.json', 'after.json', '--out', 'x.html'], /^x\.html is there and is no report: choose another name/],
    [['before.json', 'after.json', '--out', 'none/c.html'], /^There is no folder for none\/c\.html: make it first/],
    [['before.json', 'after.json', '--judge', 'openai'], /^vernal eval compare has no --judge: it asks nothing\.\n$/],
    [['before.json', 'after.json', '--docs', 'handbook'], /^vernal eval compare has no --docs: it asks nothing\.\n$/],
    [['before.json', 'after.json', '--rag', 'simple'], /^vernal eval compare has no --rag: it asks nothing\.\n$/],
  ])('%j is refused', async (args, sentence) => {
    await using folder = await temporaryFolder({ ...files, 'x.html': '<p>Mine' });
    const cwd = folder.path;
    await twoRuns(cwd);
    const { code, out, err } = await run(['eval', 'compare', ...args], { cwd });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
    expect(await readFile(join(cwd, 'x.html'), 'utf8')).toBe('<p>Mine');
  });

  it('takes a file of questions that is called so by its path', async () => {
    await using folder = await temporaryFolder({ ...handbook, compare: jsonLines(questions) });
    const args = ['eval', './compare', '--docs', 'handbook', '--model', 'local', '--evaluators', 'mrr'];
    expect(await run(args, { cwd: folder.path })).toMatchObject({ code: 0 });
  });
});
