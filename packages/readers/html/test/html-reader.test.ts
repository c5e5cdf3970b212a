import { bytesResource, type Document, type Resource, type ResourceOptions, VernalError } from '@vernal/core';
import { HtmlReader, type HtmlReaderOptions } from '@vernal/readers-html';
import { describe, expect, it } from 'vitest';

const read = (
  html: string | Uint8Array,
  options?: HtmlReaderOptions,
  resource?: ResourceOptions,
): Promise<Document[]> => new HtmlReader(bytesResource(html, resource), options).read();
const texts = async (html: string, options?: HtmlReaderOptions): Promise<(string | undefined)[]> =>
  (await read(html, options)).map((page) => page.text);
const latin1 = (html: string): Uint8Array => new Uint8Array(Buffer.from(html, 'latin1'));
/** Letters from U+0410 on, as windows-1251 has them. */
const cyrillic = (html: string): Uint8Array =>
  Uint8Array.from(html, (letter) => {
    const point = letter.codePointAt(0) ?? 0;
    return point >= 0x410 && point <= 0x44f ? point - 0x410 + 0xc0 : point;
  });
const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};

describe('HtmlReader: character sets', () => {
  it.each<[string, Uint8Array, string, string | undefined, string, ResourceOptions?]>([
    [
      'http-equiv',
      cyrillic(
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><title>Тест</title></head><body><p>Привет, мир</p></body></html>',
      ),
      'Привет, мир',
      'Тест',
      'windows-1251',
    ],
    [
      'an unquoted attribute',
      latin1(
        '<html><head><meta charset=ISO-8859-1><title>Caf\xe9</title></head><body><p>na\xefve \xa3 5</p></body></html>',
      ),
      'naïve £ 5',
      'Café',
      'windows-1252',
    ],
    [
      'nothing',
      new TextEncoder().encode('<html><head><title>No charset</title></head><body><p>Grüße € 漢</p></body></html>'),
      'Grüße € 漢',
      'No charset',
      'utf-8',
    ],
    [
      'an XML declaration that cannot be true',
      new TextEncoder().encode('<?xml version="1.0" encoding="UTF-16"?><title>Grüße</title><p>漢'),
      '漢',
      'Grüße',
      'utf-8',
    ],
    [
      'a label that nobody knows, before one that is known',
      cyrillic('<?xml version="1.0" encoding="klingon"?><meta charset="windows-1251"><title>Тест</title><p>Привет'),
      'Привет',
      'Тест',
      'windows-1251',
    ],
    [
      'the MIME type',
      cyrillic('<title>Тест</title><p>Привет, мир'),
      'Привет, мир',
      'Тест',
      'windows-1251',
      { mimeType: 'text/html; charset=windows-1251' },
    ],
    [
      'the MIME type before the page',
      cyrillic('<meta charset="iso-8859-1"><p>Привет'),
      'Привет',
      undefined,
      'windows-1251',
      { mimeType: 'text/html;charset="windows-1251"' },
    ],
    [
      'a mark before all',
      new TextEncoder().encode('\ufeff<meta charset="iso-8859-1"><p>é'),
      'é',
      undefined,
      'utf-8',
      { mimeType: 'text/html; charset=koi8-r' },
    ],
    ['a UTF-16 mark', new Uint8Array(Buffer.from('\ufeff<p>é', 'utf16le')), 'é', undefined, 'utf-16le'],
    ['nothing, in windows-1252', latin1('<p>na\xefve \x80'), 'naïve €', undefined, 'windows-1252'],
    [
      'an XML declaration',
      latin1('<?xml version="1.0" encoding="iso-8859-1"?><html><p>\xe9</p></html>'),
      'é',
      undefined,
      'windows-1252',
    ],
    [
      'a label that nobody knows, then a real one',
      latin1('<meta charset="klingon"><meta charset="latin1"><p>\xe9'),
      'é',
      undefined,
      'windows-1252',
    ],
    [
      'a comment that is no word of the page',
      new TextEncoder().encode('<!-- <meta charset="latin1"> --><p>é'),
      'é',
      undefined,
      'utf-8',
    ],
    [
      'a description that is none',
      new TextEncoder().encode('<meta name="description" content="charset=latin1"><p>é'),
      'é',
      undefined,
      'utf-8',
    ],
    [
      'UTF-16, which the page cannot be',
      new TextEncoder().encode('<meta charset="utf-16"><p>é'),
      'é',
      undefined,
      'utf-8',
    ],
  ])('told by %s', async (_, bytes, text, title, charset, resource) => {
    const [page] = await read(bytes, {}, resource);
    expect([page?.text, page?.metadata['title'], page?.metadata['charset']]).toEqual([text, title, charset]);
  });

  it('told by the option', async () => {
    expect((await read(cyrillic('<meta charset="utf-8"><p>Привет'), { encoding: 'windows-1251' }))[0]?.text).toBe(
      'Привет',
    );
  });
});

describe('HtmlReader: text', () => {
  it('reads a page without body, with scripts, styles and entities', async () => {
    const page = `<title>Fish &amp; Chips</title>
<script>var t = "SCRIPTTEXT <p>not text</p>";</script><style>p:before{content:"STYLETEXT"}</style>
<!-- COMMENTTEXT --><noscript>NOSCRIPTTEXT</noscript><template><p>TEMPLATETEXT</p></template>
<h1>Menu<small>today</small></h1><p>Price:&nbsp;5&euro; &lt;b&gt; &#x1F680; &amp;amp; &copy 2024
<p>Second<br>line<ul><li>one<li>two</ul><div hidden>HIDDENTEXT</div><p>soft&shy;hyphen zero&#8203;width</p><textarea>AREA</textarea><button>BUTTONTEXT</button><img alt="ALTTEXT" src=x>`;
    const [found] = await read(page);
    expect(found?.metadata['title']).toBe('Fish & Chips');
    expect(found?.text).toBe(
      'Menutoday\n\nPrice: 5€ <b> 🚀 &amp; © 2024\n\nSecond\nline\n\none\ntwo\n\nsofthyphen zerowidth\n\nBUTTONTEXTALTTEXT',
    );
  });

  it.each([
    ['inline elements join', '<p>a<b>b</b> <i>c</i>\n d</p>', 'ab c d'],
    ['blocks end lines', '<div>a</div><div>b<div>c</div>d</div>e', 'a\nb\nc\nd\ne'],
    ['paragraphs stand apart', '<p>a</p><p></p><p>b</p>c<h2>d</h2>e', 'a\n\nb\n\nc\n\nd\n\ne'],
    ['breaks', 'a<br>b<br><br><br>c', 'a\nb\n\nc'],
    ['preformatted text', '<p>x</p><pre>a\n  b\n\n   c</pre><p>y</p>', 'x\n\na\n  b\n\n   c\n\ny'],
    [
      'tables',
      '<table><tr><th>A<th>B</tr><tr><td>1</td><td><p>two</p></td></tr><tr><td></td><td>3</td></tr></table>',
      'A | B\n1 | two\n| 3',
    ],
    ['cells that are hidden', '<table><tr><td hidden>a</td><td>b</td><td>c</td></tr></table>', 'b | c'],
    [
      'tables in cells',
      '<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr><tr><td>d</td></tr></table>',
      'a | b | c\nd',
    ],
    ['definition lists', '<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'a\nb\nc\nd'],
    [
      'hidden elements',
      '<p hidden>a</p><p style="color:red; display: none">b</p><p style="VISIBILITY:hidden">c</p><p>d</p>',
      'd',
    ],
    [
      'form fields',
      '<label>Name</label><select><option>x</option></select><input value="y"><button>Go</button>',
      'NameGo',
    ],
    ['drawings and frames', '<svg><title>t</title><text>x</text></svg><iframe>y</iframe><p>z', 'z'],
    ['entities without a semicolon', '<p>a &lt b &notanentity; &#0; &#x110000;', 'a < b ¬anentity; \ufffd \ufffd'],
    ['quirks of old pages', '<center>a</center><font>b</font><p>c<p>d', 'a\nb\n\nc\n\nd'],
    ['a head that is never closed', '<html><head><title>t</title><p>text', 'text'],
    ['text around the body', 'a<html><body>b</body></html>c', 'a\nb\nc'],
    ['cut off pages', '<div><p>text <a href="x', 'text'],
  ])('%s', async (_, html, text) => {
    expect(await texts(html)).toEqual([text]);
  });

  it('makes nothing of a page without text', async () => {
    for (const html of ['', '<html></html>', '<body> \n </body>', '<script>x</script>'])
      expect(await texts(html)).toEqual([]);
  });
});

describe('HtmlReader: what is selected', () => {
  const page =
    '<html><head><title> The\n page </title><meta name="description" content="About"><meta name="keywords" content=""><meta property="og:type" content="article"></head>' +
    '<body><nav>menu</nav><article><p>one</p></article><article><p>two <span>inner</span></p></article></body></html>';

  it('is the body by default', async () => {
    const [found] = await read(page, {}, { uri: 'https://example.invalid/p', filename: 'p.html' });
    expect(found?.text).toBe('menu\n\none\n\ntwo inner');
    expect(found?.metadata).toEqual({
      source: 'https://example.invalid/p',
      file_name: 'p.html',
      title: 'The page',
      charset: 'utf-8',
      description: 'About',
    });
  });

  it('is what the selector says, joined', async () => {
    expect(await texts(page, { selector: 'article' })).toEqual(['one\ntwo inner']);
    expect(await texts(page, { selector: 'article', separator: ' * ' })).toEqual(['one * two inner']);
    expect(await texts(page, { selector: '.none' })).toEqual([]);
  });

  it('is a document an element when grouped', async () => {
    const documents = await read(page, { selector: 'article', groupByElement: true });
    expect(documents.map((found) => found.text)).toEqual(['one', 'two inner']);
    expect(documents.map((found) => found.metadata['title'])).toEqual(['The page', 'The page']);
    expect(documents.map((found) => found.metadata['index'])).toEqual([0, 1]);
    expect(await texts(page, { selector: 'aside', groupByElement: true })).toEqual([]);
  });

  it('is never read twice', async () => {
    expect(await texts(page, { selector: 'article, p, span', groupByElement: true })).toEqual(['one', 'two inner']);
    expect(await texts(page, { selector: 'body, article' })).toEqual(['menu\n\none\n\ntwo inner']);
  });

  it('is the whole page when all elements are asked for', async () => {
    expect(await texts(page, { selector: 'article', allElements: true })).toEqual(['menu\n\none\n\ntwo inner']);
  });

  it('takes other meta tags and metadata of the caller', async () => {
    const [found] = await read(page, { metadataTags: ['og:type', 'missing'], metadata: { title: 'mine', tenant: 1 } });
    expect(found?.metadata).toEqual({ title: 'mine', charset: 'utf-8', 'og:type': 'article', tenant: 1 });
  });
});

describe('HtmlReader: links', () => {
  const page =
    '<a href="a.html">1</a><a href="/b">2</a><a href="https://other.invalid/c">3</a><a href="#top">4</a><a href="javascript:x()">5</a><a href="mailto:a@b.invalid">6</a><a>7</a><a href="a.html">8</a>';
  const links = async (html: string, uri?: string) =>
    (await read(html, { includeLinkUrls: true }, { uri }))[0]?.metadata['linkUrls'];

  it('are absolute by the URI of the page', async () => {
    expect(await links(page, 'https://example.invalid/dir/page.html')).toEqual([
      'https://example.invalid/dir/a.html',
      'https://example.invalid/b',
      'https://other.invalid/c',
      'https://example.invalid/dir/page.html#top',
      'mailto:a@b.invalid',
    ]);
  });

  it('are absolute by <base>, which may be relative itself', async () => {
    expect(await links(`<base href="https://base.invalid/x/"><a href="y">`.concat('z</a>'))).toEqual([
      'https://base.invalid/x/y',
    ]);
    expect(await links(`<base href="sub/"><a href="y">z</a>`, 'https://example.invalid/page')).toEqual([
      'https://example.invalid/sub/y',
    ]);
    expect(await links(`<base href="::"><a href="y">z</a>`, 'https://example.invalid/page')).toEqual([
      'https://example.invalid/y',
    ]);
  });

  it('are absolute by the option, where the page has no <base>', async () => {
    const of = async (html: string, options: HtmlReaderOptions, uri?: string) =>
      (await read(html, { includeLinkUrls: true, ...options }, { uri }))[0]?.metadata['linkUrls'];
    const baseUrl = 'https://option.invalid/dir/';
    expect(await of('<a href="y">z</a>', { baseUrl }, 'file:///docs/page.html')).toEqual([
      'https://option.invalid/dir/y',
    ]);
    expect(await of('<base href="/b/"><a href="y">z</a>', { baseUrl })).toEqual(['https://option.invalid/b/y']);
    expect(await of('<base href="https://base.invalid/"><a href="y">z</a>', { baseUrl })).toEqual([
      'https://base.invalid/y',
    ]);
    expect(() => new HtmlReader(bytesResource(''), { baseUrl: 'dir/' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'baseUrl' }),
    );
  });

  it('stay as they are without a base', async () => {
    expect(await links('<a href=" rel.html ">a</a><a href="http://[bad">b</a>')).toEqual(['rel.html', 'http://[bad']);
  });

  it('are left out by default, and belong to the document they are in', async () => {
    expect((await read(page))[0]?.metadata).not.toHaveProperty('linkUrls');
    const documents = await read('<p><a href="x:a">a</a></p><p><a href="x:b">b</a></p>', {
      selector: 'p',
      groupByElement: true,
      includeLinkUrls: true,
    });
    expect(documents.map((found) => found.metadata['linkUrls'])).toEqual([['x:a'], ['x:b']]);
  });
});

describe('HtmlReader: headings', () => {
  it('make a document each when asked to', async () => {
    const page =
      '<title>Page</title><p>before</p><h1>A <em>one</em></h1><p>a</p><div><h2>B</h2>b<ul><li>c</li></ul></div><h2>Empty</h2><h3> </h3><p>d</p><h1>Last</h1>';
    const documents = await read(page, { splitByHeadings: true });
    expect(
      documents.map((found) => [
        found.text,
        found.metadata['title'],
        found.metadata['headings'],
        found.metadata['level'],
        found.metadata['category'],
      ]),
    ).toEqual([
      ['before', 'Page', undefined, undefined, undefined],
      ['a', 'A one', ['A one'], 1, 'header_1'],
      ['b\n\nc', 'B', ['A one', 'B'], 2, 'header_2'],
      ['d', '', ['A one', 'Empty', ''], 3, 'header_3'],
      ['Last', 'Last', ['Last'], 1, 'header_1'],
    ]);
    for (const found of documents) expect(found.metadata['page_title']).toBe('Page');
  });

  it('keep links with their section', async () => {
    const documents = await read('<h1><a href="x:1">A</a></h1><a href="x:2">a</a><h1>B</h1>b', {
      splitByHeadings: true,
      includeLinkUrls: true,
    });
    expect(documents.map((found) => found.metadata['linkUrls'])).toEqual([['x:1', 'x:2'], []]);
  });
});

describe('HtmlReader: as a reader', () => {
  it('streams what it reads, with the same ids each time', async () => {
    const reader = new HtmlReader(bytesResource('<h1>A</h1>x<h1>B</h1>x', { filename: 'p.html' }), {
      splitByHeadings: true,
    });
    const streamed: Document[] = [];
    for await (const found of reader.stream()) streamed.push(found);
    expect(streamed).toEqual(await reader.read());
    expect(new Set(streamed.map((found) => found.id)).size).toBe(2);
  });

  it('refuses bad options, at construction', () => {
    const page = bytesResource('');
    expect(() => new HtmlReader(page, { selector: 'p[' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'selector' }),
    );
    expect(() => new HtmlReader(page, { encoding: 'klingon' })).toThrow(
      expect.objectContaining({ subject: 'encoding' }),
    );
    expect(() => new HtmlReader(page, { splitByHeading: true } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'splitByHeading' }),
    );
    expect(() => new HtmlReader('p.html' as unknown as Resource)).toThrow(
      expect.objectContaining({ subject: 'resource' }),
    );
  });

  it('says that a file is binary', async () => {
    const error = await failure(read(new Uint8Array([0x3c, 0, 0]), {}, { filename: 'a.html' }));
    expect([error.code, error.subject, error.details]).toEqual(['resource', 'a.html', { reason: 'binary' }]);
  });

  it('honours the signal', async () => {
    const page = bytesResource('<p>a</p><p>b</p>');
    expect((await failure(new HtmlReader(page).read({ signal: AbortSignal.abort() }))).code).toBe('aborted');
    const controller = new AbortController();
    const run = async () => {
      for await (const found of new HtmlReader(page, { selector: 'p', groupByElement: true }).stream({
        signal: controller.signal,
      })) {
        expect(found.text).toBe('a');
        controller.abort();
      }
    };
    expect((await failure(run())).code).toBe('aborted');
  });

  it.each([
    ['nested blocks', '<div>'.repeat(10_000)],
    ['nested formatting', '<b><i>'.repeat(5_000)],
    ['cut tags', '<div '.repeat(50_000)],
    ['cut comments', '<!--'.repeat(50_000)],
    ['cut attributes', '<p a="'.repeat(50_000)],
    ['open paragraphs', '<p>x'.repeat(50_000)],
    ['cells', `<table><tr>${'<td>x'.repeat(30_000)}`],
    ['nested tables', '<table><tr><td>x'.repeat(3_000)],
    ['meta tags', '<meta charset='.repeat(50_000)],
    ['ampersands', '&'.repeat(200_000)],
    ['less-than signs', '<'.repeat(200_000)],
  ])('reads a page that is nothing but %s in time', async (_, html) => {
    expect((await read(html, { includeLinkUrls: true })).length).toBeLessThanOrEqual(1);
    expect((await read(html, { selector: 'p, td' })).length).toBeLessThanOrEqual(1);
  });
});

describe('the limit of a file', () => {
  it('is held to the byte, and is part of no id', async () => {
    const resource = bytesResource('<p>Roses', { filename: 'a.html' });
    const size = (await resource.bytes()).length;
    const within = new HtmlReader(resource, { limits: { maxFileBytes: size } });
    expect(await within.read()).toEqual(await new HtmlReader(resource).read());
    const error = await new HtmlReader(resource, { limits: { maxFileBytes: size - 1 } }).read().catch((one) => one);
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'a.html',
      { reason: 'too_large', limit: 'maxFileBytes', most: size - 1 },
    ]);
  });

  it('is a number above 0, by its name', () => {
    for (const limits of [{ maxFileBytes: 0 }, { maxBytes: 5 }, null]) {
      expect(() => new HtmlReader(bytesResource(''), { limits } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    }
  });
});
