import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measure } from '../src/measure.js';
import { MeteredChatModel } from '../src/metered-chat-model.js';
import { pipelines } from '../src/pipelines.js';
import { shippedSet } from '../src/question-set.js';
import { RecordedChatModel, type Recording } from '../src/recorded-chat-model.js';
import { table } from '../src/table.js';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const recording = JSON.parse(read('data/recorded-answers.json')) as Recording;

describe('the question set', () => {
  it('names in its labels only passages that there are, and asks every question once', async () => {
    const { documents, questions } = await shippedSet('all');
    const ids = new Set(documents.map(({ id }) => id));
    expect(ids.size).toBe(documents.length);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
    for (const { id, relevant } of questions) {
      const names = Object.keys(relevant);
      expect(names.length, id).toBeGreaterThan(0);
      for (const name of names) expect(ids, id).toContain(name);
    }
  });

  it('has two halves that share no question and hold every kind', async () => {
    const [dev, test, all] = await Promise.all([shippedSet('dev'), shippedSet('test'), shippedSet('all')]);
    expect(dev.questions.length + test.questions.length).toBe(all.questions.length);
    const kinds = ['keyword', 'paraphrase', 'plain', 'several', 'vague'];
    for (const { questions } of [dev, test])
      expect([...new Set(questions.map(({ kind }) => kind))].sort()).toEqual(kinds);
  });

  it('has a recorded answer to whatever the pipelines ask', async () => {
    const { questions } = await shippedSet('all');
    for (const { question } of questions) {
      expect(recording.rewrite[question], question).toBeDefined();
      expect(recording.variants[question], question).toBeDefined();
    }
  });
});

describe('the pipelines on the half that nothing was tuned on', () => {
  it('rank as the README says: hybrid search with reranking is ahead of vectors alone', {
    timeout: 240_000,
  }, async () => {
    const set = await shippedSet('test');
    const models = {
      rewrite: new MeteredChatModel(new RecordedChatModel(recording.model, recording.rewrite)),
      variants: new MeteredChatModel(new RecordedChatModel(recording.model, recording.variants)),
    };
    const rows = await measure(set, await pipelines(set.documents, models), { models: Object.values(models) });
    const row = (name: string) => rows.find(({ pipeline }) => pipeline === name);

    const naive = row('naive: vectors');
    const reranked = row('hybrid + rerank');
    expect(reranked?.ndcg10).toBeGreaterThan((naive?.ndcg10 ?? 1) + 0.05);
    expect(reranked?.recall5).toBeGreaterThan((naive?.recall5 ?? 1) + 0.05);
    expect(reranked?.beside?.interval[0]).toBeGreaterThan(0);
    expect(reranked?.beside?.better).toBeGreaterThan(2 * (reranked?.beside?.worse ?? 99));

    expect(rows.map(({ pipeline, modelCalls }) => [pipeline, modelCalls])).toEqual([
      ['naive: vectors', 0],
      ['keywords: BM25', 0],
      ['hybrid', 0],
      ['hybrid + rerank', 0],
      ['rewrite', 1],
      ['multi-query', 1],
      ['all together', 2],
    ]);
    for (const { milliseconds } of rows) expect(milliseconds).toBeGreaterThan(0);

    // Milliseconds belong to a machine; all else is the same everywhere.
    const withoutTimes = (text: string): string[] =>
      text
        .split('\n')
        .filter((line) => /^\| (?!-|pipeline)/.test(line))
        .map((line) => line.replace(/\| +[\d.]+ (?=\| +[\d.]+ \|$)/, '').replace(/ +/g, ' '));
    const measured = withoutTimes(table(rows));
    expect(withoutTimes(read('README.md').split('## What came out')[1] ?? '').slice(0, measured.length)).toEqual(
      measured,
    );
  });
});
