import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCli } from '@vernal/cli';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownDocuments, ownQuestions } from '../../../../scripts/own-documents.mjs';

interface Answer {
  readonly type: string;
  readonly question: string;
  readonly text: string;
  readonly sources: readonly { readonly index: number; readonly source: string; readonly cited: boolean }[];
}

/** What the documents have to say, and where; in the order of the questions of `npm start`. */
const expected: readonly { readonly fact: RegExp; readonly source: string }[] = [
  { fact: /one tool .*\b40 times/, source: 'docs/concepts.html' },
  { fact: /written aside and then renamed.* leaves the old file as it was/, source: 'docs/command-line.md' },
  { fact: /opened was not closed/, source: 'docs/troubleshooting.txt' },
];
const unanswerable = 'Which orchestra plays at the opening of the winter garden?';

let code: number;
let answers: readonly Answer[];
beforeAll(async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough({ encoding: 'utf8' }), new PassThrough()];
  const documents = ownDocuments().flatMap((path) => ['--docs', path]);
  const args = ['ask', '--json', '--model', 'local', ...documents, ...ownQuestions, unanswerable];
  const cwd = fileURLToPath(new URL('../../../../', import.meta.url));
  const written: string[] = [];
  stdout.on('data', (text: string) => written.push(text));
  code = await runCli(args, { stdin, stdout, stderr, env: {}, cwd, onInterrupt: () => () => {} });
  const lines: Answer[] = written
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  answers = lines.filter(({ type }) => type === 'answer');
});

describe('Vernal asked about itself, with the embedded models', () => {
  it('answers all of it, which is no failure', () => {
    expect(code).toBe(0);
    expect(answers.map(({ question }) => question)).toEqual([...ownQuestions, unanswerable]);
    expect(new Set(expected.map(({ source }) => source.replace(/.*\./, ''))).size).toBe(ownQuestions.length);
  });

  it.each(ownQuestions.map((question, at) => ({ question, at })))('$question', ({ at }) => {
    const { text = '', sources = [] } = answers[at] ?? {};
    const { fact, source } = expected[at] ?? {};
    // The quote that holds the fact, and what it cites.
    const quote = text.split('\n\n').find((part) => fact?.test(part)) ?? '';
    const cited = Number(/\[(\d+)\]$/.exec(quote)?.[1]);
    expect(sources.find(({ index }) => index === cited)).toMatchObject({ source, cited: true });
    expect(text.startsWith(quote)).toBe(true);
  });

  it('says so when the documents do not', () => {
    expect(answers.at(-1)?.text).toBe('The documents do not say.');
    expect(answers.at(-1)?.sources.filter(({ cited }) => cited)).toEqual([]);
  });
});
