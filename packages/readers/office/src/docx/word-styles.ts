import { attribute } from '../xml/xml-names.js';
import { childOf, childrenOf, valueAt, type XmlElement } from '../xml/xml-tree.js';

/** What a paragraph has from its style. */
export interface ParagraphStyle {
  /** 0 for the title of the document, 1 to 9 for headings. */
  readonly headingLevel: number | undefined;
  /** The list it belongs to. */
  readonly list: string | undefined;
  readonly listLevel: number | undefined;
}

const NONE: ParagraphStyle = { headingLevel: undefined, list: undefined, listLevel: undefined };
/** Styles based on each other; a loop ends here. */
const LONGEST_CHAIN = 20;

/** Paragraph styles by id. Their names are English in files of every language; ids are not. */
export class WordStyles {
  readonly #elements: ReadonlyMap<string, XmlElement>;
  readonly #styles = new Map<string, ParagraphStyle>();

  constructor(root: XmlElement | undefined) {
    this.#elements = new Map(
      childrenOf(root, 'style').map((style) => [attribute(style.attributes, 'styleId') ?? '', style]),
    );
  }

  style(id: string | undefined): ParagraphStyle {
    if (id === undefined) return NONE;
    const known = this.#styles.get(id);
    if (known !== undefined) return known;
    const style = this.#resolve(id);
    this.#styles.set(id, style);
    return style;
  }

  #resolve(id: string): ParagraphStyle {
    let headingLevel: number | undefined;
    let list: string | undefined;
    let listLevel: number | undefined;
    let next: string | undefined = id;
    for (let step = 0; next !== undefined && step < LONGEST_CHAIN; step++) {
      const element = this.#elements.get(next);
      const properties = childOf(element, 'pPr');
      const outline = levelOf(valueAt(properties, 'outlineLvl'));
      headingLevel ??= levelOfName(valueAt(element, 'name') ?? next) ?? outline;
      list ??= valueAt(properties, 'numPr', 'numId');
      listLevel ??= numberOf(valueAt(properties, 'numPr', 'ilvl'));
      next = valueAt(element, 'basedOn');
    }
    return { headingLevel: headingLevel === 10 ? undefined : headingLevel, list, listLevel };
  }
}

/** An outline level as Word writes it, from 0; 9 is body text, which is told from nothing by 10. */
export function levelOf(value: string | undefined): number | undefined {
  const level = numberOf(value);
  return level === undefined || level > 9 ? undefined : level + 1;
}

function levelOfName(name: string): number | undefined {
  if (/^title$/i.test(name)) return 0;
  const digit = /^heading ?([1-9])$/i.exec(name)?.[1];
  return digit === undefined ? undefined : Number(digit);
}

function numberOf(value: string | undefined): number | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
