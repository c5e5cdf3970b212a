import type { MetadataInput } from '@vernal/core';
import { fileProperties } from '../reading/file-properties.js';
import type { Reading } from '../reading/reading.js';
import { readXml, type XmlHandler, type XmlPart, xmlItems } from '../xml/xml-items.js';
import { childOf, childrenOf, readXmlTree } from '../xml/xml-tree.js';
import { ZipArchive } from '../zip/zip-archive.js';
import { OdfStyles } from './odf-styles.js';

const TYPE = 'application/vnd.oasis.opendocument.';

/** An OpenDocument file. Source: OpenDocument 1.3 part 2. */
export class OdfPackage {
  readonly styles: OdfStyles = new OdfStyles();
  readonly #archive: ZipArchive;
  readonly #reading: Reading;

  constructor(bytes: Uint8Array, reading: Reading) {
    this.#archive = new ZipArchive(bytes, reading);
    this.#reading = reading;
  }

  /**
   * Looks at what the file says that it is, and reads its styles.
   *
   * @param kind - 'text', 'presentation' or 'spreadsheet'
   * @throws VernalError `resource` 'wrong_type' or 'encrypted'
   */
  async open(kind: string): Promise<void> {
    const untold = this.#archive.has('content.xml') ? `${TYPE}${kind}` : '';
    const type = this.#archive.has('mimetype') ? textOf(this.#archive.chunks('mimetype')).trim() : untold;
    if (!type.startsWith(`${TYPE}${kind}`))
      throw this.#reading.fault(
        'wrong_type',
        'is another kind of file than this reader is for; use readAny, which looks at the content',
      );
    if (await this.#isEncrypted())
      throw this.#reading.fault('encrypted', 'is encrypted; open it in Office, remove the password, and save it anew');
    if (this.#archive.has('styles.xml')) await readXml(this.#reading, this.#part('styles.xml'), this.styles);
  }

  /** What the handler makes of the content. */
  content<T>(handler: XmlHandler, ready: T[]): AsyncGenerator<T> {
    return xmlItems(this.#reading, this.#part('content.xml'), handler, ready);
  }

  async properties(): Promise<MetadataInput> {
    if (!this.#archive.has('meta.xml')) return {};
    const meta = childOf(await readXmlTree(this.#reading, this.#part('meta.xml')), 'meta');
    const text = (name: string): string | undefined => childOf(meta, name)?.text;
    return fileProperties({
      document_title: text('title'),
      author: text('initial-creator') ?? text('creator'),
      subject: text('subject'),
      keywords: childrenOf(meta, 'keyword')
        .map((keyword) => keyword.text)
        .join(', '),
      description: text('description'),
      created: text('creation-date'),
      modified: text('date'),
    });
  }

  async #isEncrypted(): Promise<boolean> {
    if (this.#archive.has('encrypted-package')) return true;
    if (!this.#archive.has('META-INF/manifest.xml')) return false;
    let isEncrypted = false;
    await readXml(this.#reading, this.#part('META-INF/manifest.xml'), {
      open(name) {
        if (name === 'encryption-data') isEncrypted = true;
      },
      close() {},
    });
    return isEncrypted;
  }

  #part(name: string): XmlPart {
    return { name, chunks: this.#archive.chunks(name), allowsDoctype: true };
  }
}

function textOf(chunks: Iterable<Uint8Array>): string {
  for (const chunk of chunks) return new TextDecoder().decode(chunk.subarray(0, 256));
  return '';
}
