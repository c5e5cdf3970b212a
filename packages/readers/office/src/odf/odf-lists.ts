import { letters, roman } from '../text/number-format.js';
import { type Attributes, attribute, countAttribute } from '../xml/xml-names.js';
import { type OdfStyles, OUTLINE } from './odf-styles.js';

interface OpenList {
  readonly style: string;
  readonly counts: (number | undefined)[];
  /** Of the item that is read, which has no text yet. */
  pending: { readonly start: number | undefined; readonly isHeader: boolean } | undefined;
}

const DEEPEST = 9;

/** Lists inside each other, and the numbers of headings. Source: OpenDocument 1.3 part 3, 5.3. */
export class OdfLists {
  readonly #styles: OdfStyles;
  readonly #open: OpenList[] = [];
  /** By style: for lists that go on where another ended. */
  readonly #last = new Map<string, (number | undefined)[]>();
  readonly #outline: (number | undefined)[] = [];

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  open(attributes: Attributes): void {
    const outer = this.#open.at(-1);
    const style = attribute(attributes, 'style-name') ?? outer?.style ?? '';
    const goesOn =
      attribute(attributes, 'continue-numbering') === 'true' || attribute(attributes, 'continue-list') !== undefined;
    const counts = outer?.counts ?? (goesOn ? (this.#last.get(style) ?? []) : []);
    this.#open.push({ style, counts, pending: undefined });
    if (outer === undefined) this.#last.set(style, counts);
    else if (!goesOn) counts.length = Math.min(counts.length, this.#open.length - 1);
  }

  close(): void {
    this.#open.pop();
  }

  openItem(attributes: Attributes, isHeader: boolean): void {
    const list = this.#open.at(-1);
    if (list === undefined) return;
    const start = countAttribute(attributes, 'start-value', -1);
    list.pending = { start: start === -1 ? undefined : start, isHeader };
  }

  closeItem(): void {
    const list = this.#open.at(-1);
    if (list !== undefined) list.pending = undefined;
  }

  /** For a paragraph: its marker, which is '' for all but the first of an item, and how deep it stands. */
  next(): { readonly marker: string; readonly depth: number } {
    const list = this.#open.at(-1);
    const depth = this.#open.length - 1;
    const pending = list?.pending;
    if (list === undefined || pending === undefined) return { marker: '', depth: depth + 1 };
    list.pending = undefined;
    if (pending.isHeader) return { marker: '', depth };
    const level = Math.min(depth, DEEPEST);
    const own = this.#styles.level(list.style, level);
    if (pending.start !== undefined) list.counts[level] = pending.start - 1;
    return { marker: own === undefined ? '-' : this.#count(list.style, list.counts, level), depth };
  }

  /** The number of a heading, '' where headings have none. */
  heading(level: number): string {
    const own = this.#styles.level(OUTLINE, level - 1);
    return own === undefined || own.format === ''
      ? ''
      : this.#count(OUTLINE, this.#outline, Math.min(level - 1, DEEPEST));
  }

  #count(style: string, counts: (number | undefined)[], level: number): string {
    const own = this.#styles.level(style, level);
    if (own === undefined) return '';
    counts[level] = (counts[level] ?? own.start - 1) + 1;
    counts.length = level + 1;
    if (own.isBullet) return '-';
    if (own.format === '') return '';
    const numbers: string[] = [];
    for (let at = Math.max(level - own.shown + 1, 0); at <= level; at++) {
      const of = this.#styles.level(style, at);
      numbers.push(formatted(counts[at] ?? of?.start ?? 1, of?.format ?? '1'));
    }
    return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim();
  }
}

function formatted(count: number, format: string): string {
  switch (format) {
    case 'a':
      return letters(count);
    case 'A':
      return letters(count).toUpperCase();
    case 'i':
      return roman(count);
    case 'I':
      return roman(count).toUpperCase();
    default:
      return String(count);
  }
}
