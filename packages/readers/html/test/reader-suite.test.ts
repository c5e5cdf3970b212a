import { bytesResource } from '@vernal/core';
import { HtmlReader } from '@vernal/readers-html';
import { describeReader, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

const page =
  '<!doctype html><html><head><title>Garden</title></head><body><h1>Roses</h1><p>They are <b>red</b>.</p><h1>Roses</h1><p>They are <b>red</b>.</p><table><tr><td>a</td><td>b</td></tr></table></body></html>';

vitest.describe.each([
  ['whole pages', {}, 1],
  ['headings', { splitByHeadings: true }, 2],
  ['elements', { selector: 'p', groupByElement: true }, 2],
])('%s', (_, options, documents) => {
  describeReader('HtmlReader', (resource) => ({ subject: new HtmlReader(resource, options) }), {
    runner: vitestRunner(vitest),
    limited: (resource) => ({ subject: new HtmlReader(resource, { ...options, limits: { maxFileBytes: 10_000 } }) }),
    samples: [
      {
        name: 'a page',
        resource: bytesResource(page, { filename: 'garden.html' }),
        text: ['They are red.', 'They are red.'],
        documents,
        metadata: { source: 'garden.html' },
      },
    ],
    hostile: [
      { name: 'nothing', resource: bytesResource('') },
      { name: 'a page cut in a tag', resource: bytesResource(page.slice(0, 90)) },
      { name: 'a page cut in a script', resource: bytesResource('<p>a</p><script>if (a <') },
      { name: 'bytes of no encoding', resource: bytesResource(new Uint8Array([0xff, 0xc0, 0x80, 0xfe])) },
      { name: 'a picture', resource: bytesResource(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0])) },
      { name: 'tags that never close', resource: bytesResource('<div><b><table><td>'.repeat(500)) },
    ],
  });
});
