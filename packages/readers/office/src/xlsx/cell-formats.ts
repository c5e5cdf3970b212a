import type * as Numfmt from 'numfmt';
import { attribute, countAttribute } from '../xml/xml-names.js';
import { childOf, childrenOf, type XmlElement } from '../xml/xml-tree.js';

/** By number, as far as they are the same everywhere; those of dates go by the language of whoever looks at them. Source: ECMA-376 part 1, 18.8.30. */
const BUILT_IN: Readonly<Record<number, string>> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00', 9: '0%', 10: '0.00%', 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??' },
  ...{ 14: 'mm-dd-yy', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm' },
  ...{ 21: 'h:mm:ss', 22: 'm/d/yy h:mm', 37: '#,##0 ;(#,##0)', 38: '#,##0 ;(#,##0)', 39: '#,##0.00;(#,##0.00)' },
  ...{ 40: '#,##0.00;(#,##0.00)', 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mmss.0', 48: '##0.0E+0', 49: '@' },
};
const EAST_ASIAN_DATES: readonly (readonly [from: number, to: number])[] = [
  [27, 31],
  [34, 36],
  [50, 58],
];
const GENERAL = 'General';
/** Days between the two ways to count them. */
const DAYS_TO_1904 = 1_462;
const SECONDS_A_DAY = 86_400;

type Formatter = (value: number) => string;

/** The look of numbers, by the style of their cell. */
export class CellFormats {
  readonly #numfmt: typeof Numfmt;
  readonly #patterns: readonly string[];
  readonly #isFrom1904: boolean;
  readonly #dates: 'iso' | 'formatted';
  readonly #formatters = new Map<string, Formatter>();

  constructor(numfmt: typeof Numfmt, styles: XmlElement | undefined, isFrom1904: boolean, dates: 'iso' | 'formatted') {
    const own = new Map(
      childrenOf(childOf(styles, 'numFmts'), 'numFmt').map(({ attributes }) => [
        countAttribute(attributes, 'numFmtId', 0),
        attribute(attributes, 'formatCode') ?? GENERAL,
      ]),
    );
    this.#patterns = childrenOf(childOf(styles, 'cellXfs'), 'xf').map(({ attributes }) => {
      const id = countAttribute(attributes, 'numFmtId', 0);
      return own.get(id) ?? BUILT_IN[id] ?? (isEastAsianDate(id) ? 'yyyy-mm-dd' : GENERAL);
    });
    this.#numfmt = numfmt;
    this.#isFrom1904 = isFrom1904;
    this.#dates = dates;
  }

  /** A number as its cell shows it. */
  text(value: number, style: number): string {
    if (!Number.isFinite(value)) return '';
    const pattern = this.#patterns[style] ?? GENERAL;
    let formatter = this.#formatters.get(pattern);
    if (formatter === undefined) {
      formatter = this.#formatter(pattern);
      this.#formatters.set(pattern, formatter);
    }
    return formatter(value);
  }

  #formatter(pattern: string): Formatter {
    if (pattern === GENERAL || pattern === '@') return plainNumber;
    const serial = (value: number): number => (this.#isFrom1904 ? value + DAYS_TO_1904 : value);
    const formatted = (value: number): string => {
      try {
        return this.#numfmt.format(pattern, value).trim();
      } catch {
        // A pattern that nobody can read.
        return plainNumber(value);
      }
    };
    const shown = dateParts(pattern, this.#numfmt);
    if (shown === undefined) return formatted;
    if (this.#dates === 'formatted' || !shown.isDate) return (value) => formatted(shown.isDate ? serial(value) : value);
    return (value) => isoDate(serial(value), shown, this.#numfmt) ?? formatted(value);
  }
}

interface DateParts {
  /** False for times of the day and for durations. */
  readonly isDate: boolean;
  readonly hasDay: boolean;
  readonly hasTime: boolean;
}

function dateParts(pattern: string, { getFormatDateInfo }: typeof Numfmt): DateParts | undefined {
  try {
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
    if (!(year || month || day || hours || minutes || seconds)) return undefined;
    return { isDate: year || month || day, hasDay: day, hasTime: hours || minutes || seconds };
  } catch {
    return undefined;
  }
}

function isoDate(
  serial: number,
  { hasDay, hasTime }: DateParts,
  { dateFromSerial }: typeof Numfmt,
): string | undefined {
  // In whole seconds: a fraction of a day is never exact.
  const total = Math.round(serial * SECONDS_A_DAY);
  const date = total < 0 ? null : dateFromSerial(Math.floor(total / SECONDS_A_DAY));
  if (date === null) return undefined;
  const [year = 0, month = 0, day = 0] = date;
  const two = (value: number): string => String(value).padStart(2, '0');
  const isoDay = `${String(year).padStart(4, '0')}-${two(month)}${hasDay ? `-${two(day)}` : ''}`;
  if (!hasTime) return isoDay;
  const second = total % SECONDS_A_DAY;
  const time = `${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}`;
  return `${isoDay} ${time}${second % 60 === 0 ? '' : `:${two(second % 60)}`}`;
}

/** With the 15 digits that Excel keeps, so that 0.1 + 0.2 is 0.3. */
function plainNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  return String(Number(value.toPrecision(15)));
}

function isEastAsianDate(id: number): boolean {
  return EAST_ASIAN_DATES.some(([from, to]) => id >= from && id <= to);
}
