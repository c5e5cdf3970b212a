import { type Block, cellText } from '../text/block.js';
import type { Slide } from '../text/slide-unit.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute } from '../xml/xml-names.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfText, type OdfTextOptions } from './odf-text.js';

/** What says the same on each slide. */
const MARGINS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'header',
  'footer',
  'date-time',
  'page-number',
  'page',
  'handout',
]);

const SHAPES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'frame custom-shape rect ellipse circle polygon path connector caption line polyline'.split(' '),
);

/** The slides of an OpenDocument presentation. */
export class OdpSlides implements XmlHandler {
  /** What is finished. */
  readonly slides: Slide[] = [];
  readonly #styles: OdfStyles;
  readonly #options: OdfTextOptions;
  #number = 0;
  #isHidden = false;
  #title: OdfText | undefined;
  #body: OdfText | undefined;
  #notes: OdfText | undefined;
  /** Where the text goes that is read. */
  #into: OdfText | undefined;
  #frames = 0;
  #titleFrame = 0;
  #skipped = 0;
  #isInNotes = false;

  constructor(styles: OdfStyles, options: OdfTextOptions) {
    this.#styles = styles;
    this.#options = options;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipped > 0) {
      this.#skipped++;
      return;
    }
    if (name === 'page') this.#openPage(attributes);
    else if (name === 'notes' && this.#body !== undefined) {
      this.#isInNotes = true;
      this.#into = this.#notes;
    } else if (name === 'frame') {
      const kind = attribute(attributes, 'class') ?? '';
      if (MARGINS.has(kind)) {
        this.#skipped = 1;
        return;
      }
      this.#frames++;
      if (kind === 'title' && !this.#isInNotes && this.#title === undefined) {
        this.#title = new OdfText(this.#styles, this.#options);
        this.#titleFrame = this.#frames;
        this.#into = this.#title;
      }
    }
    if (SHAPES.has(name)) this.#into?.beginShape();
    this.#into?.open(name, attributes);
  }

  text(data: string): void {
    if (this.#skipped === 0) this.#into?.text(data);
  }

  close(name: string): void {
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    this.#into?.close(name);
    if (name === 'page') this.#closePage();
    else if (name === 'notes') {
      this.#isInNotes = false;
      this.#into = this.#body;
    } else if (name === 'frame') {
      if (this.#frames === this.#titleFrame) {
        this.#titleFrame = 0;
        this.#into = this.#body;
      }
      this.#frames--;
    }
  }

  #openPage(attributes: Attributes): void {
    this.#number++;
    this.#isHidden = this.#styles.isHidden('drawing-page', attribute(attributes, 'style-name'));
    this.#title = undefined;
    this.#body = new OdfText(this.#styles, this.#options);
    this.#notes = new OdfText(this.#styles, this.#options);
    this.#into = this.#body;
  }

  #closePage(): void {
    const title = cellText(
      (this.#title?.blocks ?? []).map((block) => (block.kind === 'row' ? '' : block.text)).join(' '),
    );
    const heading: Block[] = title === '' ? [] : [{ kind: 'heading', level: 1, text: title }];
    this.slides.push({
      number: this.#number,
      isHidden: this.#isHidden,
      title,
      blocks: [...heading, ...(this.#body?.blocks ?? [])],
      notes: this.#notes?.blocks ?? [],
    });
    this.#into = undefined;
    this.#body = undefined;
  }
}
