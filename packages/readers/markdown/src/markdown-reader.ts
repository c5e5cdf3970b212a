import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import {
  decodeText,
  document,
  partIds,
  requireEncoding,
  requireResource,
  sourceMetadata,
  throwIfAborted,
} from '@vernal/core';
import { lexMarkdown } from './bounded-lexer.js';
import { takeFrontMatter } from './front-matter.js';
import { type Section, type SectionOptions, sectionsOf } from './sections.js';

/** What becomes a document of its own. Left out: each section is one. */
export interface MarkdownReaderOptions {
  /** A rule (`---`, `***`) begins a new document under the same heading. Default false: it is left out. */
  readonly horizontalRuleCreateDocument?: boolean | undefined;
  /** Code blocks are part of their section's text. False: each is a document of its own, `category` code_block, with `lang`. Default true. */
  readonly includeCodeBlock?: boolean | undefined;
  /** Block quotes are part of their section's text. False: each is a document of its own, `category` blockquote. Default true. */
  readonly includeBlockquote?: boolean | undefined;
  /** Writes targets of links and images behind their text, `text (url)`. Default false: the text alone. */
  readonly includeLinkUrls?: boolean | undefined;
  /** A label of the WHATWG Encoding Standard. A byte order mark outweighs it. Default the charset of the MIME type, else 'utf-8'. */
  readonly encoding?: string | undefined;
  /** Added to each document; wins over the reader's own. */
  readonly metadata?: MetadataInput | undefined;
}

/**
 * A document for each section of a Markdown page (CommonMark with GitHub's tables, tasks and strikethrough). The text is what a reader
 * sees: no marks, lists and tables as lines, blocks apart by an empty line, HTML without its tags. A section's own heading is not in its
 * text but in its metadata; a heading with nothing below it is a document of its title.
 *
 * Metadata: `source` (the URI, else the file name), `file_name`, `title`, `headings` (the titles from the top down to this one), `level`,
 * `category` (`header_1` to `header_6`), `start_line`, `end_line`, and `front_matter`, an object, when the page has some. Ids are made of
 * page, source and options, so reading again gives the same ones.
 *
 * Source: Spring AI's `MarkdownDocumentReader`.
 *
 * @throws VernalError `invalid_argument` for a bad option; `resource` when the bytes are not text
 *
 * @example
 * const sections = await new MarkdownReader(bytesResource('# Roses\n\nThey are red.')).read();
 * sections[0]?.metadata['title']; // 'Roses'
 */
export class MarkdownReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: MarkdownReaderOptions;
  readonly #sectionOptions: SectionOptions;

  constructor(resource: Resource, options: MarkdownReaderOptions = {}) {
    requireResource(resource);
    requireEncoding(options.encoding);
    this.#resource = resource;
    this.#options = options;
    this.#sectionOptions = {
      horizontalRuleCreateDocument: options.horizontalRuleCreateDocument ?? false,
      includeCodeBlock: options.includeCodeBlock ?? true,
      includeBlockquote: options.includeBlockquote ?? true,
      includeLinkUrls: options.includeLinkUrls ?? false,
    };
  }

  async read(options?: CallContext): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const section of this.stream(options)) documents.push(section);
    return documents;
  }

  /** The page is parsed as a whole when the first document is asked for. */
  async *stream(options?: CallContext): AsyncGenerator<Document> {
    throwIfAborted(options?.signal);
    const bytes = await this.#resource.bytes(options);
    throwIfAborted(options?.signal);
    const { text } = decodeText(bytes, { encoding: this.#options.encoding, source: this.#resource });
    const { values, body, lines } = takeFrontMatter(text.replace(/\r\n?/g, '\n'));
    const frontMatter = Object.keys(values).length === 0 ? undefined : values;
    const source = sourceMetadata(this.#resource);
    const idOf = await partIds(bytes, { ...source, options: { ...this.#options } });
    let index = 0;
    for (const section of sectionsOf(lexMarkdown(body), lines + 1, this.#sectionOptions)) {
      throwIfAborted(options?.signal);
      const metadata = { ...source, ...metadataOf(section), front_matter: frontMatter, ...this.#options.metadata };
      yield document({ id: idOf(index++), text: section.text, metadata });
    }
  }
}

function metadataOf(section: Section): MetadataInput {
  const { category, title, headings, level, lang, startLine, endLine } = section;
  return {
    category,
    title,
    ...(headings.length > 0 && { headings }),
    level,
    lang,
    start_line: startLine,
    end_line: endLine,
  };
}
