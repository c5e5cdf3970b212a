import { isOneValue, type JsonLikeWalker, jsonLikeWalker, skipWhite } from './json-like.js';

const MARK =
  /[{[]|<(\/?)(think(?:ing)?|reasoning)(?:\s[^<>]{0,200})?>|<!--\s*thinking:|^[ \t]*(`{3,}|~{3,})[ \t]*(?:think(?:ing)?|reasoning)[ \t]*\r?$/gim;
/** A closing fence is looked for by a pattern, and patterns have a size. */
const LONGEST_FENCE = 1000;
const BEHIND_LAST_VALUE = /\s*(?:`{3,}|~{3,})?\s*$/y;

/**
 * Takes out what a model thought aloud: `<think>`, `<thinking>` and `<reasoning>` elements, fenced blocks with these names and
 * `<!-- thinking: … -->`. A closing tag without an opening one ends a thought that began before the text. A thought that is never closed
 * goes on to the end, unless the text ends with a JSON object or list: then that is the answer. Strings of JSON are left alone.
 */
export function removeThinking(text: string): string {
  if (!text.includes('<') && !text.includes('```') && !text.includes('~~~')) return text;
  const walk = jsonLikeWalker(text);
  let kept = '';
  let from = 0;
  while (!isOneValue(text, walk, from)) {
    const mark = nextMark(text, walk, from);
    if (mark === undefined) break;
    const behind = mark.index + mark[0].length;
    const isClosingTag = mark[1] === '/';
    const before = kept + text.slice(from, mark.index);
    from = isClosingTag ? behind : (thoughtEnd(text, mark, behind) ?? unclosedThoughtEnd(text, walk, behind));
    from = skipWhite(text, from);
    kept = isClosingTag && from < text.length ? '' : before;
  }
  return kept + text.slice(from);
}

/** The next mark that is not inside a JSON value. */
function nextMark(text: string, walk: JsonLikeWalker, from: number): RegExpExecArray | undefined {
  MARK.lastIndex = from;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] !== '{' && mark[0] !== '[') return mark;
    MARK.lastIndex = behindJson(text, walk, mark.index).end;
  }
  return undefined;
}

/** Behind the thought that `mark` opens; undefined when it is not closed. */
function thoughtEnd(text: string, [, , element, fence]: RegExpExecArray, behind: number): number | undefined {
  let closing = /-->/g;
  if (element !== undefined) closing = new RegExp(`</${element}\\s*>`, 'gi');
  if (fence !== undefined) closing = new RegExp(`^[ \\t]*${fence.slice(0, LONGEST_FENCE)}+[ \\t]*\\r?$`, 'gm');
  closing.lastIndex = behind;
  return closing.test(text) ? closing.lastIndex : undefined;
}

/** Where the JSON begins that ends the text, a closing fence aside; the end of the text when there is none. */
function unclosedThoughtEnd(text: string, walk: JsonLikeWalker, from: number): number {
  const bracket = /[{[]/g;
  bracket.lastIndex = from;
  for (let match = bracket.exec(text); match !== null; match = bracket.exec(text)) {
    const { end, isValue } = behindJson(text, walk, match.index);
    BEHIND_LAST_VALUE.lastIndex = end;
    if (isValue && BEHIND_LAST_VALUE.test(text)) return match.index;
    bracket.lastIndex = end;
  }
  return text.length;
}

/** A draft inside a thought may never be closed; what follows it is read as if the draft were no JSON. */
function behindJson(
  text: string,
  walk: JsonLikeWalker,
  start: number,
): { readonly end: number; readonly isValue: boolean } {
  const found = walk(start);
  const neverClosed = found.kind === 'broken' && found.end === text.length;
  return { end: neverClosed ? found.at : found.end, isValue: found.kind === 'value' };
}
