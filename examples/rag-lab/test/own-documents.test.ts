import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { document } from '@vernal/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measure } from '../src/measure.js';
import { pipelines } from '../src/pipelines.js';
import { ownSet } from '../src/question-set.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rag-lab-'));
  mkdirSync(join(folder, 'docs/garden'), { recursive: true });
  writeFileSync(
    join(folder, 'docs/garden/roses.md'),
    '# Roses\n\nPrune roses in early spring.\n\n## Water\n\nDaily.\n',
  );
  writeFileSync(join(folder, 'docs/bees.txt'), 'The hive behind the chapel gives 14 kilos of honey.');
  writeFileSync(join(folder, 'docs/notes.pdf'), 'not read');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function questions(...lines: unknown[]): string {
  const path = join(folder, 'questions.jsonl');
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('\n'));
  return path;
}

describe('documents and questions of your own', () => {
  it('are read from a folder and a file, and measured without a model', async () => {
    const file = questions(
      { question: 'When are roses pruned?', relevant: ['garden/roses.md'] },
      { question: 'How much honey is there?', relevant: { 'bees.txt': 2, 'garden/roses.md': 0 } },
    );
    const set = await ownSet(join(folder, 'docs'), file);
    expect(set.documents.map((found) => set.keyOf(found))).toEqual(['bees.txt', 'garden/roses.md', 'garden/roses.md']);
    expect(set.questions.map(({ id }) => id)).toEqual(['1', '2']);
    const rows = await measure(set, await pipelines(set.documents));
    expect(rows.map(({ pipeline, recall5 }) => [pipeline, recall5])).toEqual([
      ['naive: vectors', 1],
      ['keywords: BM25', 1],
      ['hybrid', 1],
      ['hybrid + rerank', 1],
    ]);
  });

  it.each([
    ['a file that there is not', { question: 'a', relevant: ['rose.md'] }, /question 1.*'rose\.md'/],
    ['no question', { relevant: ['bees.txt'] }, /line 1.*question/],
    ['no labels', { question: 'a' }, /line 1.*relevant/],
    ['a list for an object', [1], /line 1/],
    ['no JSON', 'When?', /JSON/],
    ['no question at all', '', /questions.*none/],
  ])('are refused with %s', async (_, line, message) => {
    await expect(ownSet(join(folder, 'docs'), questions(line))).rejects.toThrow(message);
  });

  it('end with the pipeline that fails, by name', async () => {
    const documents = [document({ id: 'a', text: 'a' })];
    const broken = new Map([
      [
        'broken',
        {
          documentRetriever: {
            retrieve: () => {
              throw new Error('down');
            },
          },
        },
      ],
    ]);
    const set = { documents, questions: [{ id: 'q', question: 'a', relevant: ['a'] }], keyOf: () => 'a' };
    await expect(measure(set, broken)).rejects.toThrow('down');
  });
});
