import { type HtmlNode, isElement } from './html-node.js';

/** What a page says about itself. */
export interface HtmlPage {
  /** The first title that is not one of a drawing, white space collapsed; '' when there is none. */
  readonly title: string;
  /** The first content that is not blank, by `name` or `property`. */
  readonly meta: ReadonlyMap<string, string>;
  /** The first `<base href>`. */
  readonly base: string | undefined;
}

/** One pass over all nodes: selectors take quadratic time on pages that are nested without end. */
export function htmlPage(root: HtmlNode): HtmlPage {
  let title: string | undefined;
  let base: string | undefined;
  const meta = new Map<string, string>();
  forEachElement(root, (node) => {
    const { name, attribs = {} } = node;
    if (name === 'base') base ??= attribs['href']?.trim();
    else if (name === 'title' && title === undefined && !isInDrawing(node)) title = textOf(node);
    else if (name === 'meta') {
      const key = attribs['name'] ?? attribs['property'];
      const content = attribs['content']?.trim() ?? '';
      if (key !== undefined && content !== '' && !meta.has(key)) meta.set(key, content);
    }
  });
  return { title: title ?? '', meta, base };
}

function forEachElement(root: HtmlNode, visit: (node: HtmlNode) => void): void {
  let node: HtmlNode | null = root;
  while (node !== null) {
    if (isElement(node)) visit(node);
    const first: HtmlNode | undefined = node.children?.[0];
    if (first !== undefined) {
      node = first;
      continue;
    }
    while (node !== null && node !== root && node.next === null) node = node.parent;
    node = node === null || node === root ? null : node.next;
  }
}

function textOf(node: HtmlNode): string {
  const texts = (node.children ?? []).map(({ data }) => data ?? '');
  return texts.join('').replace(/\s+/g, ' ').trim();
}

function isInDrawing(node: HtmlNode): boolean {
  for (let above = node.parent; above !== null; above = above.parent) if (above.name === 'svg') return true;
  return false;
}
