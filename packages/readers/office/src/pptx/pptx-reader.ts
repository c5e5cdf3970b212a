import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import { coreProperties } from '../ooxml/core-properties.js';
import { OoxmlPackage } from '../ooxml/ooxml-package.js';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type Unit, unitDocuments } from '../reading/unit-documents.js';
import type { Block } from '../text/block.js';
import { type Slide, type SlideReaderOptions, slideUnit } from '../text/slide-unit.js';
import { readXml } from '../xml/xml-items.js';
import { relationshipId } from '../xml/xml-names.js';
import { childOf, childrenOf } from '../xml/xml-tree.js';
import { SlideText } from './slide-text.js';

/**
 * Reads PowerPoint presentations (.pptx, .pptm, .ppsx, .potx): a document for each slide, in the order in which they are shown. The title
 * comes first, then the shapes in their order: paragraphs, lists, tables with `|` between cells, the texts of diagrams, the notes. Left
 * out: what stands on every slide (date, footer, number), hidden shapes, charts, comments. A slide without text makes no document.
 *
 * Metadata: `source`, `file_name`, `mime_type`, `unit` 'slide', `slide_number` (from 1), `title`, `hidden`, and `document_title`,
 * `author`, `created`, `modified` … of the file.
 *
 * Source: Spring AI's `TikaDocumentReader`; ECMA-376.
 *
 * @throws VernalError as `DocxReader` does
 *
 * @example
 * const slides = await new PptxReader(fileResource('talk.pptx'), { includeNotes: false }).read();
 */
export class PptxReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: SlideReaderOptions;

  constructor(resource: Resource, options: SlideReaderOptions = {}) {
    checkReader(resource, options, ['includeNotes', 'includeHidden', 'includeLinkUrls']);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** A slide is read when it is asked for. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      units: (bytes, reading) => pptxUnits(bytes, reading, this.#options),
    });
  }
}

async function* pptxUnits(bytes: Uint8Array, reading: Reading, options: SlideReaderOptions): AsyncGenerator<Unit> {
  const file = new OoxmlPackage(bytes, reading);
  const main = await file.mainPart('presentation', 'ppt/presentation.xml');
  const properties = await coreProperties(file);
  const related = await file.relationships(main);
  const list = childrenOf(childOf(await file.tree(main), 'sldIdLst'), 'sldId');
  const seen = new Set<string>();
  let number = 0;
  for (const { attributes } of list) {
    number++;
    const id = relationshipId(attributes);
    const part = related.find((one) => one.id === id && one.type === 'slide')?.target;
    // A slide that is listed a thousand times is one slide.
    if (part === undefined || !file.archive.has(part) || seen.has(part)) continue;
    seen.add(part);
    const slide = await slideOf(file, part, number, reading, options);
    const unit = slideUnit(slide, options, reading, properties);
    if (unit !== undefined) yield unit;
  }
}

async function slideOf(
  file: OoxmlPackage,
  part: string,
  number: number,
  reading: Reading,
  { includeNotes = true, includeLinkUrls = false }: SlideReaderOptions,
): Promise<Slide> {
  const related = await file.relationships(part);
  const partsOf = (type: string): readonly string[] =>
    related
      .filter((one) => one.type === type && !one.isExternal && file.archive.has(one.target))
      .map(({ target }) => target);
  const links = related.filter(({ isExternal, type }) => includeLinkUrls && isExternal && type === 'hyperlink');
  const textOf = async (name: string, of: ReadonlyMap<string, string> = new Map()): Promise<SlideText> => {
    const text = new SlideText(of);
    await readXml(reading, { name, chunks: file.archive.chunks(name) }, text);
    text.end();
    return text;
  };
  const { blocks, title = '', isHidden } = await textOf(part, new Map(links.map(({ id, target }) => [id, target])));
  const diagrams: Block[] = [];
  for (const diagram of partsOf('diagramData')) diagrams.push(...(await textOf(diagram)).blocks);
  const notes: Block[] = [];
  if (includeNotes) for (const one of partsOf('notesSlide')) notes.push(...(await textOf(one)).blocks);
  return { number, isHidden, title, blocks: [...blocks, ...diagrams], notes };
}
