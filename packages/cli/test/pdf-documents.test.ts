import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pdf, withoutPage } from './pdf.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const local = ['--model', 'local'];
const question = 'How many arches has the bridge of Marn?';
const bridge = 'The bridge of Marn has 5 arches.';
const handbook = await pdf('The mill of Corry grinds rye.', undefined, bridge);
const scan = await pdf(undefined, undefined);
const lost = withoutPage(await pdf(bridge), 1);
const encrypted = await readFile(new URL('../../readers/pdf/test/fixtures/encrypted-aes256.pdf', import.meta.url));
const lockedFault = 'it is encrypted: save it without a password.';
const scanFault =
  'it holds no text, only pictures as a scan does: run a text recognition (OCR) over it, or leave it out.';
const damagedFault = 'page 2 is damaged, and what cannot be read there is missing: save it again.';

describe('a PDF file', () => {
  it('is read, and answers name its page', async () => {
    await using folder = await temporaryFolder({ 'docs/handbook.pdf': handbook, 'docs/a.md': 'Nothing of the kind.' });
    const cwd = folder.path;
    const { code, out } = await run(['ask', ...local, '--docs', 'docs', question], { cwd });
    expect([code, out]).toEqual([0, `${bridge} [1]\n\n[1] docs/handbook.pdf — page 3\n`]);
    const { json } = await run(['ask', ...local, '--json', '--docs', 'docs/handbook.pdf', question], { cwd });
    expect(json.at(-1)).toMatchObject({
      sources: expect.arrayContaining([expect.objectContaining({ source: 'docs/handbook.pdf', page: 3, cited: true })]),
    });
  });

  it.each([['plain'], ['--sync']])('keeps its pages in a store, %s', async (mode) => {
    await using folder = await temporaryFolder({ 'docs/handbook.pdf': handbook });
    const cwd = folder.path;
    const flags = mode === '--sync' ? [mode] : [];
    expect((await run(['ingest', 'docs', '--store', 'd.vernal', ...flags], { cwd })).code).toBe(0);
    const { out } = await run(['ask', ...local, '--store', 'd.vernal', question], { cwd });
    expect(out).toBe(`${bridge} [1]\n\n[1] docs/handbook.pdf — page 3\n`);
  });

  it('is known by what it holds, also attached to a mail', async () => {
    const mail = [
      'From: ada@example.com',
      'Subject: Bridges',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--b',
      'Content-Type: application/pdf; name="handbook.pdf"',
      'Content-Disposition: attachment; filename="handbook.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      ...(Buffer.from(handbook)
        .toString('base64')
        .match(/.{1,76}/g) ?? []),
      '--b--',
      '',
    ].join('\r\n');
    await using folder = await temporaryFolder({ 'mails/a.eml': mail, 'bridge.docx': handbook });
    const cwd = folder.path;
    expect((await run(['ask', ...local, '--docs', 'bridge.docx', question], { cwd })).out).toContain(
      '[1] bridge.docx — page 3\n',
    );
    expect((await run(['ask', ...local, '--docs', 'mails', question], { cwd })).out).toContain(
      '[1] mails/a.eml — handbook.pdf, page 3\n',
    );
  });

  it.each([
    ['a password', encrypted, lockedFault],
    ['no text', scan, scanFault],
    ['no end', handbook.subarray(0, 300), 'it is damaged or cut: save it again.'],
    ['damaged pages only', lost, 'it is damaged or cut: save it again.'],
  ])('with %s is an error that says how to mend it', async (_, bytes, fault) => {
    await using folder = await temporaryFolder({ 'a.pdf': bytes });
    expect(await run(['ask', ...local, '--docs', 'a.pdf', question], { cwd: folder.path })).toMatchObject({
      code: 2,
      out: '',
      err: `a.pdf: ${fault}\n`,
    });
  });
});

describe('PDF files of which something cannot be read', () => {
  const files = {
    'docs/a-locked.pdf': encrypted,
    'docs/b-scan.pdf': scan,
    'docs/c-damaged.pdf': withoutPage(handbook, 2),
    'docs/d.md': 'The mill of Corry grinds rye.',
  };
  const skipped = [
    { source: 'docs/a-locked.pdf', reason: `docs/a-locked.pdf: ${lockedFault}` },
    { source: 'docs/b-scan.pdf', reason: `docs/b-scan.pdf: ${scanFault}` },
  ];
  const partial = [{ source: 'docs/c-damaged.pdf', reason: `docs/c-damaged.pdf: ${damagedFault}` }];
  const told = [
    ...skipped.map(({ reason }) => `Left out: ${reason}\n`),
    ...partial.map(({ reason }) => `Read in part: ${reason}\n`),
  ].join('');

  it('are told of before the answer, which the others give', async () => {
    await using folder = await temporaryFolder(files);
    const cwd = folder.path;
    const { code, out, err } = await run(['ask', ...local, '--docs', 'docs', question], { cwd });
    expect([code, out]).toEqual([0, `${bridge} [1]\n\n[1] docs/c-damaged.pdf — page 3\n`]);
    expect(err.startsWith(`${told}Indexed 3 passages of 2 files`)).toBe(true);
    const { json } = await run(['ask', ...local, '--json', '--docs', 'docs', question], { cwd });
    expect(json[0]).toMatchObject({ type: 'ready', files: 2, skipped, partial });
  });

  it('make ingest no success', async () => {
    await using folder = await temporaryFolder(files);
    const cwd = folder.path;
    const { code, out, err } = await run(['ingest', 'docs', '--store', 'd.vernal'], { cwd });
    expect([code, err]).toEqual([1, `Reading 4 files\n${told}`]);
    expect(out).toMatch(/^Ingested 3 passages of 2 files in /);
    const { json } = await run(['ingest', 'docs', '--json', '--store', 'd.vernal'], { cwd });
    expect(json).toMatchObject([{ type: 'ingested', files: 2, skipped, partial }]);
  });

  it('are told of by --sync, and tried again once they are mended', async () => {
    await using folder = await temporaryFolder(files);
    const cwd = folder.path;
    const sync = ['ingest', 'docs', '--store', 'd.vernal', '--sync'];
    const first = await run(sync, { cwd });
    expect(first.code).toBe(1);
    expect(first.err).toBe(`Reading 4 files\n${told}`);
    expect(first.out).toMatch(/^Files: 2 new, .*, 2 left out, 1 read in part; d\.vernal holds 3 passages now\n$/);
    await writeFile(join(cwd, 'docs/b-scan.pdf'), await pdf('The well of Ibsley is deep.'));
    const { json } = await run([...sync, '--json'], { cwd });
    expect(json).toMatchObject([{ added: 1, unchanged: 2, total: 4, skipped: [skipped[0]], partial: [] }]);
  });
});
