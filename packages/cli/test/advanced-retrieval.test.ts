import { runCli } from '@vernal/cli';
import { gate, type MockRequest, startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, openAiChatWire, type WireReply } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { fakeIo } from './fake-io.js';
import { jsonLines } from './handbook.js';
import { type Ran, run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const files = {
  'ferries.md': '# Ferries\n\nThe ferry to Skerry sails at noon.\n\n# Fares\n\nA crossing costs nine crowns.',
  'mills.md': '# Mills\n\nThe mill of Corry grinds rye.',
};
const question = 'When does the ferry to Skerry sail?';
const advanced = ['--docs', '.', '--rag', 'advanced'];
const openAi = (url: string): Record<string, string> => ({ OPENAI_API_KEY: 'sk-mine', OPENAI_BASE_URL: url });
const usage = { promptTokens: 20, completionTokens: 5 };
const others = openAiChatWire.call([
  { text: 'Departure of the Skerry boat\nTimetable for Skerry\nferry times', usage },
]);
const answer = openAiChatWire.stream([{ text: 'At noon [1].', usage: { promptTokens: 11, completionTokens: 4 } }]);

interface Shown {
  readonly index: number;
  readonly source: string;
  readonly title: string;
  readonly cited: boolean;
}

/** The sources of the last answer. */
function sourcesIn({ json }: Ran): readonly Shown[] {
  return (json.at(-1)?.['sources'] ?? []) as readonly Shown[];
}

function sent({ json }: MockRequest | Record<string, never> = {}): string {
  return openAiChatWire
    .request(json)
    .messages.map((message) => ('text' in message ? message.text : ''))
    .join('\n');
}

describe('ask --rag advanced with the embedded models', () => {
  it.each([
    [question, 'The ferry to Skerry sails at noon. [1]', 'ferries.md — Ferries'],
    ['What does the mill of Corry grind?', 'The mill of Corry grinds rye. [1]', 'mills.md — Mills'],
  ])('quotes and cites as it does otherwise: %s', async (asked, text, source) => {
    await using folder = await temporaryFolder(files);
    const { code, out, err } = await run(['ask', '--model', 'local', ...advanced, asked], { cwd: folder.path });
    expect([code, out]).toEqual([0, `${text}\n\n[1] ${source}\n`]);
    expect(err).toMatch(/^Indexed 3 passages of 2 files in .*\nAnswering with the embedded demonstration model.*\n$/);
    const simple = await run(['ask', '--model', 'local', '--docs', '.', '--rag', 'simple', asked], {
      cwd: folder.path,
    });
    expect(simple.out).toBe(out);
  });

  it.each(['Which football club won the cup in 1974?', '???'])(
    'says so when the documents do not: %s',
    async (asked) => {
      await using folder = await temporaryFolder(files);
      const { code, out } = await run(['ask', '--model', 'local', ...advanced, asked], { cwd: folder.path });
      expect([code, out]).toEqual([0, 'The documents do not say.\n']);
    },
  );

  it('gives sources their numbers, also those that are not cited', async () => {
    await using folder = await temporaryFolder(files);
    const args = ['ask', '--json', '--model', 'local', ...advanced, question];
    const found = sourcesIn(await run(args, { cwd: folder.path }));
    expect(found.map(({ index }) => index)).toEqual([1, 2, 3].slice(0, found.length));
    expect(found[0]).toMatchObject({ source: 'ferries.md', title: 'Ferries', cited: true });
    expect(found.slice(1).every(({ cited }) => !cited)).toBe(true);
  });

  it('takes what is there twice for one', async () => {
    await using folder = await temporaryFolder({ ...files, 'copy/ferries.md': files['ferries.md'] });
    const args = ['ask', '--json', '--model', 'local', ...advanced, question];
    const titles = sourcesIn(await run(args, { cwd: folder.path })).map(({ title }) => title);
    expect(titles.filter((title) => title === 'Ferries')).toHaveLength(1);
  });

  it('works on a store', async () => {
    await using folder = await temporaryFolder(files);
    await run(['ingest', '.', '--store', 's.vernal'], { cwd: folder.path });
    const args = ['ask', '--model', 'local', '--store', 's.vernal', '--rag', 'advanced', question];
    expect((await run(args, { cwd: folder.path })).out).toBe(
      'The ferry to Skerry sails at noon. [1]\n\n[1] ferries.md — Ferries\n',
    );
  });
});

describe('ask --rag advanced with a provider', () => {
  it('asks in several ways, shows the user’s own question, and prints the sources', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([others, answer]);
    const { code, out } = await run(['ask', ...advanced, question], { cwd: folder.path, env: openAi(server.url) });
    expect([code, out]).toEqual([0, 'At noon [1].\n\n[1] ferries.md — Ferries\n']);
    const [expansion, asked] = server.requests;
    expect(sent(expansion)).toContain(`<query>\n${question}\n</query>`);
    expect(expansion?.json).not.toHaveProperty('temperature');
    expect(sent(asked)).toMatch(/<document index="1" source="ferries.md" title="Ferries">\nThe ferry to Skerry sails/);
    expect(sent(asked)).toContain(`Question: ${question}`);
    expect(sent(asked)).not.toContain('Timetable');
    server.assertComplete();
  });

  it('finds what only other words find', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [
      `n${at}.md`,
      `# Note ${at}\n\nA conveyance of goods, number ${at}.`,
    ]);
    await using folder = await temporaryFolder({
      ...Object.fromEntries(many),
      'z.md': '# Ostler\n\nThe ostler is Brannoch.',
    });
    await using server = await startMockServer((request) =>
      openAiChatWire.isStream(request) ? answer : openAiChatWire.call(['ostler Brannoch\nostler\nBrannoch']),
    );
    const asked = 'Who is in charge of the conveyance of goods?';
    const titles = async (rag: string): Promise<readonly unknown[]> => {
      const args = ['ask', '--json', '--docs', '.', '--rag', rag, asked];
      return sourcesIn(await run(args, { cwd: folder.path, env: openAi(server.url) })).map(({ title }) => title);
    };
    expect(await titles('simple')).not.toContain('Ostler');
    expect(await titles('advanced')).toContain('Ostler');
  });

  it('counts the tokens of all that was asked', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([others, answer, others, answer]);
    const args = ['ask', '--json', ...advanced, question, 'And when does it come back?'];
    const { json } = await run(args, { cwd: folder.path, env: openAi(server.url) });
    const counts = json.filter(({ type }) => type === 'answer').map((one) => one['usage']);
    const sum = { promptTokens: 31, completionTokens: 9, totalTokens: 40 };
    expect(counts).toEqual([expect.objectContaining(sum), expect.objectContaining(sum)]);
  });

  it('shows a model what stands around a passage that was found', async () => {
    const filler = (topic: string): string =>
      Array.from({ length: 40 }, (_, at) => `The ${topic} has a part that is called number ${at}.`).join(' ');
    const log = [filler('engine'), 'The captain of the Auk is Ingrith Vane.', filler('hull')].join('\n\n');
    await using folder = await temporaryFolder({ 'log.txt': log, 'a.md': 'Nothing.' });
    await using server = await startMockServer([openAiChatWire.call(['captain']), answer]);
    const asked = 'Who is the captain of the Auk?';
    await run(['ask', ...advanced, asked], { cwd: folder.path, env: openAi(server.url) });
    const shown = sent(server.requests[1]);
    const passage = /<document index="1" source="log.txt">\n([\s\S]*?)\n<\/document>/.exec(shown)?.[1] ?? '';
    expect(passage).toContain('Ingrith Vane');
    expect(passage).toMatch(/The engine has a part[\s\S]*Ingrith Vane[\s\S]*The hull has a part/);
    expect(passage.split(/\s+/).length).toBeGreaterThan(300);
    expect(log.replace(/\s+/g, ' ')).toContain(passage.replace(/\s+/g, ' '));
  });

  it('goes on without a step that fails, and says so', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([openAiChatWire.error('bad-request'), answer]);
    const { code, out, err } = await run(['ask', ...advanced, question], { cwd: folder.path, env: openAi(server.url) });
    expect([code, out]).toEqual([0, 'At noon [1].\n\n[1] ferries.md — Ferries\n']);
    expect(err).toMatch(
      /A part of retrieval failed: the turn goes on without it \{ step: 'expand', .*model_bad_request/,
    );
    expect(err).not.toContain('sk-mine');
  });

  it('says with --verbose which steps ran, what went in and came out, and what failed; never a text', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer([others, answer, openAiChatWire.error('bad-request'), answer]);
    const args = ['ask', '--verbose', ...advanced, question, 'And when does it come back?'];
    const { err } = await run(args, { cwd: folder.path, env: openAi(server.url) });
    const steps = [...err.matchAll(/^retrieval \{ step: '(\w+)', name: '(\w+)'(.*) \}$/gm)].map((found) =>
      found.slice(1, 4),
    );
    const start = steps.findLastIndex(([kind]) => kind === 'expand');
    const [first, second] = [steps.slice(0, start), steps.slice(start)];
    expect(first[0]).toEqual([
      'expand',
      'MultiQueryExpander',
      expect.stringMatching(/^, queries: 4, milliseconds: \d+$/),
    ]);
    expect(first).toContainEqual(['retrieve', 'vector', expect.stringMatching(/^, documents: 3, milliseconds: \d+$/)]);
    expect(first.map(([, name]) => name).filter((name) => name !== 'vector' && name !== 'keyword')).toEqual(STEPS);
    expect(second[0]).toEqual(['expand', 'MultiQueryExpander', expect.stringContaining("failed: 'model_bad_request'")]);
    for (const content of ['Skerry', 'noon', 'Timetable', 'sk-mine']) expect(err).not.toContain(content);
  });

  it('leaves the temperature to a model of Anthropic, too', async () => {
    await using folder = await temporaryFolder(files);
    await using server = await startMockServer(
      (request): WireReply =>
        anthropicMessagesWire.isStream(request)
          ? anthropicMessagesWire.stream(['At noon [1].'])
          : anthropicMessagesWire.call(['ferry times']),
    );
    const env = { ANTHROPIC_API_KEY: 'sk-mine', ANTHROPIC_BASE_URL: server.url };
    const { code } = await run(['ask', ...advanced, question], { cwd: folder.path, env });
    expect([code, server.requests.length]).toEqual([0, 2]);
    for (const { json } of server.requests) expect(json).not.toHaveProperty('temperature');
  });

  it('stops at Ctrl-C while the question is still being rewritten', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    await using server = await startMockServer([{ ...others, hold }]);
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli(['ask', ...advanced, question], io);
    await hold.reached;
    io.interrupt();
    expect(await code).toBe(130);
    await server.whenDropped(1);
    expect([io.stdout.text, io.stderr.text.split('\n').at(-2)]).toEqual(['', 'Stopped.']);
  });
});

const STEPS = [
  'MultiQueryExpander',
  'ReciprocalRankFusionJoiner',
  'candidates',
  'rerank',
  'dedupe',
  'top',
  'neighbours',
  'tokenBudget',
  'ContextualQueryAugmenter',
];

describe('chat --rag advanced', () => {
  it('searches for what a second question means', async () => {
    const fares = { ...files, 'fares.md': '# Fares\n\nThe ferry to Skerry costs nine crowns a crossing.' };
    await using folder = await temporaryFolder(fares);
    await using server = await startMockServer([
      others,
      answer,
      openAiChatWire.call([{ text: 'How much does the ferry to Skerry cost?', usage }]),
      openAiChatWire.call([{ text: 'fare of the Skerry ferry', usage }]),
      openAiChatWire.stream(['Nine crowns [1].']),
    ]);
    const { code, out } = await run(['chat', ...advanced], {
      cwd: folder.path,
      env: openAi(server.url),
      input: `${question}\nAnd how much is it?\n`,
    });
    expect([code, out]).toEqual([
      0,
      'At noon [1].\n\n[1] ferries.md — Ferries\nNine crowns [1].\n\n[1] fares.md — Fares\n',
    ]);
    const [, , compression, expansion, asked] = server.requests;
    expect(sent(compression)).toMatch(
      /<message from="user">\nWhen does the ferry to Skerry sail\?\n<\/message>\n<message from="assistant">\nAt noon \[1\]\./,
    );
    expect(sent(compression)).toContain('<query>\nAnd how much is it?\n</query>');
    expect(sent(expansion)).toContain('<query>\nHow much does the ferry to Skerry cost?\n</query>');
    // The model sees the conversation and the user's own words.
    const messages = openAiChatWire.request(asked?.json).messages;
    expect(messages.slice(1)).toMatchObject([
      { type: 'user', text: question },
      { type: 'assistant', text: 'At noon [1].' },
      { type: 'user', text: expect.stringMatching(/Question: And how much is it\?$/) },
    ]);
    server.assertComplete();
  });

  it('orders by what a second question means when it cannot be asked in several ways', async () => {
    const fares = { ...files, 'fares.md': '# Fares\n\nThe ferry to Skerry costs nine crowns a crossing.' };
    await using folder = await temporaryFolder(fares);
    await using server = await startMockServer([
      others,
      answer,
      openAiChatWire.call(['How much does the ferry to Skerry cost?']),
      openAiChatWire.error('bad-request'),
      openAiChatWire.stream(['Nine crowns [1].']),
    ]);
    const { out } = await run(['chat', ...advanced], {
      cwd: folder.path,
      env: openAi(server.url),
      input: `${question}\nThe corn: what is that, and how much?\n`,
    });
    expect(out).toMatch(/Nine crowns \[1\]\.\n\n\[1\] fares\.md — Fares\n$/);
  });

  it('remembers with the embedded model, which rewrites nothing', async () => {
    await using folder = await temporaryFolder(files);
    const { code, out } = await run(['chat', '--model', 'local', ...advanced], {
      cwd: folder.path,
      input: `${question}\nWhat does the mill of Corry grind?\n`,
    });
    expect([code, out]).toEqual([
      0,
      'The ferry to Skerry sails at noon. [1]\n\n[1] ferries.md — Ferries\nThe mill of Corry grinds rye. [1]\n\n[1] mills.md — Mills\n',
    ]);
  });

  it('does not count for a question what one that was stopped has spent', async () => {
    await using folder = await temporaryFolder(files);
    const hold = gate();
    await using server = await startMockServer([others, { ...answer, hold }, others, answer]);
    const io = fakeIo({ cwd: folder.path, env: openAi(server.url) });
    const code = runCli(['chat', '--json', ...advanced], io);
    io.stdin.write(`${question}\n`);
    await hold.reached;
    io.interrupt();
    await io.shown('"type":"stopped"');
    io.stdin.end(`${question}\n`);
    expect(await code).toBe(0);
    expect(io.json().at(-1)).toMatchObject({ type: 'answer', usage: { promptTokens: 31 } });
  });
});

describe('eval --rag advanced', () => {
  it('compares with simple: other documents, and all tokens', async () => {
    const set = jsonLines([
      { id: 'ferry', question, reference: 'noon', relevant: ['ferries.md'] },
      { id: 'mill', question: 'What is ground at Corry?', reference: 'rye', relevant: ['mills.md'] },
    ]);
    await using folder = await temporaryFolder({ ...files, 'set.dat': set });
    await using server = await startMockServer((request) => {
      const isExpansion = !sent(request).includes('\nQuestion: ');
      return isExpansion ? others : openAiChatWire.call([{ text: 'At noon [1].', usage }]);
    });
    const evaluated = async (rag: string): Promise<Record<string, unknown>> => {
      const args = ['eval', 'set.dat', '--docs', '.', '--evaluators', 'contains,mrr', '--json', '--out', rag];
      const { code, json } = await run([...args, '--rag', rag], { cwd: folder.path, env: openAi(server.url) });
      expect(code).toBe(0);
      return json.at(-1) ?? {};
    };
    expect(await evaluated('simple')).toMatchObject({
      spent: { pipeline: { promptTokens: 40, completionTokens: 10 } },
    });
    expect(await evaluated('advanced')).toMatchObject({
      spent: { pipeline: { promptTokens: 80, completionTokens: 20 } },
      summary: { mrr: { errors: 0 } },
    });
    const { out } = await run(['eval', 'compare', 'simple.json', 'advanced.json'], { cwd: folder.path });
    expect(out).toMatch(/\ncontains +2 +0\.500 +0\.500 /);
  });
});

describe('--rag', () => {
  it.each(['ask', 'chat', 'eval'])('of %s takes simple and advanced and nothing else', async (command) => {
    const { code, out, err } = await run([command, '--docs', '.', '--rag', 'fast', 'Why?'], { cwd: '/' });
    expect([code, out, err]).toEqual([2, '', 'There is no --rag fast: write --rag simple or --rag advanced.\n']);
  });

  it.each([['doctor'], ['ingest', '.', '--store', 'x']])('is no option of %s', async (...args) => {
    const { code, err } = await run([...args, '--rag', 'simple'], { cwd: '/' });
    expect([code, err]).toEqual([2, `There is no option --rag; see 'vernal ${args[0]} --help'.\n`]);
  });

  it.each([
    ['ask', ['Why?']],
    ['chat', []],
  ])('of %s needs documents', async (command, rest) => {
    await using server = await startMockServer([]);
    for (const rag of ['simple', 'advanced']) {
      const { code, out, err } = await run([command, '--rag', rag, ...rest], { cwd: '/', env: openAi(server.url) });
      expect([code, out]).toEqual([2, '']);
      expect(err).toBe('--rag is about documents: give some with --docs PATH or --store FILE.\n');
    }
    server.assertComplete();
  });

  it('counts the last time', async () => {
    await using folder = await temporaryFolder(files);
    const args = ['ask', '--verbose', '--model', 'local', ...advanced, '--rag', 'simple', question];
    expect((await run(args, { cwd: folder.path })).err).not.toContain('retrieval {');
  });
});
