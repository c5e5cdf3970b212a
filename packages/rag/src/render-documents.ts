import type { Document, JsonValue } from '@vernal/core';
import { markPattern } from '@vernal/core/adapter';

const MARKS: RegExp = /* @__PURE__ */ markPattern(['document', 'documents']);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function attribute(name: string, value: JsonValue | undefined): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const line = String(value)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return '';
  return ` ${name}="${line.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)}"`;
}

/** Takes from a text what could open or close a block; all other markup is the author's and stays. */
function withoutMarks(text: string): string {
  return text.replace(MARKS, '&lt;');
}

function renderDocument(document: Document, index: number): string {
  const { source, file_name: fileName, url, title, page_number: page } = document.metadata;
  const attributes = [
    attribute('index', index),
    attribute('source', source ?? fileName ?? url),
    attribute('title', title),
    attribute('page', page),
  ];
  return `<document${attributes.join('')}>\n${withoutMarks(document.text ?? '')}\n</document>`;
}

/** Documents that have something to say. */
export function documentsWithText(documents: readonly Document[]): Document[] {
  return documents.filter(({ text }) => text !== undefined && text.trim() !== '');
}

/**
 * Documents as a model reads them: numbered from 1 in their order, each in marks of its own, all in one block. `source`, `title` and
 * `page` are told where metadata knows them (`source`, `file_name` or `url`; `title`; `page_number`). Documents without text are left out.
 * A text cannot close its block: the marks inside it are escaped. '' when there is nothing.
 *
 * @example
 * ```ts
 * renderDocuments([document('Returns are free.', { source: 'faq.md' })]);
 * // <documents>
 * // <document index="1" source="faq.md">
 * // Returns are free.
 * // </document>
 * // </documents>
 * ```
 */
export function renderDocuments(documents: readonly Document[]): string {
  const rendered = documentsWithText(documents).map((document, i) => renderDocument(document, i + 1));
  return rendered.length === 0 ? '' : `<documents>\n${rendered.join('\n')}\n</documents>`;
}
