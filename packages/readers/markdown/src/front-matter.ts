import type { JsonValue } from '@vernal/core';

export interface FrontMatter {
  /** By key; {} when there is none. */
  readonly values: Readonly<Record<string, JsonValue>>;
  /** The Markdown behind it. */
  readonly body: string;
  /** Lines before the body. */
  readonly lines: number;
}

const KEY_LINE = /^(?:"([^"]+)"|'([^']+)'|([\p{L}\p{N}_][^:#\n]*?))\s*:(?:\s+(.*)|\s*)$/u;

/**
 * Metadata between two lines `---` at the very beginning. A rule there that is no front matter stays in the body. Knows `key: value`,
 * quoted values, numbers, true, false, null, `[a, b]`, lists of `- item` lines and text blocks (`|`, `>`); anything else under a key is
 * kept as text.
 */
export function takeFrontMatter(markdown: string): FrontMatter {
  const none = { values: {}, body: markdown, lines: 0 };
  if (!/^---[ \t]*\r?\n/.test(markdown)) return none;
  const end = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  end.lastIndex = markdown.indexOf('\n') + 1;
  const closing = end.exec(markdown);
  if (closing === null) return none;
  const lines = markdown.slice(markdown.indexOf('\n') + 1, closing.index).split(/\r?\n/);
  lines.pop();
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#'));
  if (first !== undefined && !KEY_LINE.test(first)) return none;
  return { values: parseLines(lines), body: markdown.slice(end.lastIndex), lines: lines.length + 2 };
}

function parseLines(lines: readonly string[]): Readonly<Record<string, JsonValue>> {
  const entries: [string, JsonValue][] = [];
  for (let at = 0; at < lines.length; ) {
    const match = KEY_LINE.exec(lines[at++] ?? '');
    if (match === null) continue;
    const below: string[] = [];
    while (at < lines.length && /^(?:\s|- |-$|$)/.test(lines[at] ?? '')) below.push(lines[at++] ?? '');
    entries.push([match[1] ?? match[2] ?? match[3] ?? '', valueUnder(withoutComment(match[4] ?? ''), below)]);
  }
  return Object.fromEntries(entries);
}

function valueUnder(value: string, below: readonly string[]): JsonValue {
  const lines = dedent(below);
  if (/^[|>][+-]?$/.test(value)) return value.startsWith('|') ? lines.join('\n') : lines.join(' ');
  if (value !== '') return inlineValue(lines.length === 0 ? value : [value, ...lines].join(' '));
  if (lines.length === 0) return null;
  if (lines.every((line) => /^-(?:\s|$)/.test(line)))
    return lines.map((line) => scalar(withoutComment(line.slice(1).trim())));
  return lines.join('\n');
}

function inlineValue(value: string): JsonValue {
  const list = /^\[(.*)\]$/.exec(value)?.[1];
  if (list === undefined) return scalar(value);
  return (list.match(/"[^"]*"|'[^']*'|[^,"'][^,]*/g) ?? [])
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map(scalar);
}

/** Numbers only where nothing is lost: `1.10` and `007` stay text. */
function scalar(value: string): JsonValue {
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(value);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null' || value === '~' || value === '') return null;
  return Number.isFinite(Number(value)) && String(Number(value)) === value ? Number(value) : value;
}

function withoutComment(value: string): string {
  return /^["']/.test(value)
    ? value.replace(/^("[^"]*"|'[^']*')\s+#.*$/, '$1').trim()
    : value.replace(/(?:^|\s)#.*$/, '').trim();
}

function dedent(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  const indent = filled.reduce((least, line) => Math.min(least, line.search(/\S/)), Number.POSITIVE_INFINITY);
  return filled.map((line) => line.slice(indent).trimEnd());
}
