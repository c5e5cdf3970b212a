import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from './run.js';
import { temporaryFolder } from './temporary-folder.js';

const cwd = '/';
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

describe('help and version', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j shows the program', async (args) => {
    const { code, out, err } = await run(args, { cwd });
    expect([code, err]).toEqual([0, '']);
    for (const command of ['ask', 'chat', 'ingest', 'eval', 'mcp', 'doctor'])
      expect(out).toContain(`vernal ${command}`);
  });

  it.each(['ask', 'chat', 'ingest', 'eval', 'mcp', 'doctor'])(
    'has one help for %s, however it is asked for',
    async (command) => {
      const [first, ...others] = await Promise.all(
        [
          ['help', command],
          [command, '--help'],
          [command, '--nonsense', '-h'],
        ].map((args) => run(args, { cwd })),
      );
      expect(first?.out).toMatch(new RegExp(`^vernal ${command}`));
      for (const option of ['--model', '--embedding-model', '--json', '--verbose', '--help', '--version'])
        expect(first?.out).toContain(option);
      for (const other of others) expect(other).toEqual(first);
    },
  );

  it.each([[['--version']], [['-v']], [['ask', '--version']]])('%j shows the version', async (args) => {
    expect(await run(args, { cwd })).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('a command line that is wrong', () => {
  const faults: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
    [
      ['aks', 'x'],
      /^There is no command 'aks': there are ask, chat, ingest, eval, mcp, doctor; see 'vernal --help'\.\n$/,
    ],
    [['help', 'aks'], /^There is no command 'aks'/],
    [['toString'], /^There is no command 'toString'/],
    [['help', 'constructor'], /^There is no command 'constructor'/],
    [['--json', 'ask'], /^\{"type":"error"/],
    [['--model', 'local', 'ask', 'x'], /^A command has to come before --model: write one of ask/],
    [['ask', '--docz', 'a', 'x'], /^There is no option --docz; see 'vernal ask --help'\.\n$/],
    [['ingest', '--chat', 'a', '--store', 'b'], /^There is no option --chat; see 'vernal ingest --help'\.\n$/],
    [['ask', '-x', 'a'], /^There is no option -x;/],
    [['ask', 'x', '--docs'], /^The option --docs needs a value; see 'vernal ask --help'\.\n$/],
    [['ask', '--docs', '--json=yes', 'x'], /^The option --docs needs a value;/],
    [['ask', '--verbose=yes', 'x'], /^Option '--verbose' does not take an argument;/],
    [['ask', '--model=', 'x'], /^--model is empty: give it a value\.\n$/],
    [['ask', '--docs', '', 'x'], /^--docs is empty: give it a value\.\n$/],
    [['ask', '--docs', '.'], /^The question is empty: write it in quotes behind the options\.\n$/],
    [['ask', '--docs', '.', ' \t'], /^The question is empty/],
    [['ask', '--docs', '.', 'x', ''], /^The question is empty/],
    [['ask', '--store', 'a', '--store=b', 'x'], /^--store is there twice: name one store\.\n$/],
    [['chat', '--docs', '.', 'how many?'], /^vernal chat takes no question on its line/],
    [['ingest', '--store', 'a'], /^No document found: name the files or folders to ingest\.\n$/],
    [['ingest', '.'], /^Say where the store is to be: add --store FILE\.\n$/],
    [['ingest', ' ', '--store', 'a'], /^A path is empty: name a file or a folder\.\n$/],
    [['ask', 'x'], /^No document found: the embedded model only quotes documents; give it some with --docs PATH or/],
    [
      ['ask', '--model', 'gpt-5', 'x'],
      /^There is no provider 'gpt-5' for --model: write one of openai:name, .*local\.\n$/,
    ],
    [['ask', '--model', 'openai:', 'x'], /^--model openai: has no name after the colon/],
    [['ask', '--model', 'openai', 'x'], /^--model openai needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL/],
    [['ask', '--model', 'anthropic:x', 'x'], /^--model anthropic needs a key: set ANTHROPIC_API_KEY/],
    [
      ['ask', '--model', 'ollama', 'x'],
      /^No Ollama server with a chat model answers at http:\/\/127\.0\.0\.1:9: start it/,
    ],
    [['ask', '--model', 'local:big', 'x'], /^There is no local model 'big': write --model local\.\n$/],
    [['doctor', 'now'], /^vernal doctor takes no arguments/],
  ];

  it.each(faults)('%j', async (args, sentence) => {
    const { code, out, err } = await run(args, { cwd });
    expect(code).toBe(2);
    expect(out + err).toMatch(sentence);
    expect(err).not.toContain('    at ');
  });

  it('is a line of JSON with --json, and a stack trace on stderr with --verbose', async () => {
    const { code, json, err } = await run(['ask', '--json', '--verbose', '--docs', 'nowhere', 'x'], { cwd });
    expect([code, json]).toEqual([
      2,
      [{ type: 'error', code: 'usage', message: 'No document found: there is nothing at nowhere; check the path.' }],
    ]);
    expect(err).toContain('    at ');
  });

  it('does not take for an option what stands behind --', async () => {
    const { out, err } = await run(['ask', '--', '--json'], { cwd });
    expect([out, err]).toEqual(['', expect.stringMatching(/^No document found/)]);
  });

  it.each([['OPENAI_BASE_URL'], ['ANTHROPIC_BASE_URL']])('names %s when it is no address', async (name) => {
    const model = name.startsWith('OPENAI') ? 'openai' : 'anthropic';
    const { code, err } = await run(['ask', '--model', model, 'x'], { cwd, env: { [name]: 'localhost' } });
    expect([code, err]).toEqual([2, `${name} is no address: write it as http://host:port/path.\n`]);
  });

  it('names OLLAMA_HOST when it is no address', async () => {
    const { code, err } = await run(['ask', 'x'], { cwd, env: { OLLAMA_HOST: 'a b' } });
    expect([code, err]).toEqual([2, 'OLLAMA_HOST is no address: write it as host:port.\n']);
  });
});

describe('several paths and questions', () => {
  const files = {
    'a b.md': '# One\n\nThe colour of the lamp is red.',
    'ü.md': '# Two\n\nThe colour of the door is blue.',
  };
  const ask = ['ask', '--json', '--model', 'local'];

  it('takes what a shell makes of --docs *.md, until something is not there', async () => {
    await using folder = await temporaryFolder(files);
    const { json } = await run([...ask, '--docs', 'a b.md', 'ü.md', 'Which colour has the door?'], {
      cwd: folder.path,
    });
    expect(json).toContainEqual(expect.objectContaining({ type: 'ready', files: 2 }));
    expect(json.at(-1)).toMatchObject({
      question: 'Which colour has the door?',
      text: 'The colour of the door is blue. [1]',
    });
  });

  it('asks words that came without quotes as one question', async () => {
    await using folder = await temporaryFolder(files);
    const { json } = await run([...ask, '--docs=.', 'which', 'colour', 'has', 'the', 'lamp?'], { cwd: folder.path });
    expect(json.filter(({ type }) => type === 'answer')).toMatchObject([{ question: 'which colour has the lamp?' }]);
  });

  it('answers two questions one after the other', async () => {
    await using folder = await temporaryFolder(files);
    const questions = ['Which colour has the lamp?', 'Which colour has the door?'];
    const { json } = await run([...ask, '--docs', '.', ...questions], { cwd: folder.path });
    expect(json.filter(({ type }) => type === 'answer')).toMatchObject([
      { question: questions[0], text: 'The colour of the lamp is red. [1]' },
      { question: questions[1], text: 'The colour of the door is blue. [1]' },
    ]);
    const { out } = await run(['ask', '--model', 'local', '--docs', '.', ...questions], { cwd: folder.path });
    expect(out).toBe(
      '\n? Which colour has the lamp?\n\nThe colour of the lamp is red. [1]\n\n[1] a b.md — One\n' +
        '\n? Which colour has the door?\n\nThe colour of the door is blue. [1]\n\n[1] ü.md — Two\n',
    );
  });

  it('asks a question that looks like an option behind --', async () => {
    await using folder = await temporaryFolder(files);
    const { json } = await run([...ask, '--docs', '.', '--', '--lamp colour?'], { cwd: folder.path });
    expect(json.at(-1)).toMatchObject({
      type: 'answer',
      question: '--lamp colour?',
      text: 'The colour of the lamp is red. [1]',
    });
  });

  it.each([
    [['a b.md', ''], /^The question is empty: write it in quotes behind the options\.\n$/],
    [['a b.md', './handbok', 'How many days?'], /^There is nothing at \.\/handbok: check the path\.\n$/],
    [['a b.md', 'How many days?', '../nowhere'], /^There is nothing at \.\.\/nowhere: check the path\.\n$/],
    [['a b.md', '/no/such', 'How many?'], /^There is nothing at \/no\/such: check the path\.\n$/],
    [['a b.md', '~/notes', 'How many?'], /^There is nothing at ~\/notes: check the path\.\n$/],
    [
      ['a b.md', 'c.MD', 'How many?'],
      /^There is nothing at c\.MD: check the path, or put the whole question in quotes\.\n$/,
    ],
    [['.', 'How many?', './sub'], /^\.\/sub is a folder, not a question: write --docs \.\/sub\.\n$/],
    [['.', 'what', 'holds', 'sub'], /^sub is a folder, .*: write --docs sub, or put the whole question in quotes\.\n$/],
    [['.', 'How many?', 'a b.md'], /^a b\.md is a file, not a question: write --docs a b\.md/],
  ])('does not take a path for a question: %j', async (words, sentence) => {
    await using folder = await temporaryFolder({ ...files, 'sub/c.md': 'Nothing.' });
    const { code, out, err } = await run(['ask', '--model', 'local', '--docs', ...words], { cwd: folder.path });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });

  it('does not take for a path what stands behind --, or a sentence that names one', async () => {
    await using folder = await temporaryFolder(files);
    for (const words of [['--', './lamp'], ['--', 'ü.md'], ['./lamp has which colour?'], ['What stands in c.md']]) {
      const { code, json } = await run([...ask, '--docs', '.', ...words], { cwd: folder.path });
      expect([code, json.at(-1)?.['question']]).toEqual([0, words.at(-1)]);
    }
  });

  it('tells chat that a path is not there', async () => {
    await using folder = await temporaryFolder(files);
    const { code, err } = await run(['chat', '--docs', 'ü.md', './c'], { cwd: folder.path });
    expect([code, err]).toEqual([2, 'There is nothing at ./c: check the path.\n']);
  });

  it('says in its help what words without quotes become', async () => {
    const { out } = await run(['ask', '--help'], { cwd });
    expect(out).toContain('several words without quotes become one question');
  });

  it('counts the last of an option that is repeated', async () => {
    await using folder = await temporaryFolder(files);
    const args = ['ask', '--json', '--model', 'nonsense', '--model', 'local', '--docs', '.', 'Is the door blue?'];
    expect(await run(args, { cwd: folder.path })).toMatchObject({ code: 0 });
  });
});
