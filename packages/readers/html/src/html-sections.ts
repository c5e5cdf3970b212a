import { borderOf, followsCell, type HtmlNode, headingLevel, isCell, isElement, isHidden } from './html-node.js';
import { textBuilder } from './text-builder.js';

/** Text of a page below one heading. */
export interface HtmlSection {
  readonly text: string;
  /** `href` of its links, as written, in order. */
  readonly links: readonly string[];
  /** Titles from the top down to that of this section; [] before the first. */
  readonly headings: readonly string[];
  /** 1 to 6, that of the heading above. */
  readonly level: number | undefined;
}

interface Heading {
  readonly title: string;
  readonly level: number;
}

export interface HtmlSectionsOptions {
  readonly splitByHeadings: boolean;
  /** Elements to pass over, beside hidden ones. */
  readonly leftOut: ReadonlySet<HtmlNode>;
}

/**
 * The visible text of an element: one section, or one for each heading. Goes from node to node instead of calling itself, so that any
 * depth will do.
 */
export function* htmlSections(
  root: HtmlNode,
  { splitByHeadings, leftOut }: HtmlSectionsOptions,
): Generator<HtmlSection> {
  const isShown = (node: HtmlNode) => !isHidden(node) && !leftOut.has(node);
  const builder = textBuilder();
  const path: Heading[] = [];
  let links: string[] = [];
  let heading: HtmlNode | undefined;
  let preformatted = 0;
  /** The heading above has not been told of by any section, its own or one below it. */
  let isUntold = false;

  function* flush(nextLevel: number): Generator<HtmlSection> {
    const above = path.at(-1);
    let text = builder.take();
    // A heading with nothing below it would be lost, so it is its own text.
    if (text === '' && isUntold && above !== undefined && nextLevel <= above.level) text = above.title;
    if (text !== '') {
      yield { text, links, headings: path.map(({ title }) => title), level: above?.level };
      isUntold = false;
      links = [];
    }
  }

  function enter(node: HtmlNode): void {
    const { name, attribs = {} } = node;
    if (name === 'br') builder.lineBreak();
    else if (name === 'tr') builder.row();
    else if (isCell(name)) {
      if (followsCell(node, isShown)) builder.cell();
    } else builder.border(borderOf(name));
    if (name === 'img' && attribs['alt']) builder.add(attribs['alt'], false);
    if (name === 'a' && attribs['href'] !== undefined) links.push(attribs['href']);
    if (name === 'pre') preformatted++;
  }

  function leave(node: HtmlNode): void {
    if (node.name === 'pre') preformatted--;
    if (isCell(node.name)) builder.cellEnd();
    else builder.border(borderOf(node.name));
  }

  function endHeading(level: number): void {
    const title = builder.take().replace(/\s+/g, ' ');
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    path.push({ title, level });
    isUntold = title !== '';
    heading = undefined;
  }

  let node: HtmlNode | null = root;
  while (node !== null) {
    let below: HtmlNode | undefined;
    if (node.type === 'text') {
      builder.add(node.data ?? '', preformatted > 0);
    } else if (!isElement(node)) {
      below = node.children?.[0];
    } else if (node === root || isShown(node)) {
      const level = splitByHeadings && heading === undefined ? headingLevel(node) : 0;
      if (level > 0) {
        yield* flush(level);
        heading = node;
      }
      enter(node);
      below = node.children?.[0];
      if (below === undefined) {
        leave(node);
        if (node === heading) endHeading(headingLevel(node));
      }
    }
    if (below !== undefined) {
      node = below;
      continue;
    }
    while (node !== root && node?.next === null) {
      node = node.parent;
      if (node === null || !isElement(node)) continue;
      leave(node);
      if (node === heading) endHeading(headingLevel(node));
    }
    node = node === null || node === root ? null : node.next;
  }
  yield* flush(0);
}
