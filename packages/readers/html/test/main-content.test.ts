import { bytesResource } from '@vernal/core';
import { HtmlReader, type HtmlReaderOptions } from '@vernal/readers-html';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const read = (html: string, options?: HtmlReaderOptions) =>
  new HtmlReader(bytesResource(html), { mainContent: true, ...options }).read();
const text = async (html: string, options?: HtmlReaderOptions) => (await read(html, options))[0]?.text;

const menu =
  '<ul><li><a href="/">Home</a></li><li><a href="/a">About us</a></li><li><a href="/c">Contact</a></li></ul>';
const prose =
  'Roses need sun for most of the day, and soil that drains well. Cut them back in spring, when the buds begin to swell.';
const more =
  'Water them early in the morning, and at the roots. Wet leaves invite mildew, which spreads from plant to plant.';

describe('main content: pages with landmarks', () => {
  it('is that of the page in the reference, without navigation and footer', async () => {
    const page = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>My Web Page</title>
<meta name="author" content="John Doe"></head><body><header><h1>Welcome to My Page</h1></header>
<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>
<article><h2>Main Content</h2><p>This is the main content of my web page.</p><p>It contains multiple paragraphs.</p>
<a href="https://www.example.com">External Link</a></article><footer><p>&copy; 2024 John Doe</p></footer></body></html>`;
    const [found] = await read(page, { includeLinkUrls: true, metadataTags: ['author'] });
    expect(found?.text).toBe(
      'Main Content\n\nThis is the main content of my web page.\n\nIt contains multiple paragraphs.\n\nExternal Link',
    );
    expect(found?.metadata).toMatchObject({
      title: 'My Web Page',
      author: 'John Doe',
      linkUrls: ['https://www.example.com/'],
    });
  });

  it.each([
    ['<main>', `<div><nav>${menu}</nav><main><h1>Roses</h1><p>${prose}</p></main><aside>Ads</aside></div>`],
    ['role="main"', `<div>${menu}</div><div role="main"><h1>Roses</h1><p>${prose}</p></div><div>Follow us!</div>`],
    ['<article>', `<div>${menu}</div><article><h1>Roses</h1><p>${prose}</p></article><div>Follow us!</div>`],
    ['itemprop', `<div>${menu}</div><div itemprop="articleBody"><h1>Roses</h1><p>${prose}</p></div><p>Follow us!`],
    [
      'the article among teasers',
      `<article><h1>Roses</h1><p>${prose}</p><p>${prose}</p></article>${'<article><a href="/t">Tulips are easy</a></article>'.repeat(3)}`.replace(
        `<p>${prose}</p></article>`,
        '</article>',
      ),
    ],
  ])('is what %s holds', async (_, page) => {
    expect(await text(page)).toBe(`Roses\n\n${prose}`);
  });

  it('is every article of a page that is a list of them', async () => {
    const page = `<nav>${menu}</nav><article><p>${prose}</p></article><article><p>${more}</p></article>`;
    expect(await text(page)).toBe(`${prose}\n${more}`);
    expect((await read(page, { groupByElement: true })).map((found) => found.text)).toEqual([prose, more]);
  });

  it.each([
    ['navigation', `<nav>${menu}</nav><div role="navigation">Go</div>`],
    ['asides', '<aside>Read next</aside><div role="complementary">Read next</div>'],
    ['dialogs', '<dialog open>Sign up</dialog><div role="alertdialog">Sign up</div>'],
    ['searches', '<search>Find</search><form role="search">Find</form>'],
    ['forms', '<form><label>Mail</label><input><button>Subscribe</button></form>'],
    ['buttons', '<button>Share</button>'],
    ['what is hidden from assistants', '<span aria-hidden="true">»</span>'],
    ['old names', `<div class="site-nav">${menu}</div><div id="footer">© 2026</div><ol class="breadcrumbs">Home</ol>`],
    ['banners that ask for consent', `<div id="cookie-banner"><p>${more}</p><button>Accept</button></div>`],
    ['consent by label', `<section aria-label="Cookie banner"><p>${more}</p><a href="/more">More</a></section>`],
  ])('leaves out %s, inside of it, too', async (_, around) => {
    expect(await text(`${around}<main>${around}<p>${prose}</p>${around}</main>${around}`)).toBe(prose);
    expect(await text(`<body>${around}<p>${prose}</p>${around}</body>`)).toBe(prose);
  });

  it('leaves out header and footer of the page, not those of a part of it', async () => {
    const page = `<header>The Rose Paper</header><main><article><header><h1>Roses</h1></header><p>${prose}</p>
<blockquote><p>Cut them.</p><footer>A gardener</footer></blockquote><footer>By Ann</footer></article></main><footer>© 2026</footer>`;
    expect(await text(page)).toBe(`Roses\n\n${prose}\n\nCut them.\n\nA gardener\n\nBy Ann`);
  });

  it.each([
    [
      'a landmark that an explicit role makes none',
      `<aside role="note">Mind the thorns.</aside><p>${prose}</p>`,
      `Mind the thorns.\n\n${prose}`,
    ],
    ['what names tell of the whole page', `<div class="page with-sidebar"><p>${prose}</p></div>`, prose],
    ['a form around the whole page', `<form id="aspnetForm"><p>${prose}</p></form>`, prose],
    [
      'a class that has the word for something else',
      `<div class="cookie-recipe"><a href="/x">Ann</a> <p>${prose}</p></div>`,
      `Ann\n\n${prose}`,
    ],
    ['a header around the main part', `<header role="banner"><main><p>${prose}</p></main></header>`, prose],
    ['a main part without text', `<main></main><div><p>${prose}</p></div>`, prose],
    [
      'a main part with hardly any',
      `<main><p>Loading</p></main><div><p>${prose}</p><p>${more}</p></div>`,
      `Loading\n\n${prose}\n\n${more}`,
    ],
  ])('keeps %s', async (_, page, expected) => {
    expect(await text(page)).toBe(expected);
  });
});

describe('main content: pages without landmarks', () => {
  it('leaves out what is mostly links', async () => {
    const page = `<table><tr><td width=150><a href="/">Home</a><br><a href="/r">Roses</a><br><a href="/t">Tulips</a></td>
<td><h1>Roses</h1><p>${prose}</p><p>See <a href="/soil">the page on soil</a>. ${more}</p>
<table><tr><td>Height</td><td>120 cm</td></tr></table></td></tr></table>
<div>More: <a href="/1">Mildew</a> | <a href="/2">Black spot</a> | <a href="/3">Aphids</a></div>`;
    expect(await text(page)).toBe(`Roses\n\n${prose}\n\nSee the page on soil. ${more}\n\nHeight | 120 cm`);
  });

  it('keeps the links of a page that has nothing else', async () => {
    expect(await text(`<h1>Index</h1>${menu}`)).toBe('Index\n\nHome\nAbout us\nContact');
  });

  it('knows prose in scripts that have no spaces', async () => {
    const page = `<div>${menu}</div><div><p>${'玫瑰需要充足的阳光和排水良好的土壤。春天芽开始膨胀时修剪。'.repeat(3)}</p></div>`;
    expect(await text(page)).toBe('玫瑰需要充足的阳光和排水良好的土壤。春天芽开始膨胀时修剪。'.repeat(3));
  });
});

describe('main content: with other options', () => {
  const page = `<title>T</title><main><h1>A</h1><p>${prose}</p><nav>${menu}</nav><h2>B</h2><p>${more}</p></main><footer>F</footer>`;

  it('cuts it at headings', async () => {
    const found = await read(page, { splitByHeadings: true, includeLinkUrls: true });
    expect(found.map((section) => [section.text, section.metadata['headings'], section.metadata['linkUrls']])).toEqual([
      [prose, ['A'], []],
      [more, ['A', 'B'], []],
    ]);
  });

  it('leaves out landmarks, and nothing else, of what is selected', async () => {
    const list = `<div class="x"><nav>${menu}</nav>${menu}<p>${prose}</p></div>`;
    expect(await text(list, { selector: '.x' })).toBe(`Home\nAbout us\nContact\n\n${prose}`);
    expect(await text(list, { selector: 'nav' })).toBe('Home\nAbout us\nContact');
    expect(await text(page, { selector: 'h2', allElements: true })).toBe(`A\n\n${prose}\n\nB\n\n${more}`);
  });

  it('is off by default', async () => {
    expect(await text(page, { mainContent: false })).toContain('Home');
  });

  it('is part of what the page says, in its order', async () => {
    const leaf: fc.Arbitrary<string> = fc.constantFrom(
      prose,
      more,
      'Short',
      '<a href="/x">Link</a>',
      '<button>Go</button>',
      '<br>',
    );
    const names = fc.constantFrom<string>(
      'div',
      'p',
      'main',
      'article',
      'nav',
      'aside',
      'section',
      'header',
      'footer',
      'ul',
      'table',
      'form',
    );
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc
          .tuple(names, fc.array(tie('node'), { maxLength: 4 }))
          .map(([element, inside]) => `<${element}>${inside.join('')}</${element}>`),
      ),
    }));
    let number = 0;
    await fc.assert(
      fc.asyncProperty(node, async (tree) => {
        const html = tree.replace(/(?<=^|>)[^<]+/g, (words) => `w${number++} ${words}`);
        const all: readonly string[] = (await text(html, { mainContent: false }))?.match(/w\d+/g) ?? [];
        const main: readonly string[] = (await text(html))?.match(/w\d+/g) ?? [];
        expect(all.filter((word) => main.includes(word))).toEqual(main);
      }),
      { numRuns: 200 },
    );
  });
});
