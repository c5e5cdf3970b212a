import type { RunGroup, TextRun } from '../layout/text-run.js';

/** A piece of text as pdf.js gives it. `transform` is in points of the page, y upwards. */
export interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly fontName: string;
}

/** The box of a page that is shown, its rotation, and how many points its unit has. */
export interface PageBox {
  readonly view: readonly number[];
  readonly rotate: number;
  readonly userUnit: number;
}

/** Reads the pieces of a page as they come. */
export interface RunReader {
  add(items: readonly object[], isVertical: (font: string) => boolean): void;
  /** The directions of text on the page, that with most text first. */
  groups(): RunGroup[];
}

interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly size: number;
  readonly angle: number;
  readonly isVertical: boolean;
  readonly isRtl: boolean;
  readonly isSpaced: boolean;
}

/** Scanned pages are seldom straight: so many degrees off a right angle are of that angle. */
const SKEW = 10;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\ufeff]/g;
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** Punctuation as it is turned in vertical writing. */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe48]/g;
/** Where symbol fonts have their bullets. */
const SYMBOL_BULLETS = /[\uf0b7\uf0a7\uf076\uf0d8]/g;

/** Width and height of the page as it is shown, in points. */
export function shownSize({ view, rotate, userUnit }: PageBox): { readonly width: number; readonly height: number } {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view;
  const [width, height] = [(x2 - x1) * userUnit, (y2 - y1) * userUnit];
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** From the page's own coordinates to points from the top left corner of what is shown. */
export function shownPoint(box: PageBox, x: number, y: number): readonly [x: number, y: number] {
  const [a, b, c, d, e, f] = shownMatrix(box);
  return [a * x + c * y + e, b * x + d * y + f];
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

function shownMatrix({ view, rotate, userUnit }: PageBox): Matrix {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view.map((edge) => edge * userUnit);
  switch (rotate) {
    case 90:
      return [0, userUnit, userUnit, 0, -y1, -x1];
    case 180:
      return [-userUnit, 0, 0, userUnit, x2, -y1];
    case 270:
      return [0, -userUnit, -userUnit, 0, y2, x2];
    default:
      return [userUnit, 0, 0, -userUnit, -x1, y2];
  }
}

export function runReader(box: PageBox): RunReader {
  const [right, down, rightUp, downUp, left, top] = shownMatrix(box);
  const byTurn = new Map<number, Placed[]>();
  let isSpaced = false;

  function place(item: TextItem, isVertical: boolean): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = item.transform;
    const text = clean(item.str);
    const trimmed = text.trim();
    if (trimmed === '') {
      isSpaced ||= text !== '';
      return;
    }
    // Columns of vertical writing are lines that run downwards.
    const dx = isVertical ? -c : a;
    const dy = isVertical ? -d : b;
    const x = right * e + rightUp * f + left;
    const y = down * e + downUp * f + top;
    const angle = (Math.atan2(down * dx + downUp * dy, right * dx + rightUp * dy) * 180) / Math.PI;
    const length = isVertical ? item.height : item.width;
    const size = isVertical ? item.width : item.height || Math.hypot(c, d);
    if (!Number.isFinite(x + y + angle + length + size)) return;
    const turn = turnOf(angle);
    const placed = byTurn.get(turn) ?? [];
    byTurn.set(turn, placed);
    placed.push({
      text: trimmed,
      x,
      y,
      length: length * box.userUnit,
      size: Math.max(0.1, size * box.userUnit),
      angle,
      isVertical,
      isRtl: item.dir === 'rtl',
      isSpaced: isSpaced || /^\s/.test(text),
    });
    isSpaced = /\s$/.test(text);
  }

  return {
    add(items, isVertical) {
      for (const item of items) if (isTextItem(item)) place(item, isVertical(item.fontName));
    },
    groups() {
      const weight = (placed: readonly Placed[]): number => placed.reduce((sum, { text }) => sum + text.length, 0);
      return [...byTurn.values()].sort((one, other) => weight(other) - weight(one)).map(groupOf);
    },
  };
}

function isTextItem(item: object): item is TextItem {
  return 'str' in item && typeof item.str === 'string' && 'transform' in item && Array.isArray(item.transform);
}

function clean(text: string): string {
  return text
    .replace(CONTROLS, '')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(SYMBOL_BULLETS, '•')
    .replace(VERTICAL_FORMS, (form) => form.normalize('NFKC'));
}

/** Right angles and what is nearly one are alike; all else goes by steps. */
function turnOf(angle: number): number {
  const quarter = Math.round(angle / 90) * 90;
  const turn = Math.abs(angle - quarter) <= SKEW ? quarter : Math.round(angle / SKEW) * SKEW;
  return (turn + 360) % 360;
}

function groupOf(placed: readonly Placed[]): RunGroup {
  const angle = (middleAngle(placed) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const place = (x: number, y: number) => ({ x: x * cos + y * sin, y: y * cos - x * sin });
  return { runs: placed.map((one) => runOf(one, place(one.x, one.y))), place };
}

function runOf({ text, length, size, isVertical, isRtl, isSpaced }: Placed, at: { x: number; y: number }): TextRun {
  // Vertical writing hangs on its middle line.
  const top = at.y - (isVertical ? 0.5 : 0.8) * size;
  return {
    text,
    left: at.x,
    right: at.x + length,
    baseline: top + 0.8 * size,
    top,
    bottom: top + size,
    size,
    isRtl,
    isSpaced,
  };
}

/** Weighed by letters, so that one crooked word does not turn the page. Angles about 180 degrees lie on both sides of the cut. */
function middleAngle(placed: readonly Placed[]): number {
  const base = placed[0]?.angle ?? 0;
  const turned = placed
    .map(({ angle, text }) => ({ off: ((angle - base + 540) % 360) - 180, letters: text.length }))
    .sort((a, b) => a.off - b.off);
  const all = turned.reduce((sum, { letters }) => sum + letters, 0);
  let passed = 0;
  for (const { off, letters } of turned) {
    passed += letters;
    if (2 * passed >= all) return base + off;
  }
  return base;
}
