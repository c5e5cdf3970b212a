// Pages of HTML and of Markdown into documents, and what the parsers take that they are read with.
import { bytesResource } from '@vernal/core';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';
import { load } from 'cheerio';
import { load as loadSlim } from 'cheerio/slim';
import { Lexer } from 'marked';
import { compare, each } from './measure.mjs';

const KILOBYTES = 500;
const words =
  'when the fields are green again we walk down to river and count lamps along its banks for nobody else does'.split(
    ' ',
  );
let seed = 7;
function next(below) {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor(seed / 65_536) % below;
}
const some = (count) => Array.from({ length: count }, () => words[next(words.length)]).join(' ');
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

function sample(chapter) {
  let page = '';
  for (let number = 1; page.length < KILOBYTES * 1000; number += 1) page += chapter(number);
  return page;
}

const html = () =>
  `<!doctype html><html><head><meta charset="utf-8"><title>Fields</title></head><body><nav><ul>${'<li><a href="/x">Menu</a></li>'.repeat(20)}</ul></nav><main>${sample(
    (number) =>
      `<h2 id="c${number}">Chapter <em>${number}</em></h2>\n${times(
        4,
        () =>
          `<p class="text">${some(30)} <a href="/a/${next(99)}">${some(3)}</a> and <b>${some(2)}</b>, &amp; ${some(25)}.</p>\n`,
      ).join('')}<ul>${times(5, () => `<li>${some(8)}</li>`).join('\n')}</ul><table>${times(
        6,
        () => `<tr><td>${next(99)}</td><td>${some(4)}</td></tr>`,
      ).join('')}</table>\n`,
  )}</main><footer>© Fields</footer></body></html>`;

const markdown = () =>
  sample(
    (number) =>
      `## Chapter *${number}*\n\n${times(
        4,
        () => `${some(30)} [${some(3)}](/a/${next(99)}) and **${some(2)}**,\n${some(25)} \`${some(1)}\`.\n\n`,
      ).join('')}${times(5, () => `- ${some(8)}\n`).join('')}\n| A | B |\n|---|---|\n${times(
        5,
        () => `| ${next(99)} | ${some(4)} |\n`,
      ).join('')}\n\`\`\`ts\n${`const x = ${next(99)};\n`.repeat(4)}\`\`\`\n\n`,
  );

/** What took longer than for ever: a page of one thing, twice as long each time. */
const hostile = {
  'nested blocks': (count) => `${'<div>'.repeat(count)}x${'</div>'.repeat(count)}`,
  'ends without a start': (count) => '<div>'.repeat(count) + '</span>'.repeat(count),
  'cut comments': (count) => '<!--'.repeat(count),
  'nested tables': (count) => '<table><tr><td>x'.repeat(count),
};
const hostileMarkdown = {
  'lazy lines in a list': (count) => `- a\n${'b\n'.repeat(count)}`,
  'open brackets': (count) => '['.repeat(count),
  quotes: (count) => `${'>'.repeat(count)}a\nb`,
  'half an address': (count) => `${'a.'.repeat(count)}@`,
};

export async function readerSpeed() {
  const page = html();
  const text = markdown();
  const pageBytes = new TextEncoder().encode(page);
  const textBytes = new TextEncoder().encode(text);
  const readHtml = (options) => each(() => new HtmlReader(bytesResource(pageBytes), options).read());
  const readMarkdown = (options) => each(() => new MarkdownReader(bytesResource(textBytes), options).read());
  const options = { operations: 1, rounds: 21, warmUps: 8, unit: 'ms', weighed: 0 };
  const rows = [
    ...(await compare(
      `HTML, ${KILOBYTES} KB, ms a page`,
      {
        'floor: cheerio load (parse5)': each(() => load(page)),
        'cheerio load (htmlparser2), which has no tree of a browser': each(() => loadSlim(page)),
        'vernal HtmlReader': readHtml({}),
        'vernal, splitByHeadings and includeLinkUrls': readHtml({ splitByHeadings: true, includeLinkUrls: true }),
        'vernal, mainContent': readHtml({ mainContent: true }),
      },
      options,
    )),
    ...(await compare(
      `Markdown, ${KILOBYTES} KB, ms a page`,
      {
        'floor: lexer of marked': each(() => new Lexer({ gfm: true }).lex(text)),
        'vernal MarkdownReader': readMarkdown({}),
        "vernal, text: 'markdown'": readMarkdown({ text: 'markdown' }),
      },
      options,
    )),
  ];
  console.log('\nHostile pages, CPU ms for 25,000, 50,000 and 100,000 repetitions (a steady factor of two is linear)');
  console.table(
    Object.fromEntries([
      ...(await growth(hostile, (source) => new HtmlReader(bytesResource(source)).read())),
      ...(await growth(hostileMarkdown, (source) => new MarkdownReader(bytesResource(source)).read())),
    ]),
  );
  return rows;
}

async function growth(pages, read) {
  const rows = [];
  for (const [name, make] of Object.entries(pages)) {
    const row = {};
    for (const count of [25_000, 50_000, 100_000]) {
      const source = make(count);
      const usage = process.cpuUsage();
      await read(source);
      const { user, system } = process.cpuUsage(usage);
      row[count] = Math.round((user + system) / 1000);
    }
    rows.push([name, row]);
  }
  return rows;
}
