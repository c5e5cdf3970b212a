import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import { document, invalidArgument, throwIfAborted } from '@vernal/core';
import {
  partIds,
  readBytes,
  readerLimits,
  requireEncoding,
  requireOptionNames,
  requireResource,
  sourceMetadata,
} from '@vernal/core/adapter';
import { load } from 'cheerio/slim';
import { decodeHtml } from './html-charset.js';
import type { HtmlNode } from './html-node.js';
import { type HtmlPage, htmlPage } from './html-page.js';
import { type HtmlDocument, parseHtml } from './html-parse.js';
import { type HtmlSection, htmlSections } from './html-sections.js';
import { aroundIn, type MainContent, mainContent } from './main-content.js';

/** How much of a page is read before it is refused. */
export interface HtmlLimits {
  /** Bytes of the file; Infinity for no limit. Default 52,428,800. */
  readonly maxFileBytes?: number | undefined;
}

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
   * Leaves out what is around the content of a page: navigation, asides, the page's header and footer, forms, buttons, banners that ask
   * for consent. With a selector they are left out of what it selects; without one the content is `<main>`, else `<article>`, else the
   * page without what is mostly links. A heuristic: look at what it makes of your pages. Default false.
   */
  readonly mainContent?: boolean | undefined;
  /**
   * A document for each heading, `h1` to `h6`, of what is selected: metadata `title`, `headings`, `level`, `category` are those of the
   * heading, and `page_title` that of the page. Default false.
   */
  readonly splitByHeadings?: boolean | undefined;
  /** Adds `linkUrls`, the targets of the document's links, absolute where `<base>`, `baseUrl` or the resource's URI allows it. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
  /** The absolute address that links of the page are relative to, where it has no `<base>`. Default the resource's URI. */
  readonly baseUrl?: string | undefined;
  /** Names of `<meta>` tags whose content becomes metadata. Default `['description', 'keywords']`. */
  readonly metadataTags?: readonly string[] | undefined;
  /** A label of the WHATWG Encoding Standard; only a byte order mark outweighs it. Default what MIME type or page say, else UTF-8. */
  readonly encoding?: string | undefined;
  /** How much of a file is read before it is refused. */
  readonly limits?: HtmlLimits | undefined;
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
 * @throws VernalError `invalid_argument` for a bad selector, encoding or limit; `resource` when the bytes are not text, and with
 * `details.reason` 'too_large' for a file over its limit
 *
 * @example
 * const reader = new HtmlReader(bytesResource('<title>Roses</title><p>They are red.'));
 * const [page] = await reader.read(); // text 'They are red.', title 'Roses'
 */
export class HtmlReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: HtmlReaderOptions;
  readonly #maxFileBytes: number;

  constructor(resource: Resource, options: HtmlReaderOptions = {}) {
    requireResource(resource);
    requireOptionNames(options, NAMES);
    requireEncoding(options.encoding);
    if (options.selector !== undefined) requireSelector(options.selector);
    if (options.baseUrl !== undefined && !URL.canParse(options.baseUrl))
      throw invalidArgument('baseUrl', 'is not an absolute URL');
    this.#resource = resource;
    this.#options = options;
    this.#maxFileBytes = readerLimits<HtmlLimits>(options.limits, LIMITS).maxFileBytes;
  }

  async read(options?: CallContext): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const page of this.stream(options)) documents.push(page);
    return documents;
  }

  /** The page is parsed as a whole when the first document is asked for. */
  async *stream(options?: CallContext): AsyncGenerator<Document> {
    const bytes = await readBytes(this.#resource, this.#maxFileBytes, options);
    const { text: html, encoding: charset } = decodeHtml(bytes, this.#options.encoding, this.#resource);
    const source = sourceMetadata(this.#resource);
    // Before the page is parsed: a tree that outlives a wait costs the collector more than to make it.
    const { limits: _, ...cut } = this.#options;
    const idOf = await partIds(bytes, { ...source, options: cut });
    throwIfAborted(options?.signal);
    // Selectors take quadratic time over many roots, so they get one; it is named so that none finds it.
    const root = parseHtml(this.#isWhole() ? html : `<vernal-page>${html}`);
    const page = htmlPage(root);
    const pageMetadata = { ...source, ...this.#pageMetadata(page, charset) };
    const { baseUrl = this.#resource.uri } = this.#options;
    const base = page.base === undefined ? baseUrl : (parseUrl(page.base, baseUrl) ?? baseUrl);
    const { groupByElement = false, splitByHeadings = false } = this.#options;
    let index = 0;
    for (const section of this.#sections(root)) {
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

  *#sections(page: HtmlDocument): Generator<HtmlSection> {
    const { groupByElement = false, splitByHeadings = false, separator = '\n' } = this.#options;
    const { roots, leftOut } = this.#content(page);
    if (groupByElement || splitByHeadings || roots.length === 1) {
      for (const root of roots) yield* htmlSections(root, { splitByHeadings, leftOut });
      return;
    }
    const parts = roots.flatMap((root) => [...htmlSections(root, { splitByHeadings, leftOut })]);
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
  #content(page: HtmlDocument): MainContent {
    const { selector = 'body', mainContent: isMain = false } = this.#options;
    if (this.#isWhole()) return isMain ? mainContent(page) : { roots: [page], leftOut: new Set() };
    const found = new Set<HtmlNode>(load(page)(selector).toArray());
    const roots = [...found].filter((node) => !isInside(node, found));
    return { roots, leftOut: isMain ? aroundIn(roots) : new Set() };
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

const LIMITS = { maxFileBytes: 52_428_800 };

const NAMES: readonly (keyof HtmlReaderOptions)[] = [
  'selector',
  'separator',
  'groupByElement',
  'allElements',
  'mainContent',
  'splitByHeadings',
  'includeLinkUrls',
  'baseUrl',
  'metadataTags',
  'encoding',
  'limits',
  'metadata',
];
