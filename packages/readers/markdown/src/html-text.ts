import { decodeEntities } from './entities.js';

/** Elements whose content is not text. */
export const SKIPPED: RegExp = /^<(script|style|template|noscript)[\s/>]/i;
const BREAKING =
  /^<\/?(?:address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|td|th|tr|ul)[\s/>]/i;

/** The text of HTML inside Markdown: no tags, comments, scripts or style sheets; tags of blocks end a line. One pass. */
export function htmlText(html: string): string {
  let text = '';
  let at = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    text += html.slice(at, open);
    const isComment = html.startsWith('<!--', open);
    const close = isComment ? html.indexOf('-->', open + 4) : html.indexOf('>', open);
    if (close === -1) {
      at = open;
      break;
    }
    const tag = html.slice(open, close + 1);
    at = close + (isComment ? 3 : 1);
    const skipped = SKIPPED.exec(tag)?.[1];
    if (skipped !== undefined) at = endOfElement(html, skipped, at);
    else if (BREAKING.test(tag)) text += '\n';
    else text += altText(tag);
  }
  return decodeEntities(text + html.slice(at))
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim();
}

/** Of an image, else ''; entities are not decoded. */
export function altText(tag: string): string {
  if (!/^<img[\s/]/i.test(tag)) return '';
  const [, double, single, bare] = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? [];
  return double ?? single ?? bare ?? '';
}

function endOfElement(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}\\s*>`, 'gi');
  end.lastIndex = from;
  return end.test(html) ? end.lastIndex : html.length;
}
