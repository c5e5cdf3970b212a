import { borderOf, type HtmlNode, headingLevel, isCell, isElement, isHidden } from './html-node.js';
import { walkHtml } from './html-walk.js';

/** What an element holds, all that is inside of it included. Letters are counted without white space. */
export interface PageRegion {
  letters: number;
  /** Letters that are in links. */
  linked: number;
  /** Letters of blocks that read like sentences. */
  prose: number;
  links: number;
  /** Buttons and fields. */
  controls: number;
  /** It is, or holds, what only the content of a page has: `<main>` or a heading of the first level. */
  holdsMain: boolean;
}

/** Scripts without spaces between words say as much with a third of the letters. */
const DENSE_SCRIPT_FROM = 0x2e80;
const DENSE_SCRIPT_WEIGHT = 3;

/** A block of this many letters is prose without an end of a sentence. About fifteen words. */
const LONG_BLOCK = 80;
/** A block that ends like a sentence is prose from here on. */
const SHORT_BLOCK = 25;
const SENTENCE_END = /[.!?…。！？][\s"'”’»)\]]*$/;

const CONTROLS: ReadonlySet<string> = /* @__PURE__ */ new Set(['button', 'input', 'select', 'textarea']);

/** The first of the roles that an element claims, '' for none. */
export function roleOf({ attribs }: HtmlNode): string {
  return /^\s*(\S+)/.exec(attribs?.['role'] ?? '')?.[1]?.toLowerCase() ?? '';
}

/**
 * Measures every visible element in one pass. A block is the text between two borders; it is prose when it is long, or ends like a
 * sentence, and less than half of it is links. Source: text density and link density, Kohlschütter, Fankhauser and Nejdl, "Boilerplate
 * Detection using Shallow Text Features", WSDM 2010.
 */
export function pageRegions(root: HtmlNode): ReadonlyMap<HtmlNode, PageRegion> {
  const regions = new Map<HtmlNode, PageRegion>();
  const open: PageRegion[] = [];
  let inLinks = 0;
  let blockLetters = 0;
  let blockLinked = 0;
  let blockEnd = '';

  function endBlock(): void {
    const region = open.at(-1);
    const isLong = blockLetters >= LONG_BLOCK || (blockLetters >= SHORT_BLOCK && SENTENCE_END.test(blockEnd));
    if (region !== undefined && isLong && blockLinked * 2 < blockLetters) region.prose += blockLetters - blockLinked;
    blockLetters = 0;
    blockLinked = 0;
    blockEnd = '';
  }

  walkHtml(root, {
    enter(node) {
      if (node.type === 'text') {
        const region = open.at(-1);
        const letters = countLetters(node.data ?? '');
        if (region === undefined || letters === 0) return false;
        region.letters += letters;
        blockLetters += letters;
        blockEnd = (node.data ?? '').slice(-16).trimEnd();
        if (inLinks === 0) return false;
        region.linked += letters;
        blockLinked += letters;
        return false;
      }
      if (isElement(node) && CONTROLS.has(node.name ?? '')) {
        const region = open.at(-1);
        if (region !== undefined) region.controls++;
      }
      if (isElement(node) && isHidden(node) && node !== root) return false;
      if (borderOf(node.name) > 0 || isCell(node.name)) endBlock();
      const region: PageRegion = {
        letters: 0,
        linked: 0,
        prose: 0,
        links: 0,
        controls: 0,
        holdsMain: node.name === 'main' || roleOf(node) === 'main' || headingLevel(node) === 1,
      };
      if (isLink(node)) {
        inLinks++;
        region.links++;
      }
      regions.set(node, region);
      open.push(region);
      return true;
    },
    leave(node) {
      if (borderOf(node.name) > 0 || isCell(node.name) || node === root) endBlock();
      if (isLink(node)) inLinks--;
      const region = open.pop();
      const above = open.at(-1);
      if (region === undefined || above === undefined) return;
      above.letters += region.letters;
      above.linked += region.linked;
      above.prose += region.prose;
      above.links += region.links;
      above.controls += region.controls;
      above.holdsMain ||= region.holdsMain;
    },
  });
  return regions;
}

function isLink({ name, attribs }: HtmlNode): boolean {
  return name === 'a' && attribs?.['href'] !== undefined;
}

function countLetters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 32 && unit !== 0xa0) count += unit >= DENSE_SCRIPT_FROM ? DENSE_SCRIPT_WEIGHT : 1;
  }
  return count;
}
