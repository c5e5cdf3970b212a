import { type Links, type Token, walkTokens } from 'marked';
import { htmlText } from './html-text.js';

/** Collects blocks as they are written, with what stands between them. */
export interface WrittenText {
  /** A block, or what is between blocks: rules, empty lines, definitions of links. */
  add(token: Token): void;
  /** What was collected, and the definitions that its links need from elsewhere; begins anew. */
  take(): string;
}

/** `links` are those that the page defines, by label. */
export function writtenText(links: Links): WrittenText {
  const isDefined = Object.keys(links).length > 0;
  let tokens: Token[] = [];
  /** Kept only if a block follows. */
  let between: Token[] = [];
  return {
    add(token) {
      if (token.type === 'space' || token.type === 'hr') {
        // What was left out leaves no second gap.
        const isGap = token.type === 'space' && between.at(-1)?.type === 'space';
        if (tokens.length > 0 && !isGap) between.push(token);
      } else if (token.type !== 'html' || htmlText(token.raw) !== '') {
        tokens.push(...between, token);
        between = [];
      }
    },
    take() {
      const text = tokens.map(({ raw }) => raw).join('');
      const needed = isDefined ? neededDefinitions(tokens, links) : [];
      tokens = [];
      between = [];
      const own = text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
      return needed.length === 0 ? own : `${own}\n\n${needed.join('\n')}`;
    },
  };
}

/** Label of a link that names its target instead of holding it: `[text][label]`, `[label][]`, `[label]`. */
const REFERENCE = /\[((?:\\.|[^[\]\\])+)\](?:\[\])?$/s;

function neededDefinitions(tokens: readonly Token[], links: Links): readonly string[] {
  const there = new Set(tokens.flatMap((token) => (token.type === 'def' ? [labelOf(token['tag'])] : [])));
  const needed = new Map<string, string>();
  walkTokens([...tokens], (token) => {
    if (token.type !== 'link' && token.type !== 'image') return;
    const label = labelOf(REFERENCE.exec(token.raw)?.[1]);
    const target = Object.hasOwn(links, label) ? links[label] : undefined;
    if (target === undefined || there.has(label) || needed.has(label)) return;
    const href = target.href === null || /[\s<>]|^$/.test(target.href) ? `<${target.href ?? ''}>` : target.href;
    const title = target.title ? ` "${target.title.replace(/[\\"]/g, '\\$&')}"` : '';
    needed.set(label, `[${label}]: ${href}${title}`);
  });
  return [...needed.values()];
}

function labelOf(written: unknown): string {
  return typeof written === 'string' ? written.trim().toLowerCase().replace(/\s+/g, ' ') : '';
}
