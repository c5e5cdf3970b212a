import { readFileSync } from 'node:fs';
import { describeVectorStore, type SuiteReport, type TestRunner } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import { expect, it } from 'vitest';
import { MADE, setUpTable, supportTable } from '../../../../scripts/support-table.mjs';

const page = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const rows = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('| '));
const made = (path: string): string[] => rows(MADE.exec(page(path))?.[0] ?? '');

/** The whole suite on a store that needs no engine. */
async function report(): Promise<SuiteReport> {
  const cases: (() => Promise<void>)[] = [];
  const ends: (() => Promise<void>)[] = [];
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    it: (_name, body) => void cases.push(body),
    skip: () => {},
    afterAll: (body) => void ends.push(body),
  };
  let found: SuiteReport | undefined;
  describeVectorStore(
    'SimpleVectorStore, cosine',
    ({ embeddingModel }) => ({ subject: new SimpleVectorStore({ embeddingModel }) }),
    {
      runner,
      onReport: (one) => {
        found = one;
      },
    },
  );
  for (const one of cases) await one();
  for (const end of ends) await end();
  if (found === undefined) throw new Error('the suite gave no report');
  return found;
}

it('the tables of what the stores can do are of the suite of today: node scripts/support-matrix.mjs --write', async () => {
  const own = await report();
  const [head, line, row] = rows(supportTable([own]));
  const whole = made('docs/vector-stores.md');
  expect(whole.slice(0, 2)).toEqual([head, line]);
  expect(whole).toContain(row);
  expect(whole.length).toBeGreaterThan(12);
  expect(made('packages/vector-store/README.md')).toContain(rows(setUpTable([own], 'SimpleVectorStore')).at(-1));
  for (const store of ['pgvector', 'redis', 'sqlite'])
    expect(made(`packages/vector-stores/${store}/README.md`).length).toBeGreaterThan(4);
});
