import { bytesResource, type Document } from '@vernal/core';
import { MarkdownReader, type MarkdownReaderOptions } from '@vernal/readers-markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const read = (markdown: string, options?: MarkdownReaderOptions): Promise<Document[]> =>
  new MarkdownReader(bytesResource(markdown), options).read();
const written = async (markdown: string, options?: MarkdownReaderOptions): Promise<(string | undefined)[]> =>
  (await read(markdown, { text: 'markdown', ...options })).map(({ text }) => text);

describe('text as it is written', () => {
  it.each([
    ['inline marks', 'a *b* **c** ~~d~~ `e` \\* &amp; x  \ny'],
    ['links and images', 'a [b](c.md "t") ![d](e.png) <https://x.invalid>'],
    ['nested lists', '- one\n- two\n  1. deep\n\n     more\n- [x] done\n- [ ] open'],
    ['tables', '| A | B |\n|---|:-:|\n| 1 \\| x | **2** |'],
    ['code', '```ts title=x\ncode();\n```\n\n    indented\n      more'],
    ['quotes', '> a\n>\n> > b'],
    ['rules between blocks', 'a\n\n---\n\nb'],
    ['HTML that shows something', '<details>\n<summary>More</summary>\n\n**b**'],
  ])('keeps %s', async (_, markdown) => {
    expect(await written(markdown)).toEqual([markdown]);
    expect(await written(`# A\n\n${markdown}\n\n# B\n\nc`)).toEqual([markdown, 'c']);
  });

  it('keeps the titles of headings plain, and out of the text', async () => {
    const [section] = await read('# A *b* `c`\n\n**d**', { text: 'markdown' });
    expect([section?.text, section?.metadata['title'], section?.metadata['start_line']]).toEqual(['**d**', 'A b c', 3]);
  });

  it('leaves out HTML that shows nothing, rules at the edges, and makes nothing of a page without text', async () => {
    expect(await written('a\n\n<!-- no -->\n\n<script>\nno\n</script>\n\nb\n\n***\n')).toEqual(['a\n\nb']);
    for (const page of ['<!-- only a comment -->', '[a]: https://example.invalid', '---', '<div></div>'])
      expect(await written(page)).toEqual([]);
  });

  it('gives a section the definitions that its links need from elsewhere', async () => {
    const page =
      '# A\n\n[one], [two][], [three][Th  ree], ![four], [one][], [none], [here](x)\n\n# B\n\n[one] and [own]\n\n[own]: o\n\n# C\n\n[one]: a "T\\"x"\n[two]: <b c>\n[th ree]: d\n[FOUR]: e\n';
    expect(await written(page)).toEqual([
      '[one], [two][], [three][Th  ree], ![four], [one][], [none], [here](x)\n\n[one]: a "T\\"x"\n[two]: <b c>\n[th ree]: d\n[four]: e',
      '[one] and [own]\n\n[own]: o\n\n[one]: a "T\\"x"',
      'C',
    ]);
  });

  it('makes code blocks and quotes documents of their own, with their marks', async () => {
    const page = 'a\n\n```js\nx();\n```\n\n> said\n> **so**\n\nb';
    const options = { includeCodeBlock: false, includeBlockquote: false };
    expect(await written(page, options)).toEqual(['a', '```js\nx();\n```', '> said\n> **so**', 'b']);
  });

  it('cuts at rules when asked to', async () => {
    expect(await written('a\n\n---\n\n**b**', { horizontalRuleCreateDocument: true })).toEqual(['a', '**b**']);
  });

  it('refuses what it does not know', () => {
    expect(() => new MarkdownReader(bytesResource(''), { text: 'html' as 'plain' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'text' }),
    );
  });

  it('is a stretch of the page, in the order of the page, and has the words that the plain text has', async () => {
    const block = fc.constantFrom(
      'one **two**',
      '- three\n- *four*\n  - five',
      '> six\n> seven',
      '| a | b |\n|---|---|\n| eight | `nine` |',
      '```\nten\n```',
      '## eleven *twelve*',
      '# thirteen',
      '---',
      '[fourteen](x.md)',
      '    fifteen',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 12 }), async (blocks) => {
        const page = blocks.join('\n\n');
        const plain = await read(page);
        const marked = await read(page, { text: 'markdown' });
        let from = 0;
        for (const [index, { text, metadata }] of marked.entries()) {
          const isTitle = text === metadata['title'];
          const at = isTitle ? from : page.indexOf(text ?? '', from);
          expect(at).toBeGreaterThanOrEqual(from);
          if (!isTitle) from = at + (text ?? '').length;
          expect(metadata).toEqual(plain[index]?.metadata);
          expect(words(text)).toEqual(words(plain[index]?.text));
        }
        expect(marked.length).toBe(plain.length);
      }),
      { numRuns: 150 },
    );
  });
});

const words = (text = ''): readonly string[] => text.replace(/\(x\.md\)/g, '').match(/\p{L}+/gu) ?? [];
