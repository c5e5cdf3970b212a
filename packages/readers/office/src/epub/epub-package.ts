import type { MetadataInput } from '@vernal/core';
import { partPath } from '../ooxml/part-path.js';
import { fileProperties } from '../reading/file-properties.js';
import type { Reading } from '../reading/reading.js';
import { attribute } from '../xml/xml-names.js';
import { childOf, childrenOf, readXmlTree, type XmlElement } from '../xml/xml-tree.js';
import { ZipArchive } from '../zip/zip-archive.js';
import { navTitles, ncxTitles } from './chapter-titles.js';

/** A chapter of the book, in its order. */
export interface EpubChapter {
  readonly path: string;
  /** As the table of contents calls it. */
  readonly title: string | undefined;
}

interface Item {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly properties: readonly string[];
}

const READABLE = /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document|application\/x-dtbook\+xml)$/i;

/** An EPUB book: chapters in a zip archive, in the order of its spine. Source: EPUB 3.3, and OPF 2.0 for older books. */
export class EpubPackage {
  readonly archive: ZipArchive;
  readonly #reading: Reading;

  constructor(bytes: Uint8Array, reading: Reading) {
    this.archive = new ZipArchive(bytes, reading);
    this.#reading = reading;
  }

  /**
   * What the book is and which chapters it has.
   *
   * @throws VernalError `resource`: 'wrong_type' for what is no book, 'encrypted' for one whose chapters are
   */
  async open(): Promise<{ readonly properties: MetadataInput; readonly chapters: readonly EpubChapter[] }> {
    if (!this.archive.has('META-INF/container.xml'))
      throw this.#reading.fault('wrong_type', 'is no EPUB book; use readAny, which looks at the content');
    const container = await this.#tree('META-INF/container.xml');
    const root = childOf(container, 'rootfiles', 'rootfile');
    const path = partPath('', attribute(root?.attributes ?? {}, 'full-path') ?? '');
    const book = await this.#tree(path);
    const items = childrenOf(childOf(book, 'manifest'), 'item').map((item) => itemOf(item, path));
    const byId = new Map(items.map((item) => [item.id, item]));
    const spine = childrenOf(childOf(book, 'spine'), 'itemref').flatMap(
      ({ attributes }) => byId.get(attribute(attributes, 'idref') ?? '') ?? [],
    );
    const encrypted = await this.#encryptedPaths();
    if (spine.some((item) => encrypted.has(item.path)))
      throw this.#reading.fault(
        'encrypted',
        'is protected against reading by other programs; get it without protection',
      );
    const titles = await this.#titles(book, items);
    const read = spine.filter(
      (item) => READABLE.test(item.type) && !item.properties.includes('nav') && this.archive.has(item.path),
    );
    const paths = new Set(read.map((item) => item.path));
    return {
      properties: propertiesOf(book),
      chapters: [...paths].map((one) => ({ path: one, title: titles.get(one) })),
    };
  }

  async #tree(name: string): Promise<XmlElement> {
    return readXmlTree(this.#reading, { name, chunks: this.archive.chunks(name), allowsDoctype: true });
  }

  async #titles(book: XmlElement, items: readonly Item[]): Promise<ReadonlyMap<string, string>> {
    const nav = items.find((item) => item.properties.includes('nav') && this.archive.has(item.path));
    if (nav !== undefined) return navTitles(await this.#tree(nav.path), nav.path);
    const id = attribute(childOf(book, 'spine')?.attributes ?? {}, 'toc');
    const ncx = items.find(
      (item) => (item.id === id || item.type === 'application/x-dtbncx+xml') && this.archive.has(item.path),
    );
    return ncx === undefined ? new Map() : ncxTitles(await this.#tree(ncx.path), ncx.path);
  }

  async #encryptedPaths(): Promise<ReadonlySet<string>> {
    if (!this.archive.has('META-INF/encryption.xml')) return new Set();
    const root = await this.#tree('META-INF/encryption.xml');
    return new Set(
      childrenOf(root, 'EncryptedData').map((data) =>
        partPath('', attribute(childOf(data, 'CipherData', 'CipherReference')?.attributes ?? {}, 'URI') ?? ''),
      ),
    );
  }
}

function itemOf({ attributes }: XmlElement, book: string): Item {
  return {
    id: attribute(attributes, 'id') ?? '',
    path: partPath(book, attribute(attributes, 'href') ?? ''),
    type: attribute(attributes, 'media-type') ?? '',
    properties: (attribute(attributes, 'properties') ?? '').split(/\s+/),
  };
}

function propertiesOf(book: XmlElement): MetadataInput {
  const outer = childOf(book, 'metadata');
  // Books of the time before OPF 2.0 have one more element around them.
  const metadata = childOf(outer, 'dc-metadata') ?? outer;
  const all = (name: string): string =>
    childrenOf(metadata, name)
      .map(({ text }) => text.trim())
      .join(', ');
  const modified = childrenOf(metadata, 'meta').find(
    ({ attributes }) => attributes['property'] === 'dcterms:modified',
  )?.text;
  return fileProperties({
    document_title: childOf(metadata, 'title')?.text,
    author: all('creator'),
    subject: all('subject'),
    description: childOf(metadata, 'description')?.text,
    publisher: childOf(metadata, 'publisher')?.text,
    language: childOf(metadata, 'language')?.text,
    created: childOf(metadata, 'date')?.text,
    modified,
  });
}
