import { BlockText } from '../text/block-text.js';
import type { XmlHandler } from '../xml/xml-items.js';
import { type Attributes, attribute } from '../xml/xml-names.js';
import { noteKey, type WordContext } from './word-context.js';
import { WordText } from './word-text.js';

/** The texts of the footnotes or endnotes of a document, each on a line of its own. */
export class NoteTexts implements XmlHandler {
  /** By kind and id. */
  readonly texts: Map<string, string> = new Map();
  readonly #context: WordContext;
  #note: WordText | undefined;
  #key = '';

  constructor(context: WordContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#note !== undefined) this.#note.open(name, attributes);
    else if ((name === 'footnote' || name === 'endnote') && (attribute(attributes, 'type') ?? 'normal') === 'normal') {
      this.#key = noteKey(name, attribute(attributes, 'id') ?? '');
      this.#note = new WordText(this.#context);
    }
  }

  text(data: string): void {
    this.#note?.text(data);
  }

  close(name: string): void {
    if (this.#note === undefined) return;
    if (name !== 'footnote' && name !== 'endnote') {
      this.#note.close(name);
      return;
    }
    const text = new BlockText(this.#context.reading);
    for (const block of this.#note.blocks) text.add(block);
    this.texts.set(this.#key, text.take().replace(/\s+/g, ' '));
    this.#note = undefined;
  }
}
