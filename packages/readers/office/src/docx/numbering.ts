import { letters, roman } from '../text/number-format.js';
import { attribute } from '../xml/xml-names.js';
import { childOf, childrenOf, valueAt, type XmlElement } from '../xml/xml-tree.js';

interface Level {
  readonly start: number;
  readonly format: string;
  /** With %1 to %9 for the numbers of the levels. */
  readonly text: string;
  readonly style: string | undefined;
}

interface Numbering {
  /** Lists with the same abstract definition go on counting. */
  readonly counts: (number | undefined)[];
  readonly levels: readonly (Level | undefined)[];
  /** By level: where this list begins anew; taken once. */
  readonly restarts: Map<number, number>;
}

const DEEPEST = 8;

/** Counts the lists of a document as Word does. Source: ECMA-376 part 1, 17.9. */
export class WordNumbering {
  readonly #lists = new Map<string, Numbering>();

  constructor(root: XmlElement | undefined) {
    const abstracts = new Map(
      childrenOf(root, 'abstractNum').map((one) => {
        const levels = levelsOf(one);
        return [
          attribute(one.attributes, 'abstractNumId') ?? '',
          { levels, counts: new Array(DEEPEST + 1).fill(undefined) },
        ];
      }),
    );
    for (const list of childrenOf(root, 'num')) {
      const base = abstracts.get(valueAt(list, 'abstractNumId') ?? '');
      if (base === undefined) continue;
      const overrides = childrenOf(list, 'lvlOverride');
      const levels = [...base.levels];
      for (const override of overrides) {
        const own = levelOf(childOf(override, 'lvl'));
        if (own !== undefined) levels[levelNumber(override)] = own;
      }
      const restarts = new Map(
        overrides.flatMap((one) => {
          const start = valueAt(one, 'startOverride');
          return start === undefined ? [] : [[levelNumber(one), whole(start, 1)] as const];
        }),
      );
      this.#lists.set(attribute(list.attributes, 'numId') ?? '', { counts: base.counts, levels, restarts });
    }
  }

  /** The level of a list that a paragraph style stands for; 0 when none names it. */
  levelOfStyle(list: string, style: string | undefined): number {
    const level = this.#lists.get(list)?.levels.findIndex((one) => one?.style === style) ?? -1;
    return Math.max(level, 0);
  }

  /** Counts one more, and gives its marker: '-' for bullets, '2.1' or 'b)' for numbers, '' where there is none. */
  next(list: string, level: number): string {
    const numbering = this.#lists.get(list);
    const own = numbering?.levels[level];
    if (numbering === undefined || own === undefined) return '';
    const { counts, levels, restarts } = numbering;
    const restart = restarts.get(level);
    if (restart !== undefined) {
      counts[level] = undefined;
      restarts.delete(level);
    }
    counts[level] = (counts[level] ?? (restart ?? own.start) - 1) + 1;
    for (let below = level + 1; below <= DEEPEST; below++) counts[below] = undefined;
    if (own.format === 'bullet') return '-';
    if (own.format === 'none') return '';
    return own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return formatted(counts[at] ?? levels[at]?.start ?? 1, levels[at]?.format ?? 'decimal');
    });
  }
}

function levelsOf(abstract: XmlElement): (Level | undefined)[] {
  const levels: (Level | undefined)[] = new Array(DEEPEST + 1).fill(undefined);
  for (const one of childrenOf(abstract, 'lvl')) levels[levelNumber(one)] = levelOf(one);
  return levels;
}

function levelOf(element: XmlElement | undefined): Level | undefined {
  if (element === undefined) return undefined;
  return {
    start: whole(valueAt(element, 'start'), 1),
    format: valueAt(element, 'numFmt') ?? 'decimal',
    text: valueAt(element, 'lvlText') ?? '',
    style: valueAt(element, 'pStyle'),
  };
}

function levelNumber({ attributes }: XmlElement): number {
  return Math.min(whole(attribute(attributes, 'ilvl'), 0), DEEPEST);
}

function whole(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

function formatted(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(count);
    case 'upperLetter':
      return letters(count).toUpperCase();
    case 'lowerRoman':
      return roman(count);
    case 'upperRoman':
      return roman(count).toUpperCase();
    case 'decimalZero':
      return String(count).padStart(2, '0');
    default:
      return String(count);
  }
}
