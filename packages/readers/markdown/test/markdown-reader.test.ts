import { bytesResource, type Document, type Resource, VernalError } from '@vernal/core';
import { MarkdownReader, type MarkdownReaderOptions } from '@vernal/readers-markdown';
import { describe, expect, it } from 'vitest';

const read = (markdown: string, options?: MarkdownReaderOptions): Promise<Document[]> =>
  new MarkdownReader(bytesResource(markdown, { filename: 'page.md' }), options).read();
const texts = async (markdown: string, options?: MarkdownReaderOptions): Promise<(string | undefined)[]> =>
  (await read(markdown, options)).map((section) => section.text);
const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};

describe('MarkdownReader: sections', () => {
  it('makes a document of each section, with its place', async () => {
    const documents = await read(
      'Before.\n\n# A\n\nText a.\n\n## B\n\nText b1.\n\nText b2.\n\n### C\n\nText c.\n\n## D\n\nText d.',
    );
    expect(documents.map((section) => [section.text, section.metadata])).toEqual([
      ['Before.', { source: 'page.md', start_line: 1, end_line: 1 }],
      [
        'Text a.',
        { source: 'page.md', category: 'header_1', title: 'A', headings: ['A'], level: 1, start_line: 5, end_line: 5 },
      ],
      [
        'Text b1.\n\nText b2.',
        {
          source: 'page.md',
          category: 'header_2',
          title: 'B',
          headings: ['A', 'B'],
          level: 2,
          start_line: 9,
          end_line: 11,
        },
      ],
      [
        'Text c.',
        {
          source: 'page.md',
          category: 'header_3',
          title: 'C',
          headings: ['A', 'B', 'C'],
          level: 3,
          start_line: 15,
          end_line: 15,
        },
      ],
      [
        'Text d.',
        {
          source: 'page.md',
          category: 'header_2',
          title: 'D',
          headings: ['A', 'D'],
          level: 2,
          start_line: 19,
          end_line: 19,
        },
      ],
    ]);
  });

  it('keeps inline marks, links and code of a heading in its title', async () => {
    const [one, two, three] = await read('# Hello *bold* world\n\nx\n\n## **All bold**\n\nx\n\nUse `npm i`\n---\n\nx');
    expect([one, two, three].map((section) => section?.metadata['title'])).toEqual([
      'Hello bold world',
      'All bold',
      'Use npm i',
    ]);
    expect(one?.metadata['category']).toBe('header_1');
  });

  it('does not lose a heading with nothing below it', async () => {
    const documents = await read('# A\n\n## B\n\n### Empty\n\n## C\n\nText.\n\n# Last\n');
    expect(documents.map((section) => [section.text, section.metadata['headings']])).toEqual([
      ['Empty', ['A', 'B', 'Empty']],
      ['Text.', ['A', 'C']],
      ['Last', ['Last']],
    ]);
  });

  it('takes levels that are skipped', async () => {
    const documents = await read('### Deep\n\na\n\n# Top\n\nb\n\n#### Low\n\nc');
    expect(documents.map((section) => section.metadata['headings'])).toEqual([['Deep'], ['Top'], ['Top', 'Low']]);
  });

  it('makes nothing of an empty page', async () => {
    for (const page of [
      '',
      '\n\n',
      '---\n',
      '<!-- only a comment -->',
      '[a]: https://example.invalid',
      '```\n\t',
      '```\n\n```',
    ])
      expect(await texts(page)).toEqual([]);
  });

  it('begins a document at rules when asked to', async () => {
    const page = '# A\n\none\n\n---\n\ntwo\n\n***\n\n***\n\nthree';
    expect(await texts(page)).toEqual(['one\n\ntwo\n\nthree']);
    const documents = await read(page, { horizontalRuleCreateDocument: true });
    expect(
      documents.map((section) => [section.text, section.metadata['title'], section.metadata['start_line']]),
    ).toEqual([
      ['one', 'A', 3],
      ['two', 'A', 7],
      ['three', 'A', 13],
    ]);
  });

  it('puts code blocks and quotes into their section, or makes documents of them', async () => {
    const page = '# A\n\none\n\n```ts title=x\ncode();\n```\n\ntwo\n\n> said\n> so\n\nthree';
    expect(await texts(page)).toEqual(['one\n\ncode();\n\ntwo\n\nsaid so\n\nthree']);
    const apart = await read(page, { includeCodeBlock: false, includeBlockquote: false });
    expect(
      apart.map((section) => [
        section.text,
        section.metadata['category'],
        section.metadata['lang'],
        section.metadata['title'],
      ]),
    ).toEqual([
      ['one', 'header_1', undefined, 'A'],
      ['code();', 'code_block', 'ts', 'A'],
      ['two', 'header_1', undefined, 'A'],
      ['said so', 'blockquote', undefined, 'A'],
      ['three', 'header_1', undefined, 'A'],
    ]);
    expect([apart[1]?.metadata['start_line'], apart[1]?.metadata['end_line']]).toEqual([5, 7]);
  });

  it('reads the sample of the reference: code apart, documents at rules, code in a line left where it is', async () => {
    const page =
      'This is a Java sample application:\n\n```java\npackage com.example.demo;\n```\n\nMarkdown also provides the possibility to `use inline code formatting throughout` the entire sentence.\n\n---\n\nAnother possibility is to set block code without specific highlighting:\n\n```\n./mvnw spring-javaformat:apply\n```\n';
    const options = { horizontalRuleCreateDocument: true, includeCodeBlock: false, includeBlockquote: false };
    const documents = await read(page, { ...options, metadata: { filename: 'code.md' } });
    expect(
      documents.map(({ text, metadata }) => [text, metadata['category'], metadata['lang'], metadata['filename']]),
    ).toEqual([
      ['This is a Java sample application:', undefined, undefined, 'code.md'],
      ['package com.example.demo;', 'code_block', 'java', 'code.md'],
      [
        'Markdown also provides the possibility to use inline code formatting throughout the entire sentence.',
        undefined,
        undefined,
        'code.md',
      ],
      ['Another possibility is to set block code without specific highlighting:', undefined, undefined, 'code.md'],
      ['./mvnw spring-javaformat:apply', 'code_block', undefined, 'code.md'],
    ]);
  });

  it('counts lines of pages with CRLF and front matter', async () => {
    const [section] = await read('---\r\ntitle: x\r\n---\r\n\r\n# A\r\n\r\nText\r\nmore\r\n');
    expect([section?.text, section?.metadata['start_line'], section?.metadata['end_line']]).toEqual([
      'Text more',
      7,
      8,
    ]);
  });
});

describe('MarkdownReader: text', () => {
  it.each([
    ['emphasis and code', 'a *b* **c** ~~d~~ `e*f` g\\*h', 'a b c d e*f g*h'],
    ['soft and hard breaks', 'one\ntwo  \nthree\\\nfour<br>five', 'one two\nthree\nfour\nfive'],
    [
      'links and images',
      'a [link](https://example.invalid/a_b) ![pic](img.png) <https://x.invalid> [ref][r]\n\n[r]: https://r.invalid',
      'a link pic https://x.invalid ref',
    ],
    [
      'entities',
      'a &amp; b &lt;c&gt; &#8364; &#x1F680; &nope; &toString; &#0;',
      'a & b <c> € 🚀 &nope; &toString; \ufffd',
    ],
    [
      'bullets',
      '- one\n- two\n  - deep\n\n    more\n- [x] done\n- [ ] open',
      '- one\n- two\n  - deep\n    more\n- [x] done\n- [ ] open',
    ],
    ['numbers', '3. three\n4. four', '3. three\n4. four'],
    ['tables', '| A | B |\n|---|:-:|\n| 1 \\| x | **2** |\n| only |', 'A | B\n1 | x | 2\nonly | '],
    ['indented code', 'x\n\n    indented\n      more', 'x\n\nindented\n  more'],
    [
      'HTML',
      '<div>\n<h3>Head</h3><p>One &amp; <b>two</b></p><!-- no --><script>var no;</script></div>\n\nin <span>line</span>',
      'Head\nOne & two\n\nin line',
    ],
    [
      'HTML in a line, images and scripts',
      'a <img src=x alt="pic &amp; so"> <b>b</b> <script>var no;</script>c\n\n<p><img alt=two></p>',
      'a pic & so b c\n\ntwo',
    ],
    ['nested quotes', '> a\n>\n> > b', 'a\n\nb'],
  ])('%s', async (_, page, text) => {
    expect((await texts(page)).map((found) => found?.trimEnd())).toEqual([text.trimEnd()]);
  });

  it('writes targets behind the text when asked to', async () => {
    const page =
      'a [link](https://example.invalid/a_b) ![pic](img.png) <https://x.invalid> [![badge](b.svg)](https://ci.invalid)';
    expect(await texts(page, { includeLinkUrls: true })).toEqual([
      'a link (https://example.invalid/a_b) pic (img.png) https://x.invalid badge (b.svg) (https://ci.invalid)',
    ]);
  });

  it('is not changed by settings of the application for marked', async () => {
    const { marked } = await import('marked');
    const before = marked.defaults.breaks;
    marked.setOptions({ breaks: true });
    try {
      expect(await texts('one\ntwo')).toEqual(['one two']);
    } finally {
      marked.setOptions({ breaks: before ?? false });
    }
  });
});

describe('MarkdownReader: front matter', () => {
  const frontMatter = async (lines: string): Promise<unknown> =>
    (await read(`---\n${lines}\n---\n\nBody`))[0]?.metadata['front_matter'];

  it('is metadata, never text or a heading', async () => {
    const page =
      '---\ntitle: My page\ndate: 2024-05-01\ntags: [a, b]\n---\n\n# Spring **AI** [Guide](https://example.invalid) `Client`\n\nBody text with a [link](https://example.invalid/a_b) and ![pic](img.png).\n\n## Second\n\n[![badge](b.svg)](https://example.invalid/ci)\n\nMore.\n';
    const documents = await read(page);
    expect(documents.map((section) => section.metadata['title'])).toEqual(['Spring AI Guide Client', 'Second']);
    expect(documents.map((section) => section.text)).toEqual(['Body text with a link and pic.', 'badge\n\nMore.']);
    for (const section of documents)
      expect(section.metadata['front_matter']).toEqual({ title: 'My page', date: '2024-05-01', tags: ['a', 'b'] });
    expect(documents[0]?.metadata['start_line']).toBe(9);
  });

  it.each([
    [
      'numbers where nothing is lost',
      'a: 3\nb: 1.5\nc: 1.10\nd: 007\ne: -2\nf: 1e3',
      { a: 3, b: 1.5, c: '1.10', d: '007', e: -2, f: '1e3' },
    ],
    [
      'words and quotes',
      'a: true\nb: null\nc: "x: #1"\nd: \'y\'\ne:\nf: ~',
      { a: true, b: null, c: 'x: #1', d: 'y', e: null, f: null },
    ],
    ['comments', '# top\na: x # note\nb: a#b', { a: 'x', b: 'a#b' }],
    [
      'lists',
      'a:\n  - one\n  - "two, three"\nb:\n- 1\nc: ["p, q", r]\nd: []',
      { a: ['one', 'two, three'], b: [1], c: ['p, q', 'r'], d: [] },
    ],
    ['blocks', 'a: |\n  one\n  two\nb: >\n  one\n  two', { a: 'one\ntwo', b: 'one two' }],
    ['nested maps, as text', 'a:\n  x: 1\n  y: 2\nb: 3', { a: 'x: 1\ny: 2', b: 3 }],
    [
      'URLs and colons',
      'a: https://example.invalid:80/x\n"k: 1": v',
      { a: 'https://example.invalid:80/x', 'k: 1': 'v' },
    ],
    [
      'names of object members',
      '__proto__: x\nconstructor: y',
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    ],
  ])('knows %s', async (_, lines, expected) => {
    expect(await frontMatter(lines)).toEqual(expected);
  });

  it('is not taken from rules', async () => {
    expect(await texts('---\n\nJust text\n\n---\n\nmore')).toEqual(['Just text\n\nmore']);
    expect(await texts('---\ntitle: never closed\n\ntext')).toEqual(['title: never closed\n\ntext']);
    expect((await read('text\n\n---\na: b\n---\n'))[0]?.metadata['front_matter']).toBeUndefined();
  });
});

describe('MarkdownReader: as a reader', () => {
  it('streams what it reads, with the same ids each time', async () => {
    const reader = new MarkdownReader(
      bytesResource('# A\n\nx\n\n# B\n\nx', { uri: 'file:///docs/page.md', filename: 'page.md' }),
      { metadata: { tenant: 1, title: 'mine' } },
    );
    const streamed: Document[] = [];
    for await (const section of reader.stream()) streamed.push(section);
    expect(streamed).toEqual(await reader.read());
    expect(streamed[0]?.metadata).toMatchObject({
      source: 'file:///docs/page.md',
      file_name: 'page.md',
      tenant: 1,
      title: 'mine',
    });
    expect(new Set(streamed.map((section) => section.id)).size).toBe(2);
  });

  it('decodes by mark, option and MIME type', async () => {
    const first = async (resource: Resource, options?: MarkdownReaderOptions) =>
      (await new MarkdownReader(resource, options).read())[0]?.text;
    expect(await first(bytesResource('\ufeff# A\n\né'))).toBe('é');
    expect(await first(bytesResource(new Uint8Array(Buffer.from('\ufeffé', 'utf16le'))))).toBe('é');
    expect(await first(bytesResource(new Uint8Array([0xe9, 0x80]), {}), { encoding: 'windows-1252' })).toBe('é€');
    expect(await first(bytesResource(new Uint8Array([0xe9]), { mimeType: 'text/markdown; charset=iso-8859-1' }))).toBe(
      'é',
    );
  });

  it('says that a file is binary, or of another encoding', async () => {
    const binary = await failure(
      new MarkdownReader(bytesResource(new Uint8Array([0x23, 0, 1]), { filename: 'a.md' })).read(),
    );
    expect([binary.code, binary.subject, binary.details]).toEqual(['resource', 'a.md', { reason: 'binary' }]);
    const latin = await failure(new MarkdownReader(bytesResource(new Uint8Array([0xe9, 0x20]))).read());
    expect([latin.code, latin.details]).toEqual(['resource', { reason: 'undecodable' }]);
  });

  it('refuses bad options, at construction', () => {
    expect(() => new MarkdownReader(bytesResource(''), { encoding: 'klingon' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'encoding' }),
    );
    expect(() => new MarkdownReader(bytesResource(''), { includeCodeBlocks: false } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'includeCodeBlocks' }),
    );
    expect(() => new MarkdownReader('page.md' as unknown as Resource)).toThrow(
      expect.objectContaining({ subject: 'resource' }),
    );
  });

  it('honours the signal', async () => {
    const page = bytesResource('# A\n\na\n\n# B\n\nb');
    expect((await failure(new MarkdownReader(page).read({ signal: AbortSignal.abort() }))).code).toBe('aborted');
    const controller = new AbortController();
    const run = async () => {
      for await (const section of new MarkdownReader(page).stream({ signal: controller.signal })) {
        expect(section.text).toBe('a');
        controller.abort();
      }
    };
    expect((await failure(run())).code).toBe('aborted');
  });

  it.each([
    ['quotes', `${'> '.repeat(5_000)}deep`],
    ['lists', Array.from({ length: 300 }, (_, index) => `${'  '.repeat(index)}- a`).join('\n')],
    ['underscores', '_a_b'.repeat(20_000)],
    ['stars', '**a *b '.repeat(20_000)],
    ['brackets', '['.repeat(20_000)],
    ['cut tags', '<div'.repeat(20_000)],
    ['cut comments', '<!--'.repeat(20_000)],
    ['ampersands', '&'.repeat(50_000)],
    ['links', '[a](<b'.repeat(20_000)],
    ['cells', `${'|'.repeat(5_000)}\n${'|-'.repeat(5_000)}\n`],
  ])('reads a page that is nothing but %s in time', async (_, page) => {
    expect((await texts(page)).length).toBeLessThanOrEqual(1);
  });
});

it('takes front matter of any length', async () => {
  const lines = '  a line\n'.repeat(500_000);
  const [section] = await read(`---\nnotes: |\n${lines}tag: x\n---\nText.`);
  expect(Reflect.get(Object(section?.metadata['front_matter']), 'tag')).toBe('x');
});

describe('the limit of a file', () => {
  it('is held to the byte, and is part of no id', async () => {
    const resource = bytesResource('# Roses\n\nThey are red.', { filename: 'a.markdown' });
    const size = (await resource.bytes()).length;
    const within = new MarkdownReader(resource, { limits: { maxFileBytes: size } });
    expect(await within.read()).toEqual(await new MarkdownReader(resource).read());
    const error = await new MarkdownReader(resource, { limits: { maxFileBytes: size - 1 } }).read().catch((one) => one);
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'a.markdown',
      { reason: 'too_large', limit: 'maxFileBytes', most: size - 1 },
    ]);
  });

  it('is a number above 0, by its name', () => {
    for (const limits of [{ maxFileBytes: 0 }, { maxBytes: 5 }, null]) {
      expect(() => new MarkdownReader(bytesResource(''), { limits } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    }
  });
});
