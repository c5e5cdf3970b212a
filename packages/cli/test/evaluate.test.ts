import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '@vernal/cli';
import { gate, type MockRequest, startMockServer } from '@vernal/testing/mock-server';
import { ollamaChatWire, openAiChatWire, WIRE_SECRET, type WireReply } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { fakeIo } from './fake-io.js';
import { handbook, jsonLines, questions } from './handbook.js';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const files = { ...handbook, 'q.jsonl': jsonLines(questions) };
const local = ['eval', 'q.jsonl', '--docs', 'handbook', '--model', 'local'];
const provider = ['eval', 'q.jsonl', '--docs', 'handbook'];
const openAi = (url: string): Record<string, string> => ({ OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: url });
const usage = { promptTokens: 100, completionTokens: 10 };

/** What was sent, as one text. */
function sentText({ json }: MockRequest): string {
  return openAiChatWire
    .request(json)
    .messages.map(({ type, ...message }) => ('text' in message ? message.text : type))
    .join('\n');
}

/** Answers questions about the handbook, and judges them. */
function answers(request: MockRequest): WireReply {
  const text = sentText(request);
  if (/verdict/i.test(text)) return openAiChatWire.call([{ text: '{"reason":"Said.","verdict":"yes"}', usage }]);
  return openAiChatWire.call([{ text: text.includes('Question: When') ? 'At noon [1].' : '31 days [1].', usage }]);
}

describe('eval with the embedded models', () => {
  it('asks every question, judges by what the file knows, and prints numbers', async () => {
    await using folder = await temporaryFolder(files);
    const { code, out, err } = await run(local, { cwd: folder.path });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^evaluator +passed +failed +inconclusive +errors +mean score\nanswer-similarity .*\nrecall@5 /,
    );
    expect(out).toMatch(/\nrecall@5 +2 +0 +0 +0 +1\.000\nmrr +2 +0 +0 +0 +1\.000\n\n2 cases in [\d.]+ m?s\n$/);
    expect(err).toMatch(/^Indexed 2 passages of 2 files in .*\nAnswering with the embedded demonstration model.*\n$/);
    for (const { question } of questions) expect(out + err).not.toContain(question);
  });

  it('is two lines of JSON with --json', async () => {
    await using folder = await temporaryFolder(files);
    const { code, json, err } = await run([...local, '--json', '--evaluators', 'contains,mrr'], { cwd: folder.path });
    expect([code, err]).toEqual([0, '']);
    const passed = { passed: 2, failed: 0, inconclusive: 0, errors: 0, meanScore: 1 };
    expect(json).toEqual([
      expect.objectContaining({ type: 'ready', provider: 'local', passages: 2 }),
      {
        type: 'evaluated',
        cases: 2,
        durationMs: expect.any(Number),
        summary: { contains: passed, mrr: passed },
        spent: {},
        errors: [],
        tooLow: [],
        reports: [],
      },
    ]);
  });

  it('takes evaluators in lists and one by one, in their order', async () => {
    await using folder = await temporaryFolder(files);
    const names = ['ndcg@3', 'exact-match', 'hit@1', 'precision@2', 'map'];
    const args = ['--evaluators', 'ndcg@3, exact-match,', '--evaluators', 'hit@1,precision@2,map', '--json'];
    const { code, json } = await run([...local, ...args], { cwd: folder.path });
    expect(code).toBe(0);
    expect(Object.keys(json.at(-1)?.['summary'] as object)).toEqual(names);
    expect(json.at(-1)).toMatchObject({
      summary: { 'exact-match': { failed: 2 }, 'hit@1': { passed: 2 }, 'precision@2': { meanScore: 0.5 } },
    });
  });

  it('reads documents from a store, whose sources are those of its own folder', async () => {
    await using folder = await temporaryFolder(files);
    await run(['ingest', 'handbook', '--store', 'h.vernal'], { cwd: folder.path });
    const args = ['eval', 'q.jsonl', '--store', 'h.vernal', '--model', 'local', '--evaluators', 'mrr', '--json'];
    const { json } = await run(args, { cwd: folder.path });
    expect(json.at(-1)).toMatchObject({ summary: { mrr: { meanScore: 1 } } });
  });

  it('says which of the usual evaluators it leaves out because a question lacks what it needs', async () => {
    const [first, second] = questions;
    const entries = [first, { ...second, reference: undefined }, { question: 'Why?', relevant: ['x'] }];
    await using folder = await temporaryFolder({ ...files, 'q.jsonl': jsonLines(entries) });
    const { err, out } = await run(local, { cwd: folder.path });
    expect(err).toContain('\nanswer-similarity is left out, since 2 of the questions have no reference\n');
    expect(out).not.toContain('answer-similarity');
  });

  it('says when a relevant source is no document, by the id of its question', async () => {
    const misnamed = [
      { id: 'a', question: 'How many days?', relevant: ['leave.md'] },
      { id: 'b', question: 'How many days?', relevant: ['handbook/leave.md'] },
      { question: 'When is lunch?', relevant: { 'handbook/lunch.md': 2, 'lunch.md': 1 } },
    ];
    await using folder = await temporaryFolder({ ...handbook, 'q.jsonl': jsonLines(misnamed) });
    const { code, err } = await run(local, { cwd: folder.path });
    expect([code, err.split('\n').at(-2)]).toEqual([
      0,
      'Relevant sources of questions a, 3 are not among the documents: name them as answers do, as in handbook/leave.md',
    ]);
    const { err: silent } = await run([...local, '--json'], { cwd: folder.path });
    expect(silent).toBe('');
  });

  it('draws a bar on a terminal and takes it away', async () => {
    await using folder = await temporaryFolder(files);
    const io = fakeIo({ cwd: folder.path, terminal: true });
    expect(await runCli(local, io)).toBe(0);
    expect(io.stderr.text).toMatch(/█+░* 1\/2 questions/);
    expect(io.stderr.text.split('\r\u{1B}[K').at(-1)).toBe('');
  });
});

describe('eval --min-score', () => {
  it.each([
    [['--min-score', '0.5'], 0, []],
    [['--min-score=1'], 0, []],
    [['--min-score', 'precision@2=0.5', '--min-score', 'mrr=1'], 0, []],
    [['--min-score', '0.9', '--min-score', 'precision@2=.4'], 0, []],
    [['--min-score', 'precision@2=.51'], 1, ['precision@2: 0.500 is below 0.51, with what was not decided as 0.']],
    [['--min-score', '0.75'], 1, ['precision@2: 0.500 is below 0.75, with what was not decided as 0.']],
  ])('%j', async (args, expected, sentences) => {
    await using folder = await temporaryFolder(files);
    const evaluators = args[0] === '--min-score=1' ? 'mrr' : 'mrr,precision@2';
    const options = ['--evaluators', evaluators, ...args];
    const { code, err } = await run([...local, ...options], { cwd: folder.path });
    expect(code).toBe(expected);
    expect(err.split('\n').filter((line) => line.includes('is below'))).toEqual(sentences);
    const { json, code: same } = await run([...local, ...options, '--json'], { cwd: folder.path });
    expect([same, json.at(-1)?.['tooLow']]).toEqual([expected, sentences]);
  });

  it('is reached by a mean that is only a rounding below it', async () => {
    const many = Array.from({ length: 10 }, (_, at) => ({ question: `Lunch ${at}?`, relevant: ['handbook/lunch.md'] }));
    await using folder = await temporaryFolder({ ...handbook, 'q.jsonl': jsonLines(many) });
    const args = ['--evaluators', 'precision@10', '--min-score', '0.1', '--json'];
    const { code, json } = await run([...local, ...args], { cwd: folder.path });
    // Ten times 0.1, added up, is less than 1.
    expect(json.at(-1)).toMatchObject({ summary: { 'precision@10': { meanScore: 0.09999999999999999 } } });
    expect(code).toBe(0);
  });

  it('counts a question that could not be judged as 0', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer((request) =>
      /verdict/i.test(sentText(request)) && sentText(request).includes('lunch')
        ? openAiChatWire.call(['{"reason":"?","verdict":"unclear"}'])
        : answers(request),
    );
    const args = ['--evaluators', 'relevancy', '--min-score', '0.9'];
    const { code, out, err } = await run([...provider, ...args], { cwd: folder.path, env: openAi(server.url) });
    expect(out).toMatch(/\nrelevancy +1 +0 +1 +0 +1\.000\n/);
    expect([code, err.split('\n').at(-2)]).toEqual([
      1,
      'relevancy: 0.500 is below 0.9, with what was not decided as 0.',
    ]);
  });
});

describe('eval with a provider', () => {
  it('lets the model that answers judge, at its own temperature, and counts tokens and costs', async () => {
    await using folder = await temporaryFolder({
      ...files,
      'prices.json': '{"gpt-5-mini":{"input":1,"output":10,"cacheRead":0.1}}',
    });
    await using server = await startMockServer(answers);
    const { code, out, err } = await run([...provider, '--prices', 'prices.json'], {
      cwd: folder.path,
      env: openAi(server.url),
    });
    expect([code, err]).toEqual([0, expect.stringContaining('Answering with openai:gpt-5-mini')]);
    expect(out).toMatch(/\nrelevancy +2 +0 +0 +0 +1\.000\nanswer-similarity /);
    // 200 tokens in at 1 and 20 out at 10, for a million.
    expect(out).toMatch(/: 200 in, 20 out, cost 0\.0004\d*\n.*: 200 in, 20 out, cost 0\.0004/);
    for (const { json } of server.requests) {
      expect(json).toMatchObject({ model: 'gpt-5-mini' });
      expect(json).not.toHaveProperty('temperature');
    }
    expect(server.requests).toHaveLength(4);
  });

  it('lets another model judge with --judge', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(answers);
    await using judge = await startMockServer(() => ollamaChatWire.call(['{"reason":"No.","verdict":"no"}']));
    const args = ['--judge', 'ollama:judge:8b', '--evaluators', 'relevancy', '--json'];
    const env = { ...openAi(server.url), OLLAMA_HOST: judge.url };
    const { code, json } = await run([...provider, ...args], { cwd: folder.path, env });
    expect([code, json.at(-1)]).toEqual([0, expect.objectContaining({ errors: [] })]);
    expect(json.at(-1)).toMatchObject({ summary: { relevancy: { failed: 2 } } });
    expect(judge.requests.map(({ json: body }) => body)).toMatchObject([
      { model: 'judge:8b', options: { temperature: 0 } },
      { model: 'judge:8b' },
    ]);
    expect(server.requests).toHaveLength(2);
  });

  it('judges the embedded model with --judge', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(answers);
    const args = ['--judge', 'openai:some', '--evaluators', 'relevancy,fact-checking', '--json'];
    const { code, json } = await run([...local, ...args], { cwd: folder.path, env: openAi(server.url) });
    expect([code, json.at(-1)]).toMatchObject([0, { summary: { relevancy: { passed: 2 }, 'fact-checking': {} } }]);
    expect(server.requests.map(({ json: body }) => body)).toMatchObject(Array(4).fill({ model: 'some' }));
  });

  it('needs no documents for what is not about them', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(answers);
    const args = ['eval', 'q.jsonl', '--evaluators', 'contains', '--json'];
    const { code, json } = await run(args, { cwd: folder.path, env: openAi(server.url) });
    expect([code, json.at(-1)]).toMatchObject([0, { cases: 2, summary: { contains: { errors: 0 } } }]);
  });

  it('goes on when some questions fail, says why once, and ends with 1', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer((request) =>
      sentText(request).includes('Question: When') ? openAiChatWire.error('bad-request') : answers(request),
    );
    const options = { cwd: folder.path, env: openAi(server.url) };
    const args = [...provider, '--evaluators', 'contains,mrr', '--out', 'r'];
    const { code, out, err } = await run(args, options);
    expect(code).toBe(1);
    expect(out).toMatch(/\ncontains +1 +0 +0 +1 +1\.000\n[\s\S]*2 cases in .*, 1 of them failed/);
    expect(err).toMatch(
      /\nFailed: model_bad_request: OpenAI refused the request \(400.*\): take another model with --model\.\nWrote r\./,
    );
    for (const secret of ['sk-mine', WIRE_SECRET, '    at ']) expect(out + err).not.toContain(secret);
    const report = JSON.parse(await readFile(join(folder.path, 'r.json'), 'utf8'));
    expect(report.cases).toMatchObject([
      { id: 'leave', results: { mrr: { score: 1 } } },
      { id: 'lunch', results: {} },
    ]);
    const { json } = await run([...args, '--json', '--verbose'], options);
    expect(json.at(-1)).toMatchObject({ errors: [expect.stringMatching(/^model_bad_request: OpenAI/)] });
  });

  it('tells a judge that fails, and ends with 1', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer((request) =>
      /verdict/i.test(sentText(request)) ? openAiChatWire.error('authentication') : answers(request),
    );
    const args = [...provider, '--evaluators', 'relevancy,contains'];
    const { code, out, err } = await run(args, { cwd: folder.path, env: openAi(server.url) });
    expect([code, err]).toEqual([1, expect.stringMatching(/\nFailed: model_authentication: .*\n$/)]);
    expect(out).toMatch(/\nrelevancy +0 +0 +0 +2 +–\ncontains +2 /);
    for (const secret of ['sk-mine', WIRE_SECRET]) expect(err).not.toContain(secret);
  });

  it.each([
    [[], 4],
    [['--concurrency', '2'], 2],
    [['--concurrency', '1'], 1],
  ])('asks questions at the same time: %j', async (args, concurrency) => {
    const many = Array.from({ length: 6 }, (_, at) => ({ question: `When is lunch number ${at}?`, reference: 'noon' }));
    await using folder = await temporaryFolder({ ...handbook, 'q.jsonl': jsonLines(many) });
    const hold = gate();
    await using server = await startMockServer((request) => ({ ...answers(request), hold }));
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli([...provider, '--evaluators', 'contains', '--json', ...args], io);
    await server.whenRequested(concurrency);
    await hold.reached;
    expect(server.requests).toHaveLength(concurrency);
    hold.open();
    expect(await code).toBe(0);
    expect(server.requests).toHaveLength(6);
  });

  it('stops at Ctrl-C, hangs up, and writes no report', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    await using server = await startMockServer((request) =>
      sentText(request).includes('Question: When') ? { ...answers(request), hold } : answers(request),
    );
    const before = await readdir(folder.path, { recursive: true });
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli([...provider, '--evaluators', 'contains', '--out', 'r'], io);
    await hold.reached;
    io.interrupt();
    expect(await code).toBe(130);
    await server.whenDropped(1);
    expect([io.stdout.text, io.stderr.text.split('\n').at(-2)]).toEqual(['', 'Stopped.']);
    expect(await readdir(folder.path, { recursive: true })).toEqual(before);
  });
});

describe('eval that cannot begin', () => {
  const wrong: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
    [['--evaluators', 'relevance'], /^There is no evaluator 'relevance': there are relevancy, .*, map\.\n$/],
    [['--evaluators', 'toString'], /^There is no evaluator 'toString'/],
    [['--evaluators', 'recall@0'], /^There is no evaluator 'recall@0'/],
    [['--evaluators', 'mrr,map,mrr'], /^--evaluators names mrr twice\.\n$/],
    [
      ['--evaluators', 'relevancy'],
      /^relevancy asks a model, and the embedded one only quotes: name another with --judge/,
    ],
    [['--judge', 'local'], /^--judge local: the embedded model only quotes and cannot judge/],
    [['--judge', 'gpt-5'], /^There is no provider 'gpt-5' for --judge: write one of openai:name/],
    [['--judge', 'openai'], /^--judge openai needs a key: set OPENAI_API_KEY/],
    [['--min-score', 'high'], /^--min-score high: write a number from 0 to 1, or NAME=NUMBER\.\n$/],
    [['--min-score', '1.1'], /^--min-score 1\.1: write a number/],
    [['--min-score', 'mrr='], /^--min-score mrr=: write a number/],
    [['--min-score', '1e-2'], /^--min-score 1e-2: write a number/],
    [['--min-score', 'map=1'], /^--min-score map=1: that evaluator is not among answer-similarity, recall@5, mrr\.\n$/],
    [['--concurrency', '0'], /^--concurrency 0: write a whole number from 1 to 9999\.\n$/],
    [['--concurrency', '2.5'], /^--concurrency 2\.5: write a whole number/],
    [['--prices', 'none.json'], /^There is no file none\.json: check the path\.\n$/],
    [['--prices', 'handbook'], /^handbook is a folder: name a file\.\n$/],
    [
      ['--prices', 'q.jsonl'],
      /^q\.jsonl is no table of prices: write \{ "model": \{ "input": 0\.25, "output": 2 \} \}\.\n$/,
    ],
    [['--prices', 'list.json'], /^list\.json is no table of prices/],
    [['--prices', 'free.json'], /^free\.json is no table of prices/],
    [['--prices', 'endless.json'], /^endless\.json is no table of prices/],
    [['--chat'], /^There is no option --chat; see 'vernal eval --help'\.\n$/],
    [['--out', ''], /^--out is empty: give it a value\.\n$/],
  ];

  it.each(wrong)('%j', async (args, sentence) => {
    await using folder = await temporaryFolder({
      ...files,
      'list.json': '[]',
      'free.json': '{"a":{"input":1}}',
      'endless.json': '{"a":{"input":1e999,"output":1}}',
    });
    const { code, out, err } = await run([...local, ...args], { cwd: folder.path });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });

  it.each([
    [
      'contains',
      ['leave'],
      'contains needs a reference with every question: write them into the file, or leave it out.',
    ],
    ['mrr', ['leave'], 'mrr needs relevant sources with every question: write them into the file, or leave it out.'],
    [
      '',
      [],
      'Nothing can be judged: give every question a reference or relevant sources, or name a judge with --judge.',
    ],
  ])('without what evaluators need: %s', async (evaluators, known, sentence) => {
    const entries = questions.map((one) => (known.includes(one.id) ? one : { id: one.id, question: one.question }));
    await using folder = await temporaryFolder({ ...handbook, 'q.jsonl': jsonLines(entries) });
    const chosen = evaluators === '' ? [] : ['--evaluators', evaluators];
    const { code, err } = await run([...local, ...chosen], { cwd: folder.path });
    expect([code, err]).toEqual([2, `${sentence}\n`]);
  });

  it('without documents', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([]);
    const args = ['eval', 'q.jsonl', '--evaluators', 'mrr'];
    expect(await run(args, { cwd: folder.path, env: openAi(server.url) })).toMatchObject({
      code: 2,
      err: 'mrr is about documents: give some with --docs PATH or --store FILE.\n',
    });
    expect(await run(['eval', 'q.jsonl'], { cwd: folder.path })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^No document found: the embedded model only quotes documents/),
    });
    server.assertComplete();
  });
});
