import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import { decodeText, document, invalidArgument, throwIfAborted } from '@vernal/core';
import {
  partIds,
  readBytes,
  readerLimits,
  requireEncoding,
  requireOptionNames,
  requireResource,
  sourceMetadata,
} from '@vernal/core/adapter';
import { lexMarkdown } from './bounded-lexer.js';
import { takeFrontMatter } from './front-matter.js';
import { type Section, type SectionOptions, sectionsOf } from './sections.js';

/** How much of a page is read before it is refused. */
export interface MarkdownLimits {
  /** Bytes of the file; Infinity for no limit. Default 52,428,800. */
  readonly maxFileBytes?: number | undefined;
}

/** What becomes a document of its own. Left out: each section is one. */
export interface MarkdownReaderOptions {
  /** A rule (`---`, `***`) begins a new document under the same heading. Default false: it is left out. */
  readonly horizontalRuleCreateDocument?: boolean | undefined;
  /** Code blocks are part of their section's text. False: each is a document of its own, `category` code_block, with `lang`. Default true. */
  readonly includeCodeBlock?: boolean | undefined;
  /** Block quotes are part of their section's text. False: each is a document of its own, `category` blockquote. Default true. */
  readonly includeBlockquote?: boolean | undefined;
  /**
   * 'plain': what a reader of the page sees, without marks. 'markdown': as it is written, with the definitions that a section's links need
   * from elsewhere; HTML that shows nothing is left out. Default 'plain'.
   */
  readonly text?: 'plain' | 'markdown' | undefined;
  /** Writes targets of links and images behind their text, `text (url)`, in plain text. Default false: the text alone. */
  readonly includeLinkUrls?: boolean | undefined;
  /** A label of the WHATWG Encoding Standard. A byte order mark outweighs it. Default the charset of the MIME type, else 'utf-8'. */
  readonly encoding?: string | undefined;
  /** How much of a file is read before it is refused. */
  readonly limits?: MarkdownLimits | undefined;
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
 * @throws VernalError `invalid_argument` for a bad option or limit; `resource` when the bytes are not text, and with `details.reason`
 * 'too_large' for a file over its limit
 *
 * @example
 * const sections = await new MarkdownReader(bytesResource('# Roses\n\nThey are red.')).read();
 * sections[0]?.metadata['title']; // 'Roses'
 */
export class MarkdownReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: MarkdownReaderOptions;
  readonly #maxFileBytes: number;
  readonly #sectionOptions: SectionOptions;

  constructor(resource: Resource, options: MarkdownReaderOptions = {}) {
    requireResource(resource);
    requireOptionNames(options, NAMES);
    requireEncoding(options.encoding);
    this.#resource = resource;
    this.#options = options;
    this.#maxFileBytes = readerLimits<MarkdownLimits>(options.limits, LIMITS).maxFileBytes;
    const { text = 'plain' } = options;
    if (text !== 'plain' && text !== 'markdown') throw invalidArgument('text', "is 'plain' or 'markdown'");
    this.#sectionOptions = {
      text,
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
    const bytes = await readBytes(this.#resource, this.#maxFileBytes, options);
    const { text } = decodeText(bytes, { encoding: this.#options.encoding, source: this.#resource });
    const { values, body, lines } = takeFrontMatter(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
    const frontMatter = Object.keys(values).length === 0 ? undefined : values;
    const source = sourceMetadata(this.#resource);
    const { limits: _, ...cut } = this.#options;
    const idOf = await partIds(bytes, { ...source, options: cut });
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

const LIMITS = { maxFileBytes: 52_428_800 };

const NAMES: readonly (keyof MarkdownReaderOptions)[] = [
  'horizontalRuleCreateDocument',
  'includeCodeBlock',
  'includeBlockquote',
  'text',
  'includeLinkUrls',
  'encoding',
  'limits',
  'metadata',
];
