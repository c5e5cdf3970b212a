import type { Reading } from '../reading/reading.js';
import { readXml, type XmlPart } from './xml-items.js';
import { type Attributes, attribute } from './xml-names.js';

/** An element of a small part, such as a list of relationships. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of the elements in it. */
  readonly text: string;
}

interface Growing {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: Growing[];
  text: string;
}

/** Elements of a tree; larger parts are read piece by piece. */
const MOST_ELEMENTS = 250_000;

/** A small part as a whole. */
export async function readXmlTree(reading: Reading, part: XmlPart): Promise<XmlElement> {
  const top: Growing = { name: '', attributes: {}, children: [], text: '' };
  const stack: Growing[] = [top];
  let count = 0;
  await readXml(reading, part, {
    open(name, attributes) {
      if (++count > MOST_ELEMENTS) {
        throw reading.fault('too_large', `has more than ${MOST_ELEMENTS} elements`, {
          part: part.name,
          most: MOST_ELEMENTS,
        });
      }
      const element: Growing = { name, attributes, children: [], text: '' };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    close() {
      stack.pop();
    },
    text(data) {
      const element = stack.at(-1);
      if (element !== undefined) element.text += data;
    },
  });
  return top.children[0] ?? top;
}

/** The first child of this name, and the first in that one, and so on. */
export function childOf(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let found = element;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found;
}

export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The `val` of the child at the end of the path: how OOXML writes most values. */
export function valueAt(element: XmlElement | undefined, ...path: readonly string[]): string | undefined {
  const found = childOf(element, ...path);
  return found === undefined ? undefined : attribute(found.attributes, 'val');
}
