import type { XmlHandler } from '../xml/xml-items.js';
import type { Attributes } from '../xml/xml-names.js';
import type { OdfStyles } from './odf-styles.js';

/** Tells the styles at the head of a content.xml from its body. */
export class OdfContent implements XmlHandler {
  readonly #styles: OdfStyles;
  readonly #body: XmlHandler;
  #part: 'styles' | 'body' | undefined;

  constructor(styles: OdfStyles, body: XmlHandler) {
    this.#styles = styles;
    this.#body = body;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#part === 'body') this.#body.open(name, attributes);
    else if (this.#part === 'styles') this.#styles.open(name, attributes);
    else if (name === 'body') this.#part = 'body';
    else if (name === 'automatic-styles' || name === 'styles') this.#part = 'styles';
  }

  text(data: string): void {
    if (this.#part === 'body') this.#body.text?.(data);
  }

  close(name: string): void {
    if (this.#part === 'body' && name !== 'body') this.#body.close(name);
    else if (name === 'body' || name === 'automatic-styles' || name === 'styles') this.#part = undefined;
    else if (this.#part === 'styles') this.#styles.close(name);
  }
}
