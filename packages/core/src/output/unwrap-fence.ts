import { isOneValue, type JsonLikeWalker, jsonLikeWalker, skipWhite } from './json-like.js';

const OPENING = /[{[]|^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)/gm;

/** A closing fence is looked for by a pattern, and patterns have a size. */
const LONGEST_FENCE = 1000;

interface Block {
  readonly content: string;
  readonly isJson: boolean;
  /** Behind its closing fence. */
  readonly end: number;
}

/**
 * Gives what is inside a Markdown code fence (backticks or tildes), wherever in the text it begins a line: the first block that
 * holds one JSON value, else the only kind there is, unless JSON stands outside of fences. A fence that is never closed is taken too.
 * A text that is JSON already is left alone, fences in its strings included.
 */
export function unwrapFence(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text;
  const walk = jsonLikeWalker(text);
  if (isOneValue(text, walk)) return text;
  let plain: Block | undefined;
  let jsonOutside = false;
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(text); opening !== null; opening = OPENING.exec(text)) {
    const [, fence, info = ''] = opening;
    if (fence === undefined) {
      const found = walk(opening.index);
      jsonOutside ||= found.kind === 'value';
      OPENING.lastIndex = found.kind === 'broken' && found.end === text.length ? found.at : found.end;
      continue;
    }
    const block = readBlock(text, walk, opening.index + opening[0].length, fence, info);
    if (block.isJson) return block.content;
    plain ??= block;
    OPENING.lastIndex = block.end;
  }
  return plain === undefined || jsonOutside ? text : plain.content;
}

function readBlock(text: string, walk: JsonLikeWalker, from: number, fence: string, info: string): Block {
  const start = skipWhite(text, from);
  const value = walk(start);
  if (value.kind === 'value') {
    const behind = skipWhite(text, value.end);
    const isObjectOrList = text[start] === '{' || text[start] === '[';
    // '1, 2' begins with a JSON number and is none; an object is one even when its closing fence is missing.
    if (isObjectOrList || behind >= text.length || text.startsWith(fence, behind)) {
      return { content: text.slice(start, value.end), isJson: true, end: behind };
    }
  }
  const isMultiLine = text.slice(from, start).includes('\n');
  const mark = fence.slice(0, LONGEST_FENCE);
  const closing = new RegExp(isMultiLine ? `^[ \\t]*${mark}` : mark, 'gm');
  closing.lastIndex = from;
  const close = closing.exec(text);
  const body = text.slice(from, close?.index ?? text.length).trim();
  return { content: body === '' ? info : body, isJson: false, end: close === null ? text.length : closing.lastIndex };
}
