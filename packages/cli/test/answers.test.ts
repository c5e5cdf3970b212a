import { runCli } from '@vernal/cli';
import { describe, expect, it } from 'vitest';
import { fakeIo } from './fake-io.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

/** The same handbook with other names and numbers: an answer that follows them was read and not known. */
const handbooks = [
  { firm: 'Quillfeather & Sons', days: '31', boss: 'Marisol Okonjo-Lindqvist', room: 'Heron', code: '8841' },
  { firm: 'Brackenmoor Freight', days: '19', boss: 'Tobias Vandersteen', room: 'Otter', code: '2075' },
];

describe.each(handbooks)('the handbook of $firm', ({ firm, days, boss, room, code }) => {
  const files = {
    'handbook/leave.md': `# Leave\n\n## Holidays\n\nEvery employee of ${firm} has ${days} days of paid leave a year.\n\n## Illness\n\nAfter three days of illness a certificate is needed.\n`,
    'handbook/people.html': `<h1>People</h1><h2>Management</h2><p>The managing director is ${boss}.</p><h2>Canteen</h2><p>Lunch is served at noon.</p>`,
    'handbook/rooms.txt': `The server room is called ${room}. The code of its door is ${code}.\n`,
  };

  it.each([
    ['How many days of paid leave do I have?', `${days} days`, 'handbook/leave.md — Leave › Holidays'],
    ['Who is the managing director?', boss, 'handbook/people.html — People › Management'],
    ['What is the server room called?', room, 'handbook/rooms.txt'],
    ['What is the code of the door of the server room?', code, 'handbook/rooms.txt'],
  ])('answers: %s', async (question, fact, source) => {
    await using folder = await temporaryFolder(files);
    const { code: exit, out, err } = await run(['ask', '--docs', 'handbook', question], { cwd: folder.path });
    expect(exit).toBe(0);
    const [answer = '', sources = ''] = out.split('\n\n[');
    expect(answer).toContain(fact);
    expect(answer).toMatch(/\[\d\]$/);
    expect(`[${sources}`).toMatch(/^(\[\d\] [^\n]+\n)+$/);
    expect(sources).toContain(`] ${source}\n`);
    expect(err).toMatch(
      /^Indexed \d passages of 3 files in \d+\.\d s\nAnswering with the embedded demonstration model, which only quotes/,
    );
  });

  it('says so when the answer is not there, and that is no failure', async () => {
    await using folder = await temporaryFolder(files);
    const question = 'Which football club won the cup in 1974?';
    const { code: exit, out } = await run(['ask', '--docs', 'handbook', question], { cwd: folder.path });
    expect([exit, out]).toEqual([0, 'The documents do not say.\n']);
  });
});

describe('a refusal of the embedded model', () => {
  const hint = 'The embedded model only quotes; --model chooses one that can reason.\n';
  const refused = 'Who won the cup in 1974?';

  it.each([
    ['at a terminal', true, refused, true],
    ['in a pipe', false, refused, false],
    ['when it is none', true, 'What is the colour of the flag?', false],
  ])('names the way to another model: %s', async (_where, terminal, question, isThere) => {
    await using folder = await temporaryFolder({ 'a.txt': 'The colour of the flag is purple.' });
    const io = fakeIo({ cwd: folder.path, terminal });
    expect(await runCli(['ask', '--docs', 'a.txt', question], io)).toBe(0);
    expect(io.stderr.text.endsWith(hint)).toBe(isThere);
    expect(io.stdout.text).not.toContain(hint);
  });

  it('does not with --json', async () => {
    await using folder = await temporaryFolder({ 'a.txt': 'The colour of the flag is purple.' });
    const io = fakeIo({ cwd: folder.path, terminal: true });
    expect(await runCli(['ask', '--json', '--docs', 'a.txt', refused], io)).toBe(0);
    expect(io.stderr.text).toBe('');
  });
});

describe('the text of an answer', () => {
  it('cannot steer the terminal', async () => {
    await using folder = await temporaryFolder({
      'a\u001B[31m.txt': 'The colour of the flag is \u001B]0;owned\u0007\u001B[2Jpurple\u009B1m.',
    });
    const question = 'What is the colour of the flag?';
    const { out } = await run(['ask', '--docs', '.', question], { cwd: folder.path });
    expect(out).toContain('purple');
    expect(out).not.toMatch(/(?!\n)\p{Cc}/u);
    const { json } = await run(['ask', '--json', '--docs', '.', question], { cwd: folder.path });
    expect(json.at(-1)?.['text']).toContain('\u001B[2Jpurple');
  });

  it('is JSON lines with --json: ready, pieces, answer', async () => {
    await using folder = await temporaryFolder({ 'a.txt': 'The colour of the flag is purple.' });
    const question = 'What is the colour of the flag?';
    const { code, json, err } = await run(['ask', '--json', '--docs', 'a.txt', question], { cwd: folder.path });
    expect([code, err]).toEqual([0, '']);
    expect(json[0]).toEqual({
      type: 'ready',
      provider: 'local',
      model: 'extractive',
      reason: expect.any(String),
      passages: 1,
      files: 1,
      milliseconds: expect.any(Number),
      skipped: [],
      partial: [],
    });
    const text = 'The colour of the flag is purple. [1]';
    const pieces = json.slice(1, -1);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece['text']).join('')).toBe(text);
    expect(json.at(-1)).toEqual({
      type: 'answer',
      question,
      text,
      isCut: false,
      sources: [{ index: 1, source: 'a.txt', score: expect.any(Number), cited: true }],
      usage: {},
    });
  });
});
