import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, pages, promisedLines } from '../../../../scripts/pages.mjs';
import { readmeExamples } from '../../../../scripts/readme-examples.mjs';
import { ExampleFiles } from './example-files.js';

const all = pages();
const examples = all.flatMap(({ name, text }) =>
  codeBlocks(text)
    .filter(({ language }) => language === 'ts')
    .map(({ code }, index) => ({ name: `${name} ${index + 1}`, code, prints: promisedLines(code) })),
);
/** Those of the READMEs that come first are run by a test of their own. */
const runElsewhere = new Set(readmeExamples().map(({ code }) => code));
const running = examples.filter(({ code, prints }) => prints.length > 0 && !runElsewhere.has(code));

let files: ExampleFiles;
beforeAll(() => {
  files = new ExampleFiles('pages');
  for (const { name, code } of examples) files.write(name, code);
});
afterAll(() => {
  files.remove();
});

describe('the examples of all pages', () => {
  it('are many, in the languages that are checked or need no check', () => {
    expect(examples.length).toBeGreaterThan(20);
    const languages = new Set(all.flatMap(({ text }) => codeBlocks(text).map(({ language }) => language)));
    expect([...languages].sort()).toEqual(['java', 'json', 'sh', 'text', 'ts']);
  });

  it('that are JSON can be read', () => {
    const texts = all.flatMap(({ text }) => codeBlocks(text).filter(({ language }) => language === 'json'));
    for (const { code } of texts) expect(() => JSON.parse(code), code).not.toThrow();
  });

  it('compile, each by itself', { timeout: 240_000 }, () => {
    expect(files.typeErrors(examples.map(({ name }) => name))).toEqual([]);
  });

  it.each(running)('$name prints what it says', async ({ name, prints }) => {
    const printed = await files.run(name);
    for (const text of prints) expect(printed).toContain(text);
  });
});
