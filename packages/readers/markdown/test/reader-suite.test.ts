import { bytesResource } from '@vernal/core';
import { MarkdownReader } from '@vernal/readers-markdown';
import { describeReader, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

const page =
  '---\ntags: [a]\n---\n\n# Roses\n\nThey are **red**.\n\n# Roses\n\nThey are **red**.\n\n```js\ncode();\n```\n';

vitest.describe.each([
  ['sections', {}, 2],
  [
    'sections and code apart',
    { includeCodeBlock: false, includeBlockquote: false, horizontalRuleCreateDocument: true },
    3,
  ],
])('%s', (_, options, documents) => {
  describeReader('MarkdownReader', (resource) => ({ subject: new MarkdownReader(resource, options) }), {
    runner: vitestRunner(vitest),
    limited: (resource) => ({
      subject: new MarkdownReader(resource, { ...options, limits: { maxFileBytes: 10_000 } }),
    }),
    samples: [
      {
        name: 'a page',
        resource: bytesResource(page, { filename: 'garden.md' }),
        text: ['They are red.', 'They are red.', 'code();'],
        documents,
        metadata: { source: 'garden.md', title: 'Roses', front_matter: { tags: ['a'] } },
      },
    ],
    hostile: [
      { name: 'nothing', resource: bytesResource('') },
      { name: 'a code block that never ends', resource: bytesResource('```\nx') },
      { name: 'front matter that never ends', resource: bytesResource('---\na: b\n') },
      { name: 'bytes of no encoding', resource: bytesResource(new Uint8Array([0xff, 0xc0, 0x80, 0xfe])) },
      { name: 'a picture', resource: bytesResource(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])) },
      { name: 'quotes without end', resource: bytesResource('> '.repeat(10_000)) },
      { name: 'half a table', resource: bytesResource('| a |\n|--') },
    ],
  });
});
