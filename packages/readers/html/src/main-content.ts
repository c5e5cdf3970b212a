import { type HtmlNode, isElement } from './html-node.js';
import { walkHtml } from './html-walk.js';
import { type PageRegion, pageRegions, roleOf } from './page-regions.js';

export interface MainContent {
  /** Where to read, in the order of the page. */
  readonly roots: readonly HtmlNode[];
  /** What to pass over in there. */
  readonly leftOut: ReadonlySet<HtmlNode>;
}

/** Landmarks that are no content. Source: WAI-ARIA 1.2, landmark and window roles. */
const AROUND_ROLES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar tablist'.split(' '),
);
const AROUND_ELEMENTS: ReadonlySet<string> = /* @__PURE__ */ new Set(['nav', 'aside', 'dialog', 'search', 'button']);
/** A header or footer inside of these is theirs, not the page's. Source: HTML-AAM, `header` and `footer`. */
const SECTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set(['article', 'aside', 'main', 'nav', 'section']);
const CITING: ReadonlySet<string> = /* @__PURE__ */ new Set(['blockquote', 'figure']);

/** The last word of an id or class of what pages had before there were elements for it, and of what has none. */
const AROUND_NAMES =
  /(?:^|[-_])(?:nav|navbar|navigation|topnav|subnav|sidenav|sidebar|sphinxsidebar|breadcrumbs?|footer|pagination|pager|share|sharing|social|related|newsletter|subscribe|advert|advertisement|ads?|sponsored|promo|popup|skip-?link|skip-?to-?content)$/i;
const CONSENT_NAMES =
  /consent|gdpr|ccpa|onetrust|cookiebot|cookies?[-_]?(?:banner|bar|notice|notification|law|policy|popup|message|modal|overlay|wall|info|warning|alert)|(?:^|\s)cookies?(?:\s|$)/i;
/** Letters of the longest banner that asks for consent. */
const LONGEST_BANNER = 3_000;
/** A page with less prose than this, and than it has links, is one of links, which are its content. About eighty words. */
const LEAST_PROSE = 400;

/**
 * The content of a page without what is around it: first by landmarks (`<main>`, else `<article>`, without navigation, asides, banners and
 * footers), and where there are none, by taking away what is mostly links.
 */
export function mainContent(page: HtmlNode): MainContent {
  const regions = pageRegions(page);
  const all = regions.get(page);
  if (all === undefined) return { roots: [page], leftOut: new Set() };
  const mains: HtmlNode[] = [];
  const articles: HtmlNode[] = [];
  let aroundProse = 0;
  walkHtml(page, {
    enter(node) {
      const region = regions.get(node);
      if (region === undefined) return false;
      if (node !== page && isAround(node, region, all)) {
        aroundProse += region.prose;
        return false;
      }
      if (isMain(node)) mains.push(node);
      else if (isArticle(node)) articles.push(node);
      return true;
    },
  });
  const landmarks =
    landmarksOf(outermost(mains), regions, (all.prose - aroundProse) / 4) ??
    mainArticles(landmarksOf(outermost(articles), regions, (all.prose - aroundProse) / 2), regions);
  return { roots: landmarks ?? [page], leftOut: around(landmarks ?? [page], regions, all, landmarks === undefined) };
}

/** What is left out of elements that somebody else has chosen: landmarks and banners. */
export function aroundIn(chosen: readonly HtmlNode[]): ReadonlySet<HtmlNode> {
  const leftOut = new Set<HtmlNode>();
  for (const root of chosen) {
    const regions = pageRegions(root);
    const all = regions.get(root);
    if (all !== undefined) for (const node of around([root], regions, all, false)) leftOut.add(node);
  }
  return leftOut;
}

type Regions = ReadonlyMap<HtmlNode, PageRegion>;

function around(roots: readonly HtmlNode[], regions: Regions, all: PageRegion, byLinks: boolean): Set<HtmlNode> {
  const isOfProse = byLinks && (all.prose >= LEAST_PROSE || all.prose > all.linked);
  const leftOut = new Set<HtmlNode>();
  for (const root of roots) {
    walkHtml(root, {
      enter(node) {
        const region = regions.get(node);
        if (region === undefined) return false;
        const isOut = node !== root && (isAround(node, region, all) || (isOfProse && isMostlyLinks(node, region)));
        if (isOut) leftOut.add(node);
        return !isOut;
      },
    });
  }
  return leftOut;
}

function isAround(node: HtmlNode, region: PageRegion, all: PageRegion): boolean {
  if (!isElement(node) || region.holdsMain) return false;
  const { name = '', attribs = {} } = node;
  if (attribs['aria-hidden'] === 'true') return true;
  const role = roleOf(node);
  if (AROUND_ROLES.has(role)) return true;
  if (role === '' && (AROUND_ELEMENTS.has(name) || ((name === 'header' || name === 'footer') && isOfPage(node))))
    return true;
  // A form around the whole page is common, and so is a class that tells what else is on the page.
  const isSmall = all.prose > 0 ? region.prose * 4 < all.prose : region.letters * 4 < all.letters;
  if (name === 'form' && isSmall) return true;
  const names = `${attribs['id'] ?? ''} ${attribs['class'] ?? ''}`.split(/\s+/);
  if (isSmall && names.some((word) => AROUND_NAMES.test(word))) return true;
  return (
    region.links + region.controls > 0 &&
    region.letters < LONGEST_BANNER &&
    CONSENT_NAMES.test(`${names.join(' ')} ${attribs['aria-label'] ?? ''}`)
  );
}

function isOfPage(node: HtmlNode): boolean {
  for (let above = node.parent; above !== null; above = above.parent) {
    if (SECTIONS.has(above.name ?? '') || CITING.has(above.name ?? '') || isMain(above) || isArticle(above))
      return false;
  }
  return true;
}

/** Lists of links and the like; a paragraph with links is none. */
function isMostlyLinks(node: HtmlNode, { letters, linked, prose, links }: PageRegion): boolean {
  return isElement(node) && prose === 0 && links >= 3 && linked * 2 > letters;
}

function isMain(node: HtmlNode): boolean {
  return node.name === 'main' || roleOf(node) === 'main';
}

function isArticle(node: HtmlNode): boolean {
  return node.name === 'article' || roleOf(node) === 'article' || node.attribs?.['itemprop'] === 'articleBody';
}

/** Undefined when they hold less prose than that, or no text: they are not what the page is about. */
function landmarksOf(nodes: readonly HtmlNode[], regions: Regions, least: number): readonly HtmlNode[] | undefined {
  const held = nodes.filter((node) => (regions.get(node)?.letters ?? 0) > 0);
  return held.length > 0 && sumProse(held, regions) >= least ? held : undefined;
}

/** One article with most of the prose has the others as teasers beside it; else the page is a list of them. */
function mainArticles(articles: readonly HtmlNode[] | undefined, regions: Regions): readonly HtmlNode[] | undefined {
  const two = sumProse(articles ?? [], regions) * 2;
  const main = two > 0 ? articles?.find((article) => sumProse([article], regions) * 3 >= two) : undefined;
  return main === undefined ? articles : [main];
}

function sumProse(nodes: readonly HtmlNode[], regions: Regions): number {
  return nodes.reduce((sum, node) => sum + (regions.get(node)?.prose ?? 0), 0);
}

function outermost(nodes: readonly HtmlNode[]): readonly HtmlNode[] {
  const all = new Set(nodes);
  return nodes.filter((node) => {
    for (let above = node.parent; above !== null; above = above.parent) if (all.has(above)) return false;
    return true;
  });
}
