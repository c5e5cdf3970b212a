import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { handbook, jsonLines, questions } from './handbook.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const evaluation = ['--docs', 'handbook', '--evaluators', 'contains', '--json'];

describe('a file of questions', () => {
  const forms: readonly (readonly [form: string, file: string, content: string | Uint8Array])[] = [
    ['a list', 'q.json', JSON.stringify(questions)],
    ['a list over many lines', 'q.json', `\n\t${JSON.stringify(questions, undefined, 2)}\n`],
    ['JSON Lines', 'q.jsonl', jsonLines(questions)],
    ['JSON Lines with the ends of Windows, blank lines and no last one', 'q.txt', `\r\n${lines('\r\n\r\n')}`],
    ['a list behind a byte order mark', 'q.json', `\u{FEFF}${JSON.stringify(questions)}`],
    ['JSON Lines behind a byte order mark', 'q.jsonl', `\u{FEFF}${jsonLines(questions)}`],
    ['a list in UTF-16', 'q.json', Buffer.from(`\u{FEFF}${JSON.stringify(questions)}`, 'utf16le')],
  ];

  function lines(end: string): string {
    return questions.map((one) => JSON.stringify(one)).join(end);
  }

  it.each(forms)('may be %s', async (_form, file, content) => {
    await using folder = await temporaryFolder({ ...handbook, [file]: content });
    const { code, json, err } = await run(['eval', file, ...evaluation], { cwd: folder.path });
    expect([code, err]).toEqual([0, '']);
    expect(json.at(-1)).toMatchObject({ type: 'evaluated', cases: 2, summary: { contains: { passed: 2, errors: 0 } } });
  });

  it('numbers questions that have no id of their own, and takes numbers for ids', async () => {
    const entries = questions.map(({ question, reference }, at) => ({
      ...(at === 1 && { id: 7 }),
      question,
      reference,
    }));
    await using folder = await temporaryFolder({ ...handbook, 'q.json': JSON.stringify(entries) });
    await run(['eval', 'q.json', ...evaluation, '--out', 'r'], { cwd: folder.path });
    const { cases } = JSON.parse(await readFile(join(folder.path, 'r.json'), 'utf8'));
    expect(cases).toMatchObject([{ id: '1' }, { id: '7' }]);
  });

  it('may know more about a question than is read', async () => {
    const entries = questions.map((one) => ({ ...one, owner: 'HR', tags: ['a'] }));
    await using folder = await temporaryFolder({ ...handbook, 'q.jsonl': jsonLines(entries) });
    expect(await run(['eval', 'q.jsonl', ...evaluation], { cwd: folder.path })).toMatchObject({ code: 0 });
  });
});

describe('a file of questions that is wrong', () => {
  const good = JSON.stringify({ id: 'a', question: 'Why?', reference: 'So' });
  const secret = 'hush-7731';
  const faults: readonly (readonly [fault: string, content: string | Uint8Array, sentence: string])[] = [
    ['an empty file', '', 'q holds no question: write some into it.'],
    ['white space', ' \r\n\n', 'q holds no question: write some into it.'],
    ['an empty list', '[]', 'q holds no question: write some into it.'],
    ['a list that is cut', `[${good},\n{"question":"${secret}`, 'q is no valid JSON: correct it.'],
    [
      'a line that is none',
      `${good}\n\n${secret}\n`,
      'q, line 3 is no valid JSON: write a list, or one object a line.',
    ],
    [
      'an object over many lines',
      JSON.stringify({ question: secret }, undefined, 2),
      'q, line 1 is no valid JSON: write a list, or one object a line.',
    ],
    [
      'a line without a question',
      `${good}\n{"text":"${secret}"}`,
      'q, line 2 has no question: every object needs one.',
    ],
    ['an entry that is no object', `[${good},"${secret}"]`, 'q, entry 2 has no question: every object needs one.'],
    ['an entry that is null', '[null]', 'q, entry 1 has no question: every object needs one.'],
    ['a list in a line', `${good}\n["${secret}"]`, 'q, line 2 has no question: every object needs one.'],
    ['a blank question', '{"question":" "}', 'q, line 1 has no question: every object needs one.'],
    ['a question that is no text', '[{"question":["a"]}]', 'q, entry 1 has no question: every object needs one.'],
    [
      'an id that is none',
      `{"question":"Why?","id":{"a":"${secret}"}}`,
      'q, line 1: id has to be a text that is not blank.',
    ],
    ['a blank id', '{"question":"Why?","id":""}', 'q, line 1: id has to be a text that is not blank.'],
    [
      'a reference that is no text',
      `[{"question":"Why?","reference":["${secret}"]}]`,
      'q, entry 1: reference has to be a text that is not blank.',
    ],
    [
      'a blank reference',
      '[{"question":"Why?","reference":""}]',
      'q, entry 1: reference has to be a text that is not blank.',
    ],
    ...['[]', '[1]', '[" "]', '{}', '{"a":0}', '{"a":-1,"b":1}', '{"a":"1"}', '{"a":1e999}', `"${secret}"`].map(
      (relevant) =>
        [
          `relevant: ${relevant}`,
          `${good}\n{"question":"Why?","relevant":${relevant}}`,
          'q, line 2: relevant has to be a list of sources, or an object with a grade for each.',
        ] as const,
    ),
    [
      'an id that is there twice',
      `${good}\n\n{"question":"How?","id":"b"}\n{"question":"${secret}","id":"a"}`,
      'q, line 4: its id is that of line 1 too: give each question its own.',
    ],
    [
      'an id that another has by its place',
      `[{"question":"Why?","id":2},{"question":"How?"}]`,
      'q, entry 2: its id is that of entry 1 too: give each question its own.',
    ],
    [
      'bytes that are no text',
      Uint8Array.of(0x5b, 0, 1, 2, 0xff),
      'q is no text in UTF-8: convert it, or name another file.',
    ],
  ];

  it.each(faults)('%s is told by its place, and nothing is quoted', async (_fault, content, sentence) => {
    await using folder = await temporaryFolder({ ...handbook, q: content });
    const { code, out, err } = await run(['eval', 'q', '--docs', 'handbook'], { cwd: folder.path });
    expect([code, out, err]).toEqual([2, '', `${sentence}\n`]);
    expect(err).not.toContain(secret);
  });

  it('is told when there is none, when it is a folder, and when there are two', async () => {
    await using folder = await temporaryFolder({ ...handbook, 'q.json': '[]' });
    await mkdir(join(folder.path, 'sets'));
    const sentence = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await run(['eval', ...args], { cwd: folder.path });
      expect([code, out]).toEqual([2, '']);
      return err;
    };
    expect(await sentence('none.json')).toBe('There is no file none.json: check the path.\n');
    expect(await sentence('q.json/none')).toBe('There is no file q.json/none: check the path.\n');
    expect(await sentence('sets')).toBe('sets is a folder: name a file.\n');
    expect(await sentence()).toBe('No dataset: name the file with the questions.\n');
    expect(await sentence('q.json', 'r.json')).toBe('One file is evaluated at a time: r.json is one too many.\n');
    expect(await sentence('--docs', 'handbook', 'q.json')).toBe(
      'No dataset: name the file with the questions before --docs: what follows it is taken for documents.\n',
    );
  });
});
