import { bytesResource } from '@vernal/core';
import { MarkdownReader, type MarkdownReaderOptions } from '@vernal/readers-markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const read = (markdown: string, options?: MarkdownReaderOptions) =>
  new MarkdownReader(bytesResource(markdown), options).read();

/** Letters that rules are run on: what is quadratic looks at the rest of the page again at every place. */
async function letters(markdown: string): Promise<number> {
  const { exec } = RegExp.prototype;
  let sum = 0;
  RegExp.prototype.exec = function (text: string) {
    const found = exec.call(this, text);
    // A rule that matches has gone through what it found; one that fails may have seen it all, which only time tells.
    sum += found?.[0].length ?? 1;
    return found;
  };
  try {
    await read(markdown);
  } finally {
    RegExp.prototype.exec = exec;
  }
  return sum;
}

describe('MarkdownReader: hostile pages', () => {
  // Most of these take from seconds to for ever with the rules of marked alone.
  it.each([
    ['lazy lines in a list', `- a\n${'b\n'.repeat(15_000)}`],
    ['lists that end at once', '1. a\n~~~\n'.repeat(8_000)],
    ['lists of two kinds', '- a\n+ b\n'.repeat(8_000)],
    ['definitions right behind text', `a\n${'[a]: b\n'.repeat(20_000)}`],
    ['definitions without end', `${'[a]: b\n'.repeat(100_000)}a`],
    ['half an address', `${'a.'.repeat(40_000)}@`],
    ['bullets before a lazy line', `${'- '.repeat(10_000)}\\\nb`],
    ['numbers before a lazy line', `${'1. '.repeat(10_000)}a\nb`],
    ['quotes before a lazy line', `${'>'.repeat(20_000)}[a]: b\nc`],
    ['quotes between lazy lines', 'a\n> ---\n'.repeat(8_000)],
    ['heads of tables that are none', '|-|\n|a|b|\n'.repeat(6_000)],
    ['a wide table of short rows', `${'|a'.repeat(20_000)}|\n${'|-'.repeat(20_000)}|\n${'|\n'.repeat(20_000)}`],
    ['lists inside each other', Array.from({ length: 500 }, (_, index) => `${'  '.repeat(index)}- a`).join('\n')],
    ['marks of emphasis', '@_b '.repeat(8_000)],
    ['marks and signs', 'é#*'.repeat(8_000)],
    ['open brackets', '['.repeat(100_000)],
    ['brackets in brackets', `${'['.repeat(40_000)}a${']'.repeat(40_000)}`],
    ['links in links', `${'['.repeat(20_000)}a${'](b)'.repeat(20_000)}`],
    ['back ticks of all lengths', Array.from({ length: 1_000 }, (_, index) => '`'.repeat(index % 300)).join('a')],
    ['less-than signs', '<'.repeat(100_000)],
    ['open tags', '<a b="'.repeat(20_000)],
    ['rows of a table', `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(8_000)}`],
  ])('are read in time: %s', async (_, page) => {
    expect((await read(page)).length).toBe(1);
    expect((await read(page, { text: 'markdown' })).length).toBe(1);
  });

  it('make no more of a table than is written, unless little is missing', async () => {
    const sparse = `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n${'|b|\n'.repeat(1_000)}`;
    const [kept] = await read(sparse);
    expect(kept?.text?.length).toBeLessThanOrEqual(sparse.length);
    expect(kept?.text).toContain('|b|');
    const [table] = await read('|a|b|c|\n|-|-|-|\n|1|\n|2|');
    expect(table?.text).toBe('a | b | c\n1 |  |\n2 |  |');
  });

  it('keep their words, wherever paragraphs are cut to be read', async () => {
    for (const separator of [' ', '\n']) {
      const words = Array.from({ length: 5_000 }, (_, index) => (index % 50 === 0 ? `**w${index}**` : `w${index}`));
      for (const page of [words, words.map((word) => `*${word}*`)].map((all) => all.join(separator))) {
        const [paragraph, ...others] = await read(page);
        expect(others).toEqual([]);
        expect(paragraph?.text?.match(/w\d+/g)).toEqual(words.map((word) => word.replaceAll('*', '')));
      }
    }
  });

  it.each([
    ['a short page', 0, 31],
    ['a page of a megabyte', 1_000_000, 14],
    ['a page of megabytes', 4_000_000, 7],
  ])('of lists inside each other: the marks in %s are read so far, and all words are kept', async (_, size, levels) => {
    const nested = Array.from({ length: 50 }, (_, level) => `${'  '.repeat(level)}- **w${level}**`).join('\n');
    const rest = `\n\n# Code\n\n~~~\n${'x'.repeat(size)}\n~~~`;
    const [list] = await read(nested + rest);
    expect(list?.text?.match(/w\d+/g)).toEqual(Array.from({ length: 50 }, (_, level) => `w${level}`));
    expect(list?.text?.indexOf('**')).toBe(list?.text?.indexOf(`**w${levels}**`));
    expect(list?.text?.match(/\*\*w/g)).toHaveLength(50 - levels);
  });

  it('take no more than so much work for each letter', async () => {
    for (const part of [
      '- a\nb\n',
      '> a\nb\n',
      '|-|\n|a|b|\n',
      '*a _b ',
      '[a](',
      'a@',
      '1. ',
      '`a``',
      '<b ',
      '# a\n',
      '[a]: b\n',
      '[a]: b\nc\n',
    ]) {
      const page = part.repeat(Math.ceil(30_000 / part.length));
      // Quadratic work is 15,000 a letter.
      expect(await letters(page), part).toBeLessThan(800 * page.length);
    }
  });

  it('are read whatever they are made of', async () => {
    const pieces =
      'a|b |\n|\n\n|  |    |\t|- |1. |* |> |# |---\n|===\n|```\n|`|~~|*|**|_|[|](|)|]|![|<|>|</|<a |="|<!--|-->|<div>\n|<script>|\\|&|&amp;|http://|@|.|é|漢|😀|[ ] |:|<?|<![CDATA[|---\na: b'.split(
        '|',
      );
    const table = ['|', '|-|\n', '|a|b|\n'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces, ...table), { maxLength: 40 }),
        fc.constantFrom<MarkdownReaderOptions>(
          {},
          { text: 'markdown' },
          {
            includeCodeBlock: false,
            includeBlockquote: false,
            horizontalRuleCreateDocument: true,
            includeLinkUrls: true,
          },
        ),
        async (parts, options) => {
          const page = parts.join('');
          let last = 0;
          for (const { text = '', metadata } of await read(page, options)) {
            expect(text.trim()).not.toBe('');
            expect(text.length).toBeLessThanOrEqual(4 * page.length + 40);
            const { start_line: start, end_line: end } = metadata as { start_line: number; end_line: number };
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(page.split(/\r\n?|\n/).length);
            last = start;
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
