/** [from, to) of a text. */
export type TextRange = readonly [from: number, to: number];

/** A longer one is none: else a text of nothing but opening parentheses would be read again from each. */
const MAX_ADDRESS = 2_048;

/** A line that opens a fenced block, in a quote or a list, too. */
const FENCE = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*(`{3,}|~{3,})(.*)$/gm;

function fencedBlocks(text: string): TextRange[] {
  const blocks: TextRange[] = [];
  let open: { readonly from: number; readonly mark: string } | undefined;
  for (const line of text.matchAll(FENCE)) {
    const [all, mark = '', rest = ''] = line;
    if (open === undefined) {
      // A fence of backticks has none behind it: else it is code within a line.
      if (mark.startsWith('~') || !rest.includes('`')) open = { from: line.index, mark };
    } else if (mark.startsWith(open.mark) && rest.trim() === '') {
      blocks.push([open.from, line.index + all.length]);
      open = undefined;
    }
  }
  if (open !== undefined) blocks.push([open.from, text.length]);
  return blocks;
}

/** Code within a line, and the addresses of links: `…`, ](…), <https:…>. */
function inlineRanges(text: string, from: number, to: number): TextRange[] {
  const ranges: TextRange[] = [];
  const tokens = /(?<!\\)(`+)|\]\(|<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>/gi;
  tokens.lastIndex = from;
  const unclosed = new Set<number>();
  for (let token = tokens.exec(text); token !== null && token.index < to; token = tokens.exec(text)) {
    const [all, ticks] = token;
    const behind = token.index + all.length;
    let end: number | undefined = behind;
    if (ticks !== undefined)
      end = unclosed.has(ticks.length) ? undefined : closingTicks(text, behind, to, ticks.length);
    else if (all === '](') end = closingParenthesis(text, behind, to);
    if (end === undefined) {
      if (ticks !== undefined) unclosed.add(ticks.length);
      continue;
    }
    ranges.push([token.index, end]);
    tokens.lastIndex = end;
  }
  return ranges;
}

function closingTicks(text: string, from: number, to: number, length: number): number | undefined {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null && run.index < to; run = runs.exec(text)) {
    if (run[0].length === length) return run.index + length;
  }
  return undefined;
}

/** On the same line and near; parentheses in an address come in pairs. */
function closingParenthesis(text: string, from: number, to: number): number | undefined {
  let depth = 1;
  for (let at = from; at < Math.min(to, from + MAX_ADDRESS); at++) {
    const character = text[at];
    if (character === '\n') return undefined;
    if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Where Markdown has code or the address of a link, in order. Code that is only indented is not recognized. */
export function protectedRanges(text: string): readonly TextRange[] {
  const blocks = fencedBlocks(text);
  const ranges: TextRange[] = [];
  let from = 0;
  for (const block of [...blocks, [text.length, text.length] as const]) {
    ranges.push(...inlineRanges(text, from, block[0]), block);
    from = block[1];
  }
  return ranges;
}
