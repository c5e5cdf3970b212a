import type { Token, Tokens } from 'marked';
import { decodeEntities } from './entities.js';
import { altText, htmlText, SKIPPED } from './html-text.js';

export interface TextOptions {
  /** Writes the target of links and images behind their text. */
  readonly includeLinkUrls: boolean;
}

/** The text of blocks as a reader sees it, an empty line between them. */
export function blockText(tokens: readonly Token[], options: TextOptions): string {
  return tokens
    .map((token) => oneBlock(token, options))
    .filter((text) => text !== '')
    .join('\n\n');
}

function oneBlock(token: Token, options: TextOptions): string {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'hr':
    case 'checkbox':
      return '';
    case 'code':
      return token.text.trim() === '' ? '' : token.text;
    case 'html':
      return htmlText((token as Tokens.HTML).text);
    case 'blockquote':
      return blockText((token as Tokens.Blockquote).tokens, options);
    case 'list':
      return listText(token as Tokens.List, options);
    case 'table':
      return tableText(token as Tokens.Table, options);
    default:
      return inlineText('tokens' in token && token.tokens !== undefined ? token.tokens : [token], options).trim();
  }
}

/** `- item`, `1. item`, `- [x] task`; what belongs to an item is indented. */
function listText(list: Tokens.List, options: TextOptions): string {
  const first = typeof list.start === 'number' ? list.start : 1;
  return list.items
    .map((item, index) => {
      const mark = list.ordered ? `${first + index}. ` : '- ';
      const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
      const text = item.tokens
        .map((token) => oneBlock(token, options))
        .filter((block) => block !== '')
        .join('\n');
      return mark + box + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`);
    })
    .join('\n');
}

/** A line a row, `|` between cells. */
function tableText(table: Tokens.Table, options: TextOptions): string {
  return [table.header, ...table.rows]
    .map((row) =>
      row
        .map((cell) => inlineText(cell.tokens, options).trim())
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

/** The text of a paragraph or heading without its marks. A soft line break is a space. */
export function inlineText(tokens: readonly Token[], options: TextOptions): string {
  let text = '';
  let skipped: string | undefined;
  for (const token of tokens) {
    if (token.type === 'html') {
      if (skipped === undefined) skipped = SKIPPED.exec(token.raw)?.[1]?.toLowerCase();
      else if (token.raw.toLowerCase().startsWith(`</${skipped}`)) skipped = undefined;
    }
    if (skipped === undefined) text += oneInline(token, options);
  }
  return text;
}

function oneInline(token: Token, options: TextOptions): string {
  switch (token.type) {
    case 'br':
      return '\n';
    case 'codespan':
    case 'escape':
      return token.text;
    case 'checkbox':
      return '';
    case 'html':
      return /^<br\b/i.test(token.raw) ? '\n' : decodeEntities(altText(token.raw));
    case 'image': {
      const { text, href } = token as Tokens.Image;
      return withUrl(decodeEntities(text), href, options);
    }
    case 'link': {
      const { tokens, href } = token as Tokens.Link;
      return withUrl(inlineText(tokens, options), href, options);
    }
    default: {
      if ('tokens' in token && token.tokens !== undefined) return inlineText(token.tokens, options);
      const raw: unknown = 'text' in token ? token.text : token.raw;
      const text = decodeEntities(typeof raw === 'string' ? raw : '');
      return text.includes('\n') ? text.replace(/[ \t]*\n[ \t]*/g, ' ') : text;
    }
  }
}

/** `text (url)`; an automatic link is its own text. */
function withUrl(text: string, url: string, { includeLinkUrls }: TextOptions): string {
  if (!includeLinkUrls || url === '' || url === text) return text;
  return text === '' ? url : `${text} (${url})`;
}
