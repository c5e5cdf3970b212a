import type { Relationship } from '../ooxml/ooxml-package.js';
import type { Reading } from '../reading/reading.js';
import type { WordNumbering } from './numbering.js';
import type { WordStyles } from './word-styles.js';

/** What the text of a part refers to. */
export interface WordContext {
  readonly reading: Reading;
  readonly styles: WordStyles;
  readonly numbering: WordNumbering;
  /** By id; those of the part that is read. */
  readonly links: ReadonlyMap<string, Relationship>;
  /** Texts of footnotes and endnotes, by kind and id; empty where they are left out. */
  readonly notes: ReadonlyMap<string, string>;
  readonly includeLinkUrls: boolean;
}

/** Key of a note among the others. */
export function noteKey(kind: 'footnote' | 'endnote', id: string): string {
  return `${kind} ${id}`;
}
