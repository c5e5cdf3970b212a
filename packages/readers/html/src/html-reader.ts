import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import {
  document,
  invalidArgument,
  partIds,
  requireEncoding,
  requireResource,
  sourceMetadata,
  throwIfAborted,
} from '@vernal/core';
import { type CheerioAPI, load } from 'cheerio/slim';
import { decodeHtml } from './html-charset.js';
import type { HtmlNode } from './html-node.js';
import { type HtmlPage, htmlPage } from './html-page.js';
import { type HtmlSection, htmlSections } from './html-sections.js';

/** What of a page is read and how it is cut. Left out: one document of the whole body. */
export interface HtmlReaderOptions {
  /** CSS selector of the elements to read; what is inside another selected element is not read twice. Default 'body', or all there is. */
  readonly selector?: string | undefined;
  /** Between the texts of several selected elements. Default a newline. */
  readonly separator?: string | undefined;
  /** A document for each selected element, instead of one for all. Default false. */
  readonly groupByElement?: boolean | undefined;
  /** The whole page, whatever the selector. Default false. */
  readonly allElements?: boolean | undefined;
  /**
   * A document for each heading, `h1` to `h6`, of what is selected: metadata `title`, `headings`, `level`, `category` are those of the
   * heading, and `page_title` that of the page. Default false.
   */
  readonly splitByHeadings?: boolean | undefined;
  /** Adds `linkUrls`, the targets of the document's links, absolute where `<base>` or the resource's URI allows it. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
  /** Names of `<meta>` tags whose content becomes metadata. Default `['description', 'keywords']`. */
  readonly metadataTags?: readonly string[] | undefined;
  /** A label of the WHATWG Encoding Standard; only a byte order mark outweighs it. Default what MIME type or page say, else UTF-8. */
  readonly encoding?: string | undefined;
  /** Added to each document; wins over the reader's own. */
  readonly metadata?: MetadataInput | undefined;
}

/**
 * Reads the visible text of HTML. Blocks end a line, paragraphs are apart by an empty line, rows of tables are lines with `|` between
 * cells, `pre` keeps its lines; other white space collapses. Left out: scripts, styles, templates, `noscript`, frames, drawings, the
 * contents of form fields, and what `hidden` or an inline style hides. Buttons keep their text, images their `alt` text. Soft hyphens and
 * zero-width spaces are removed, so that words can be found.
 *
 * Metadata: `source` (the URI, else the file name), `file_name`, `title`, `charset`, the `metadataTags`, `index` (from 0) where a page
 * makes several documents, and what the options add. An element without text makes no document. Ids are made of page, source and
 * options, so reading again gives the same ones.
 *
 * Source: Spring AI's `JsoupDocumentReader`.
 *
 * @throws VernalError `invalid_argument` for a bad selector or encoding; `resource` when the bytes are not text
 *
 * @example
 * const reader = new HtmlReader(bytesResource('<title>Roses</title><p>They are red.'));
 * const [page] = await reader.read(); // text 'They are red.', title 'Roses'
 */
export class HtmlReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: HtmlReaderOptions;

  constructor(resource: Resource, options: HtmlReaderOptions = {}) {
    requireResource(resource);
    requireEncoding(options.encoding);
    if (options.selector !== undefined) requireSelector(options.selector);
    this.#resource = resource;
    this.#options = options;
  }

  async read(options?: CallContext): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const page of this.stream(options)) documents.push(page);
    return documents;
  }

  /** The page is parsed as a whole when the first document is asked for. */
  async *stream(options?: CallContext): AsyncGenerator<Document> {
    throwIfAborted(options?.signal);
    const bytes = await this.#resource.bytes(options);
    throwIfAborted(options?.signal);
    const { text: html, encoding: charset } = decodeHtml(bytes, this.#options.encoding, this.#resource);
    // Selectors take quadratic time over many roots, so they get one; it is named so that none finds it.
    const $ = load(this.#isWhole() ? html : `<vernal-page>${html}`);
    const [root] = $.root().toArray();
    if (root === undefined) return;
    const page = htmlPage(root);
    const source = sourceMetadata(this.#resource);
    const pageMetadata = { ...source, ...this.#pageMetadata(page, charset) };
    const { uri } = this.#resource;
    const base = page.base === undefined ? uri : (parseUrl(page.base, uri) ?? uri);
    const { groupByElement = false, splitByHeadings = false } = this.#options;
    const idOf = await partIds(bytes, { ...source, options: { ...this.#options } });
    let index = 0;
    for (const section of this.#sections($, root)) {
      throwIfAborted(options?.signal);
      const metadata = {
        ...pageMetadata,
        ...((groupByElement || splitByHeadings) && { index }),
        ...this.#sectionMetadata(section, page.title, base),
        ...this.#options.metadata,
      };
      yield document({ id: idOf(index++), text: section.text, metadata });
    }
  }

  *#sections($: CheerioAPI, root: HtmlNode): Generator<HtmlSection> {
    const { groupByElement = false, splitByHeadings = false, separator = '\n' } = this.#options;
    const elements = this.#selected($, root);
    if (groupByElement || splitByHeadings || elements.length === 1) {
      for (const element of elements) yield* htmlSections(element, splitByHeadings);
      return;
    }
    const parts = elements.flatMap((element) => [...htmlSections(element, false)]);
    if (parts.length === 0) return;
    yield {
      text: parts.map(({ text }) => text).join(separator),
      links: parts.flatMap(({ links }) => links),
      headings: [],
      level: undefined,
    };
  }

  #isWhole(): boolean {
    const { selector = 'body', allElements = false } = this.#options;
    return allElements || selector.trim() === 'body';
  }

  /** Selected elements, without those inside another one. The body is all there is, for pages need not have the tag. */
  #selected($: CheerioAPI, root: HtmlNode): readonly HtmlNode[] {
    const { selector = 'body' } = this.#options;
    if (this.#isWhole()) return [root];
    const found = new Set<HtmlNode>($(selector).toArray());
    return [...found].filter((node) => !isInside(node, found));
  }

  #pageMetadata({ title, meta }: HtmlPage, charset: string): MetadataInput {
    const { metadataTags = ['description', 'keywords'] } = this.#options;
    return {
      title: title === '' ? undefined : title,
      charset,
      ...Object.fromEntries(metadataTags.map((tag) => [tag, meta.get(tag)])),
    };
  }

  #sectionMetadata(
    { headings, level, links }: HtmlSection,
    pageTitle: string,
    base: string | undefined,
  ): MetadataInput {
    const { splitByHeadings = false, includeLinkUrls = false } = this.#options;
    return {
      ...(splitByHeadings && pageTitle !== '' && { page_title: pageTitle }),
      ...(level !== undefined && { title: headings.at(-1), headings, level, category: `header_${level}` }),
      ...(includeLinkUrls && { linkUrls: [...new Set(links.flatMap((link) => absoluteUrl(link, base) ?? []))] }),
    };
  }
}

/** Scripts are no targets; without a base a relative link stays as it is written. */
function absoluteUrl(link: string, base: string | undefined): string | undefined {
  const href = link.trim();
  if (href === '' || /^(?:javascript|data|vbscript):/i.test(href)) return undefined;
  return parseUrl(href, base) ?? href;
}

function parseUrl(href: string, base: string | undefined): string | undefined {
  return URL.canParse(href, base) ? new URL(href, base).href : undefined;
}

function isInside(node: HtmlNode, others: ReadonlySet<HtmlNode>): boolean {
  for (let above = node.parent; above !== null; above = above.parent) if (others.has(above)) return true;
  return false;
}

function requireSelector(selector: string): void {
  try {
    load('')(selector);
  } catch (cause) {
    throw invalidArgument('selector', 'is not a CSS selector', cause);
  }
}
