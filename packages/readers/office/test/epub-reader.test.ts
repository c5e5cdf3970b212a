import { bytesResource, type Document } from '@vernal/core';
import { EpubReader, type EpubReaderOptions } from '@vernal/readers-office';
import { describe, expect, it } from 'vitest';
import { type EpubParts, epub } from './support/epub.js';
import { failure } from './support/failure.js';
import { zip } from './support/zip.js';

const read = (book: EpubParts, options?: EpubReaderOptions): Promise<Document[]> =>
  new EpubReader(bytesResource(epub(book), { filename: 'a.epub' }), options).read();

describe('EpubReader', () => {
  it('makes a document of each chapter, in the order of the spine, with the title of the table of contents', async () => {
    const documents = await read({
      chapters: {
        'one two.xhtml': '<h1>I</h1><p>first</p>',
        'b.xhtml': '<section><h2>Of <em>thorns</em></h2><p>second</p></section>',
        'c.xhtml': '<p>third</p>',
        'empty.xhtml': '',
        'never.xhtml': '<p>NEVER</p>',
      },
      spine: ['nav', 'c.xhtml', 'empty.xhtml', 'one two.xhtml', 'b.xhtml', 'c.xhtml'],
      nav: '<nav epub:type="landmarks"><a href="text/b.xhtml">Start</a></nav><nav epub:type="toc"><ol><li><a href="text/one%20two.xhtml#x">The\n<b>first</b></a><ol><li><a href="text/one%20two.xhtml#y">sub</a></li></ol></li></ol></nav>',
      metadata:
        '<dc:title>Roses</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bea</dc:creator><dc:language>en</dc:language><dc:date>2024</dc:date><meta property="dcterms:modified">2024-05-01T00:00:00Z</meta>',
    });
    const common = {
      source: 'a.epub',
      mime_type: 'application/epub+zip',
      document_title: 'Roses',
      author: 'Ada, Bea',
      language: 'en',
      created: '2024',
      modified: '2024-05-01T00:00:00Z',
      unit: 'chapter',
    };
    expect(documents.map((one) => [one.text, one.metadata])).toEqual([
      ['third', { ...common, chapter_number: 1, title: 'Page of c.xhtml' }],
      ['I\n\nfirst', { ...common, chapter_number: 3, title: 'The first' }],
      ['Of thorns\n\nsecond', { ...common, chapter_number: 4, title: 'Of thorns' }],
    ]);
  });

  it('takes the titles of older books', async () => {
    const ncx =
      '<navPoint><navLabel><text>Chapter 1</text></navLabel><content src="text/a.xhtml"/><navPoint><navLabel><text>1.1</text></navLabel><content src="text/a.xhtml#s"/></navPoint></navPoint><navPoint><navLabel><text>Chapter 2</text></navLabel><content src="text/b.xhtml#top"/></navPoint>';
    const documents = await read({ chapters: { 'a.xhtml': '<p>a</p>', 'b.xhtml': '<p>b</p>' }, ncx });
    expect(documents.map((one) => one.metadata['title'])).toEqual(['Chapter 1', 'Chapter 2']);
  });

  it('reads pages as readers see them', async () => {
    const body =
      '<h1>A</h1><p>x<br/>y &nbsp; z&#8217;</p><ul><li>one</li></ul><table><tr><td rowspan="2">EU</td><td>1</td></tr><tr><td>2</td></tr></table><p hidden="">HIDDEN</p><ruby>漢<rt>かん</rt></ruby><p>see <a href="https://x.invalid/">it</a> <a href="b.xhtml">there</a></p><svg><text>NO</text></svg><script/><p>end</p>';
    expect((await read({ chapters: { 'a.xhtml': body } }))[0]?.text).toBe(
      'A\n\nx\ny z’\n\n- one\n\nEU | 1\nEU | 2\n\n漢\n\nsee it there\n\nend',
    );
    expect((await read({ chapters: { 'a.xhtml': body } }, { includeLinkUrls: true }))[0]?.text).toContain(
      'see it (https://x.invalid/) there',
    );
  });

  it('decodes chapters as they say', async () => {
    const latin = zipChapter(
      new Uint8Array(
        Buffer.from(
          '<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>gr\xfcn \x80</p></body></html>',
          'latin1',
        ),
      ),
    );
    expect((await new EpubReader(bytesResource(latin)).read())[0]?.text).toBe('grün €');
  });

  it('says that a file is no book, or a protected one', async () => {
    const reason = async (bytes: Uint8Array) =>
      (await failure(new EpubReader(bytesResource(bytes)).read())).details['reason'];
    expect(await reason(zip({ 'a.txt': 'x' }))).toBe('wrong_type');
    const data = (uri: string): string =>
      `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`;
    const chapters = { 'a.xhtml': '<p>a</p>' };
    expect(await reason(epub({ chapters, encryption: data('OEBPS/text/a.xhtml') }))).toBe('encrypted');
    expect(await read({ chapters, encryption: data('OEBPS/font.otf') })).toHaveLength(1);
    expect(await reason(zip({ 'META-INF/container.xml': '<container/>' }))).toBe('damaged');
  });
});

function zipChapter(chapter: Uint8Array): Uint8Array {
  return zip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    'b.opf':
      '<package><manifest><item id="a" href="a.html" media-type="text/html"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.html': chapter,
  });
}
