import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute, countAttribute } from '../xml/xml-names.js';

export interface ListLevel {
  /** '' for what has no number. */
  readonly format: string;
  readonly isBullet: boolean;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** How many levels the number shows, its own included. */
  readonly shown: number;
}

/** The numbers of headings, in place of a list's name. */
export const OUTLINE = '';
const LONGEST_CHAIN = 20;

/** What of the styles of a file matters for its text. They stand in styles.xml and before the text itself. */
export class OdfStyles implements XmlHandler {
  readonly #parents = new Map<string, string>();
  readonly #hidden = new Set<string>();
  readonly #lists = new Map<string, (ListLevel | undefined)[]>();
  #style = '';
  #list: (ListLevel | undefined)[] | undefined;

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'style': {
        this.#style = styleKey(attribute(attributes, 'family'), attribute(attributes, 'name'));
        const parent = attribute(attributes, 'parent-style-name');
        if (parent !== undefined) this.#parents.set(this.#style, styleKey(attribute(attributes, 'family'), parent));
        break;
      }
      case 'text-properties':
        if (attribute(attributes, 'display') === 'none') this.#hidden.add(this.#style);
        break;
      case 'table-properties':
        if (attribute(attributes, 'display') === 'false') this.#hidden.add(this.#style);
        break;
      case 'drawing-page-properties':
        if (attribute(attributes, 'visibility') === 'hidden') this.#hidden.add(this.#style);
        break;
      case 'list-style':
      case 'outline-style':
        this.#list = [];
        this.#lists.set(name === 'list-style' ? (attribute(attributes, 'name') ?? '') : OUTLINE, this.#list);
        break;
      case 'list-level-style-number':
      case 'list-level-style-bullet':
      case 'list-level-style-image':
      case 'outline-level-style':
        this.#level(name, attributes);
        break;
    }
  }

  close(name: string): void {
    if (name === 'style') this.#style = '';
    else if (name === 'list-style' || name === 'outline-style') this.#list = undefined;
  }

  /** Not by itself, nor by a style it is based on. */
  isHidden(family: string, name: string | undefined): boolean {
    return name !== undefined && this.#chain(styleKey(family, name)).some((key) => this.#hidden.has(key));
  }

  /** True for the style of the document's title, and for those based on it. */
  isTitle(name: string | undefined): boolean {
    return name !== undefined && this.#chain(styleKey('paragraph', name)).includes(styleKey('paragraph', 'Title'));
  }

  level(list: string, level: number): ListLevel | undefined {
    return this.#lists.get(list)?.[level];
  }

  #level(name: string, attributes: Attributes): void {
    const level = countAttribute(attributes, 'level', 1, 1) - 1;
    if (this.#list === undefined || level > 9) return;
    this.#list[level] = {
      format: attribute(attributes, 'num-format') ?? '',
      isBullet: name === 'list-level-style-bullet' || name === 'list-level-style-image',
      prefix: attribute(attributes, 'num-prefix') ?? '',
      suffix: attribute(attributes, 'num-suffix') ?? '',
      start: countAttribute(attributes, 'start-value', 1),
      shown: countAttribute(attributes, 'display-levels', 1, 1),
    };
  }

  #chain(key: string): string[] {
    const chain: string[] = [];
    for (
      let next: string | undefined = key;
      next !== undefined && chain.length < LONGEST_CHAIN;
      next = this.#parents.get(next)
    )
      chain.push(next);
    return chain;
  }
}

function styleKey(family: string | undefined, name: string | undefined): string {
  return `${family ?? ''} ${name ?? ''}`;
}
