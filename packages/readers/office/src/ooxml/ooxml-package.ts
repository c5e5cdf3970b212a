import { oleNames } from '../legacy/ole-directory.js';
import type { Reading } from '../reading/reading.js';
import { attribute } from '../xml/xml-names.js';
import { childrenOf, readXmlTree, type XmlElement } from '../xml/xml-tree.js';
import { ZipArchive } from '../zip/zip-archive.js';
import { partPath, relationshipsPath } from './part-path.js';

/** From one part of a package to another, or to the web. */
export interface Relationship {
  readonly id: string;
  /** The end of its type: 'slide', 'notesSlide', 'hyperlink'. */
  readonly type: string;
  /** The path of a part, or the address as written. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** An Office Open XML file: parts in a zip archive, found by relationships and not by their names. Source: ECMA-376 part 2. */
export class OoxmlPackage {
  readonly archive: ZipArchive;
  readonly #reading: Reading;

  /** @throws VernalError `resource`: 'encrypted', and what `ZipArchive` throws */
  constructor(bytes: Uint8Array, reading: Reading) {
    if (oleNames(bytes).includes('EncryptedPackage')) {
      throw reading.fault('encrypted', 'is encrypted; open it in Office, remove the password, and save it anew');
    }
    this.archive = new ZipArchive(bytes, reading);
    this.#reading = reading;
  }

  /** Those of a part; '' has those of the package. A part without any has none. */
  async relationships(part: string): Promise<readonly Relationship[]> {
    const path = relationshipsPath(part);
    if (!this.archive.has(path)) return [];
    const root = await this.tree(path);
    return childrenOf(root, 'Relationship').map(({ attributes }) => {
      const target = attribute(attributes, 'Target') ?? '';
      const isExternal = attribute(attributes, 'TargetMode') === 'External';
      return {
        id: attribute(attributes, 'Id') ?? '',
        type: (attribute(attributes, 'Type') ?? '').replace(/^.*\//, ''),
        target: isExternal ? target : partPath(part, target),
        isExternal,
      };
    });
  }

  /**
   * The part that the package is about.
   *
   * @param root - name of its root element, which tells what the file is, wherever the part lies
   * @param usual - where it lies in nearly all files
   * @throws VernalError `resource` 'wrong_type' when it is something else
   */
  async mainPart(root: string, usual: string): Promise<string> {
    const main = await this.documentPart(usual);
    if (/\.bin$/i.test(main)) {
      const fault = 'is in the binary form of its format; save it anew in the usual one, such as .xlsx';
      throw this.#reading.fault('unsupported_format', fault);
    }
    if (this.rootOf(main) === root) return main;
    throw this.#reading.fault(
      'wrong_type',
      'is another kind of file than this reader is for; use readAny, which looks at the content',
    );
  }

  /** Where the document lies; it may not be there. */
  async documentPart(usual: string): Promise<string> {
    return (await this.relationships('')).find(({ type }) => type === 'officeDocument')?.target ?? usual;
  }

  /** The name of a part's root element, '' when there is none. */
  rootOf(part: string): string {
    if (!this.archive.has(part)) return '';
    const first = this.archive.chunks(part).next();
    const head = first.done ? '' : new TextDecoder().decode(first.value.subarray(0, 4_096)).replaceAll('\0', '');
    return /<(?![?!])(?:[\w.-]+:)?([\w.-]+)[\s>/]/.exec(head.replace(/<!--.*?-->/gs, ''))?.[1] ?? '';
  }

  async tree(part: string): Promise<XmlElement> {
    return readXmlTree(this.#reading, { name: part, chunks: this.archive.chunks(part) });
  }
}
