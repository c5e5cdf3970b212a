/** What is used of a node of the parsed page. */
export interface HtmlNode {
  /** 'text', 'tag', 'script', 'style', 'comment', 'directive', 'root'. */
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly parent: HtmlNode | null;
  readonly prev: HtmlNode | null;
  readonly next: HtmlNode | null;
  readonly children?: readonly HtmlNode[];
}

/** Their content is not text of the page, or not for reading. A `head` that is never closed may hold the page itself. */
const SKIPPED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'script style template noscript iframe object embed canvas audio video svg textarea select datalist title noframes noembed'.split(
    ' ',
  ),
);

/** Line ends that stand for the border of an element: 2 leave an empty line. */
const BORDERS: ReadonlyMap<string, 1 | 2> = /* @__PURE__ */ new Map<string, 1 | 2>([
  ...'p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure hr'.split(' ').map((name) => [name, 2] as const),
  ...'address article aside body caption center dd details dialog dir div dt fieldset figcaption footer form header hgroup html legend li main menu nav optgroup option search section summary tbody tfoot thead tr'
    .split(' ')
    .map((name) => [name, 1] as const),
]);

/** Of an element of that name; 0 within a line. */
export function borderOf(name = ''): 0 | 1 | 2 {
  return BORDERS.get(name) ?? 0;
}

export function isElement({ type }: HtmlNode): boolean {
  return type === 'tag' || type === 'script' || type === 'style';
}

/** Skipped by kind, or hidden by attribute or inline style. */
export function isHidden({ name = '', attribs = {} }: HtmlNode): boolean {
  if (SKIPPED.has(name)) return true;
  if (attribs['hidden'] !== undefined && attribs['hidden'] !== 'until-found') return true;
  return (
    attribs['style'] !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribs['style'])
  );
}

/** 1 to 6 for h1 to h6, else 0. */
export function headingLevel({ name = '' }: HtmlNode): number {
  return name.length === 2 && name.startsWith('h') && name >= 'h1' && name <= 'h6' ? Number(name.charAt(1)) : 0;
}

export function isCell(name: string | undefined): boolean {
  return name === 'td' || name === 'th';
}

/** False for the first cell of a row, of those that are shown. */
export function followsCell(node: HtmlNode, isShown: (node: HtmlNode) => boolean): boolean {
  for (let before = node.prev; before !== null; before = before.prev)
    if (isCell(before.name) && isShown(before)) return true;
  return false;
}
