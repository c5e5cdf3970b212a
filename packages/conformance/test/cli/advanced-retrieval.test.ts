import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCli } from '@vernal/cli';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const data = new URL('../../../../examples/rag-lab/data/', import.meta.url);
/** Every so manyth question: enough to see the difference, few enough to be quick. */
const EVERY = 5;

async function readLines<T>(name: string): Promise<T[]> {
  const text = await readFile(new URL(name, data), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'vernal-jargon-'));
  const passages = await readLines<{ id: string; text: string }>('passages.jsonl');
  const names = new Map(passages.map(({ id }, at) => [id, `entry-${at}.txt`]));
  for (const { id, text } of passages) await writeFile(join(cwd, names.get(id) ?? ''), text);
  const questions = await readLines<{ id: string; question: string; relevant: Record<string, number> }>(
    'questions.jsonl',
  );
  const set = questions
    .filter((_, at) => at % EVERY === 0)
    .map(({ id, question, relevant }) => {
      const sources = Object.entries(relevant).map(([entry, grade]) => [names.get(entry), grade]);
      return JSON.stringify({ id, question, relevant: Object.fromEntries(sources) });
    });
  await writeFile(join(cwd, 'questions.set'), set.join('\n'));
  await vernal('ingest', '.', '--store', 'entries.vernal');
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

/** The last line of JSON that the command prints. */
async function vernal(...args: readonly string[]): Promise<Record<string, unknown>> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough({ encoding: 'utf8' }), new PassThrough()];
  const written: string[] = [];
  stdout.on('data', (text: string) => written.push(text));
  const io = { stdin, stdout, stderr: stderr.resume(), env: {}, cwd, onInterrupt: () => () => {} };
  expect(await runCli([...args, '--json'], io)).toBe(0);
  return JSON.parse(written.join('').trimEnd().split('\n').at(-1) ?? '');
}

type Summary = Readonly<Record<string, { readonly meanScore: number }>>;

async function evaluated(rag: string): Promise<Summary> {
  const documents = ['--store', 'entries.vernal', '--model', 'local', '--rag', rag];
  return (await vernal('eval', 'questions.set', ...documents, '--evaluators', 'hit@1,hit@5,mrr'))['summary'] as Summary;
}

describe('vernal eval on 40 questions about entries of the Jargon File, with the embedded models', () => {
  it('finds more with --rag advanced than with the one search', async () => {
    const [simple, advanced] = [await evaluated('simple'), await evaluated('advanced')];
    const gain = (name: string): number => (advanced[name]?.meanScore ?? 0) - (simple[name]?.meanScore ?? 1);
    expect(gain('mrr')).toBeGreaterThan(0.03);
    expect(gain('hit@1')).toBeGreaterThan(0.03);
    expect(gain('hit@5')).toBeGreaterThanOrEqual(0);
  }, 60_000);
});
