import { partPath } from '../ooxml/part-path.js';
import { attribute } from '../xml/xml-names.js';
import { childOf, childrenOf, type XmlElement } from '../xml/xml-tree.js';

/** Titles by the path of the chapter; a chapter has the first that leads to it. Source: EPUB 3.3, 7. */
export function navTitles(root: XmlElement, path: string): Map<string, string> {
  const titles = new Map<string, string>();
  const all = [...elements(root)];
  const navs = all.filter(({ name }) => name === 'nav');
  const contents =
    navs.find(({ attributes }) => (attribute(attributes, 'type') ?? '').split(/\s+/).includes('toc')) ?? navs[0];
  for (const link of elements(contents ?? root)) {
    if (link.name === 'a') addTitle(titles, path, attribute(link.attributes, 'href'), wholeText(link));
  }
  return titles;
}

/** The same for books before EPUB 3. Source: OPF 2.0, 2.4.1. */
export function ncxTitles(root: XmlElement, path: string): Map<string, string> {
  const titles = new Map<string, string>();
  for (const point of elements(childOf(root, 'navMap') ?? root)) {
    if (point.name !== 'navPoint') continue;
    const source = attribute(childOf(point, 'content')?.attributes ?? {}, 'src');
    addTitle(titles, path, source, childOf(point, 'navLabel', 'text')?.text ?? '');
  }
  return titles;
}

function addTitle(titles: Map<string, string>, from: string, target: string | undefined, title: string): void {
  const clean = title.replace(/\s+/g, ' ').trim();
  const path = target === undefined ? '' : partPath(from, target);
  if (path !== '' && clean !== '' && !titles.has(path)) titles.set(path, clean);
}

/** An element and all below it, in their order. */
function* elements(root: XmlElement): Generator<XmlElement> {
  const waiting: XmlElement[] = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    yield element;
    for (let at = element.children.length - 1; at >= 0; at--) {
      const child = element.children[at];
      if (child !== undefined) waiting.push(child);
    }
  }
}

function wholeText(root: XmlElement): string {
  return childrenOf(root, 'img').length > 0 && root.text.trim() === ''
    ? childrenOf(root, 'img')
        .map(({ attributes }) => attribute(attributes, 'alt') ?? '')
        .join(' ')
    : [...elements(root)].map(({ text }) => text).join(' ');
}
