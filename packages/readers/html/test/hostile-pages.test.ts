import { bytesResource } from '@vernal/core';
import { HtmlReader, type HtmlReaderOptions } from '@vernal/readers-html';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const read = (html: string, options?: HtmlReaderOptions) => new HtmlReader(bytesResource(html), options).read();

/** Places in lists that are moved or looked at: the parser's list of open elements is as long as they are deep. */
async function places(html: string, options?: HtmlReaderOptions): Promise<number> {
  const { unshift, shift, indexOf } = Array.prototype;
  let sum = 0;
  Array.prototype.unshift = function (...items) {
    sum += this.length;
    return unshift.apply(this, items);
  };
  Array.prototype.shift = function () {
    sum += this.length;
    return shift.call(this);
  };
  Array.prototype.indexOf = function (...wanted) {
    sum += this.length;
    return indexOf.apply(this, wanted);
  };
  try {
    await read(html, options);
  } finally {
    Object.assign(Array.prototype, { unshift, shift, indexOf });
  }
  return sum;
}

const all: HtmlReaderOptions = { mainContent: true, includeLinkUrls: true };

describe('HtmlReader: hostile pages', () => {
  it.each([
    ['nested blocks', '<div>', ''],
    ['nested blocks that are closed', '<div>', '</div>'],
    ['nested formatting', '<b><i>', ''],
    ['nested tables', '<table><tr><td>x', ''],
    ['nested lists', '<ul><li>x', ''],
    ['nested headings', '<h1><h2>x', ''],
    ['nested drawings', '<svg><g>', '<title>x</title>'],
    ['ends that have no start', '<div>', '</span>'],
    ['starts that do not fit', '<a><p></a>', ''],
  ])('take the parser %s in steps that grow with the page', async (_, start, end) => {
    const page = (count: number) => `<p>before${start.repeat(count)}inside${end.repeat(count)}<p>after`;
    const once = await places(page(5_000), all);
    // A tree without bounds makes it 16 times as many.
    expect(await places(page(20_000), all)).toBeLessThan(5 * once + 1_000);
    const [found] = await read(page(100_000));
    // Nothing of a drawing that is never closed is text.
    const words = start.startsWith('<svg>') ? ['before'] : ['before', 'inside', 'after'];
    for (const word of words) expect(found?.text).toContain(word);
  });

  it('keep their words, apart, below the depth that is read as a tree', async () => {
    const inner =
      '<p>one<p>two<table><tr><td>three<td>four</table><ul><li>five<li>six</ul>se<b>v</b>en<br>eight<script>no</script><style>no</style>';
    const [found] = await read(`${'<div>'.repeat(600)}${inner}${'</div>'.repeat(600)}<p>nine</p><h2>ten</h2>`);
    expect(found?.text?.match(/\w+/g)).toEqual('one two three four five six seven eight nine ten'.split(' '));
    // What comes behind the depth is a tree again.
    expect(found?.text).toMatch(/\n\nnine\n\nten$/);
  });

  it.each([
    ['less-than signs', '<'],
    ['cut tags', '<div '],
    ['cut ends', '</'],
    ['cut comments', '<!--'],
    ['cut declarations', '<!'],
    ['cut sections', '<![CDATA['],
    ['cut attributes', '<p a="'],
    ['attributes', '<p a=b c'],
    ['scripts', '<script>'],
    ['text areas', '<textarea>'],
    ['menus', '<select><option>'],
    ['meta tags', '<meta charset='],
    ['ampersands', '&'],
    ['cut references', '&#x'],
    ['line breaks', '<br>'],
    ['cells', '<b></b><td>'],
    ['links', '<a href="../x">y</a>'],
    ['styles', '<p style="display :">x'],
  ])('that are nothing but %s are read', async (_, part) => {
    const options = { ...all, splitByHeadings: true };
    for (const page of [part.repeat(30_000), `<table><tr>${part.repeat(10_000)}`])
      expect((await read(page, options)).length).toBeLessThanOrEqual(1);
  });

  it('are read whatever they are made of, and wherever they are cut', async () => {
    const pieces =
      'a| |<|>|</|<p>|</p>|<div>|</div>|<b>|<a href=x>|</a>|<table>|<tr>|<td>|</td>|</table>|<ul>|<li>|<h1>|</h1>|<h2>|<svg>|<title>|</title>|<script>|</script>|<style>|<!--|-->|<!|<?|<![CDATA[|]]>|&|&amp;|&#x|="|\'|<br>|<pre>|<textarea>|<select>|<form>|<template>|<nav>|<main>|<article>|<header>|<footer>|<math>|<p hidden>|<img alt=x>|<body>|<html>|<head>|\u00a0|漢|😀|<base href="|<meta charset='.split(
        '|',
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: 40 }),
        fc.constantFrom<HtmlReaderOptions>(
          {},
          all,
          { splitByHeadings: true },
          { selector: 'p, td', groupByElement: true },
        ),
        async (parts, options) => {
          const page = parts.join('');
          for (const { text = '' } of await read(page, options)) {
            expect(text).toBe(text.trim());
            expect(text).not.toBe('');
            expect(text.length).toBeLessThanOrEqual(3 * page.length);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
