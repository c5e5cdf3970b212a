import { invalidArgument } from '@vernal/core';
import {
  compareRuns,
  type EvaluationRun,
  type Evaluator,
  evaluate,
  evaluationResponse,
  htmlReport,
  jsonReport,
  readRun,
  textComparison,
  textReport,
} from '@vernal/evaluation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coded } from './samples.js';

const ATTACK = `<script>alert('x')</script><img src=x onerror="y">&amp;\u0000\u001B[31m`;
const judging: Evaluator = {
  name: 'judging',
  evaluate: async ({ response }) =>
    evaluationResponse({
      verdict: response === 'unclear' ? 'inconclusive' : response === 'wrong' ? 'fail' : 'pass',
      feedback: `reason for ${response}`,
      metadata: { quoted: response, list: [response], count: 3, flag: true },
    }),
};
const run = (responses: Readonly<Record<string, string>>, name?: string): Promise<EvaluationRun> =>
  evaluate(
    Object.entries(responses).map(([id, input]) => ({ id, input, reference: `ref ${input}` })),
    (response) => {
      if (response === 'broken') throw new TypeError('x');
      return { response, userText: `q ${response}`, usage: { promptTokens: 12_345, completionTokens: 6 }, model: 'm' };
    },
    [judging],
    { name, prices: { m: { input: 1, output: 1 } } },
  );

/** Tags of a page and their attributes, outside of the style. */
function tagsOf(page: string): string[] {
  const body = page.replace(/<style>[\s\S]*?<\/style>/, '');
  return Array.from(body.matchAll(/<[^>]*>/g), ([tag]) => tag);
}

describe('the HTML report', () => {
  it('shows everything that was judged as text', async () => {
    const evil = await run({ [ATTACK]: ATTACK }, ATTACK);
    const comparison = compareRuns(evil, await run({ [ATTACK]: 'wrong', [`${ATTACK}2`]: ATTACK }, ATTACK));
    const page = htmlReport(evil, { contents: true, comparison, language: ATTACK });
    const tags = new Set(tagsOf(page).map((tag) => /^<\/?!?(\w+)/.exec(tag)?.[1]));
    expect(tags).not.toContain('script');
    expect(tags).not.toContain('img');
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;');
    expect(page).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(
      tagsOf(page)
        .join('')
        .replace(/"[^"]*"/g, '""'),
    ).not.toMatch(/\son\w+=/);
  });

  it('loads nothing and says so', async () => {
    const page = htmlReport(await run({ a: 'https://example.org/x.png' }), { contents: true });
    expect(tagsOf(page).join('\n')).not.toMatch(/\b(?:src|href|url)\s*=|https?:/i);
    expect(page).not.toMatch(/@import|url\(/);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('has headed tables, described charts, and both colours', async () => {
    const page = htmlReport(await run({ a: 'right', b: 'wrong', c: 'unclear', d: 'broken' }));
    const tables = page.match(/<table>/g)?.length;
    expect(page.match(/<caption>/g)?.length).toBe(tables);
    expect(page).toContain('<svg role="img"');
    expect(page).toContain('<title>judging: 1 passed, 1 failed, 1 inconclusive, 1 errors</title>');
    expect(page).toMatch(/<th scope="col"/);
    expect(page).toMatch(/<th scope="row">a<\/th>/);
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page).toContain('lang="en"');
    expect(page).toContain('TypeError');
    // Opened tags are closed.
    for (const tag of ['table', 'tr', 'td', 'th', 'section', 'svg', 'div', 'tbody']) {
      const opened = page.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0;
      expect([tag, page.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0]).toEqual([tag, opened]);
    }
  });

  it('draws parts that fill the bar', async () => {
    const page = htmlReport(await run({ a: 'right', b: 'wrong', c: 'unclear', d: 'broken' }));
    const widths = Array.from(
      page.matchAll(/<rect class="(?:pass|fail|open|broken)"[^>]* width="([\d.]+)"/g),
      ([, w]) => Number(w),
    );
    expect(widths).toEqual([80, 80, 80, 80]);
  });

  it('shows a comparison above the run', async () => {
    const [before, after] = [
      await run({ a: 'right', b: 'wrong' }, 'old'),
      await run({ a: 'right', b: 'right' }, 'new'),
    ];
    const page = htmlReport(after, { comparison: compareRuns(before, after) });
    expect(page).toContain('Compared: old (');
    expect(page).toContain('+0.500');
    expect(page).toContain('<td class="verdict-pass">better</td>');
    expect(page).not.toContain('NaN');
  });

  it('is whole for a run without cases', async () => {
    const page = htmlReport(await run({}), { comparison: compareRuns(await run({}), await run({})) });
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('escapes any text', async () => {
    const base = await run({ a: 'right' });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const page = htmlReport({ ...base, name: `x${text}y` });
        const title = /<h1>x([\s\S]*)y<\/h1>/.exec(page)?.[1] ?? '<';
        expect(title).not.toMatch(/[<>"']/);
        expect(title.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });
});

describe('contents', () => {
  it('stand in no report unless they are wanted', async () => {
    const evaluated = await run({ a: 'the answer' });
    for (const text of [jsonReport(evaluated), htmlReport(evaluated), textReport(evaluated)]) {
      expect(text).not.toContain('the answer');
    }
    for (const text of [jsonReport(evaluated, { contents: true }), htmlReport(evaluated, { contents: true })]) {
      for (const content of ['the answer', 'q the answer', 'ref the answer', 'reason for the answer']) {
        expect(text).toContain(content);
      }
    }
    expect(readRun(JSON.parse(jsonReport(evaluated))).cases[0]?.results['judging']?.metadata).toEqual({
      count: 3,
      flag: true,
    });
  });
});

describe('a run in JSON', () => {
  it('comes back as it was, and compares as it was', async () => {
    const evaluated = await run({ a: 'right', b: 'broken', c: 'unclear' }, 'main');
    expect(readRun(JSON.parse(jsonReport(evaluated, { contents: true })))).toEqual(evaluated);
    const bare = readRun(JSON.parse(jsonReport(evaluated)));
    expect(compareRuns(bare, evaluated)).toEqual(compareRuns(evaluated, evaluated));
  });

  it('is refused when it is none, of another version, or damaged', async () => {
    const evaluated = JSON.parse(jsonReport(await run({ a: 'right' })));
    for (const wrong of [undefined, null, 1, [], {}, { ...evaluated, version: 2 }]) {
      expect(() => readRun(wrong)).toThrow(coded('invalid_argument', 'run'));
    }
    const damaged = [
      { ...evaluated, cases: [{}] },
      { ...evaluated, cases: {} },
      { ...evaluated, summary: { judging: { passed: -1 } } },
      { ...evaluated, spent: undefined },
      { ...evaluated, cases: [{ ...evaluated.cases[0], results: { judging: { verdict: 'yes' } } }] },
    ];
    for (const one of damaged) expect(() => readRun(one)).toThrow(coded('invalid_argument', 'run'));
  });

  it('is to be parsed before it is read', async () => {
    const text = jsonReport(await run({ a: 'right' }));
    expect(() => readRun(text)).toThrow('run: is a text: give what JSON.parse() makes of it');
  });
});

describe('the text report', () => {
  it('is a table and what the run took', async () => {
    const text = textReport(await run({ a: 'right', b: 'wrong', c: 'unclear', d: 'broken' }));
    const [head, row, blank, cases, tokens] = text.split('\n');
    expect(head).toBe('evaluator  passed  failed  inconclusive  errors  mean score');
    expect(row).toBe('judging         1       1             1       1       0.500');
    expect(blank).toBe('');
    expect(cases).toMatch(/^4 cases in \d+ ms, 1 of them failed$/);
    expect(tokens).toBe('tokens of the pipeline: 37 035 in, 18 out, cost 0.0371');
  });

  it('takes no name and no id for a line of its own, nor lets one turn round what is read', async () => {
    const id = 'x\n\nall good\u202E\u2028y';
    const before = await run({ [id]: 'right', z: 'wrong' }, 'a');
    const after = await run({ [id]: 'wrong', z: 'wrong' }, 'b');
    const [summary] = Object.values(before.summary);
    const named = { ...before, summary: summary === undefined ? {} : { 'judging\nmore': summary } };
    expect(textReport(named).split('\n')).toHaveLength(textReport(before).split('\n').length);
    const lines = textComparison(compareRuns(before, after)).split('\n');
    expect(lines.at(-1)).toBe('judging worse: x all good y');
  });

  it('says once what went wrong, in three lines at most', async () => {
    const reasons = ['documents', 'documents', 'reference', 'userText', 'response'];
    let asked = 0;
    const failing: Evaluator = {
      name: 'failing',
      evaluate: async () => {
        throw invalidArgument(reasons[asked++] ?? '', 'is missing');
      },
    };
    const pipeline = () => ({ response: 'secret' });
    const made = await evaluate(
      reasons.map((_, id) => ({ id: `c${id}`, input: 'q' })),
      pipeline,
      [failing],
      { concurrency: 1 },
    );
    const text = textReport(made);
    expect(text).toContain('failing: invalid_argument: documents: is missing (2 times)\n');
    expect(text).toContain('failing: invalid_argument: reference: is missing\n');
    expect(text).toMatch(/and 1 more kind of failure$/);
    expect(text).not.toContain('secret');
    expect(textReport(made, { errors: false })).not.toContain('invalid_argument');
    expect(textReport(await run({ a: 'broken' }))).toMatch(
      /^1 case in \d+ ms, 1 of them failed\n[\s\S]*pipeline: TypeError$/m,
    );
  });

  it('steers no terminal', async () => {
    const evil = await run({ [ATTACK]: 'right' }, ATTACK);
    const other = await run({ [ATTACK]: 'wrong' }, ATTACK);
    expect(textReport(evil)).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(textComparison(compareRuns(evil, other))).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('of a comparison names what changed, ten of a kind', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `c${i}`);
    const all = (word: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, word]));
    const text = textComparison(compareRuns(await run({ ...all('right'), old: 'right' }), await run(all('wrong'))));
    expect(text).toContain('−1.000');
    expect(text).toContain('judging worse: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 and 2 more');
    expect(text).toContain('cases only before: old');
  });
});
