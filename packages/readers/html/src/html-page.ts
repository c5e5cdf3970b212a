import { type HtmlNode, isElement } from './html-node.js';
import { walkHtml } from './html-walk.js';

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
  let drawings = 0;
  const meta = new Map<string, string>();
  walkHtml(root, {
    enter(node) {
      if (!isElement(node)) return true;
      const { name, attribs = {} } = node;
      if (name === 'svg') drawings++;
      else if (name === 'base') base ??= attribs['href']?.trim();
      else if (name === 'title' && drawings === 0) title ??= textOf(node);
      else if (name === 'meta') {
        const key = attribs['name'] ?? attribs['property'];
        const content = attribs['content']?.trim() ?? '';
        if (key !== undefined && content !== '' && !meta.has(key)) meta.set(key, content);
      }
      return true;
    },
    leave(node) {
      if (node.name === 'svg') drawings--;
    },
  });
  return { title: title ?? '', meta, base };
}

function textOf(node: HtmlNode): string {
  const texts = (node.children ?? []).map(({ data }) => data ?? '');
  return texts.join('').replace(/\s+/g, ' ').trim();
}
