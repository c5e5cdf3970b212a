import { zip } from './zip.js';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface DocxParts {
  readonly styles?: string;
  readonly numbering?: string;
  readonly footnotes?: string;
  readonly endnotes?: string;
  readonly header?: string;
  readonly footer?: string;
  readonly links?: Readonly<Record<string, string>>;
  readonly core?: string;
}

const part = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:${root} xmlns:w="${W}" xmlns:r="${R}">${content}</w:${root}>`;

/** A Word file around the XML of its body. */
export function docx(body: string, parts: DocxParts = {}): Uint8Array {
  return zip(docxEntries(part('document', `<w:body>${body}</w:body>`), parts));
}

/** Its entries, with the whole of word/document.xml given. */
export function docxEntries(document: string, parts: DocxParts = {}): Record<string, string> {
  const entries: Record<string, string> = {};
  const related: string[] = [];
  for (const [name, root] of [
    ['styles', 'styles'],
    ['numbering', 'numbering'],
    ['footnotes', 'footnotes'],
    ['endnotes', 'endnotes'],
    ['header', 'hdr'],
    ['footer', 'ftr'],
  ] as const) {
    const content = parts[name];
    if (content === undefined) continue;
    entries[`word/${name}.xml`] = part(root, content);
    related.push(`<Relationship Id="r-${name}" Type="${R}/${name}" Target="${name}.xml"/>`);
  }
  for (const [id, url] of Object.entries(parts.links ?? {}))
    related.push(`<Relationship Id="${id}" Type="${R}/hyperlink" Target="${url}" TargetMode="External"/>`);
  if (parts.core !== undefined) {
    entries['docProps/core.xml'] =
      `<cp:coreProperties xmlns:cp="x" xmlns:dc="y" xmlns:dcterms="z">${parts.core}</cp:coreProperties>`;
  }
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels':
      `<Relationships xmlns="${PACKAGE}"><Relationship Id="1" Type="${R}/officeDocument" Target="word/document.xml"/>` +
      '<Relationship Id="2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
    'word/document.xml': document,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}">${related.join('')}</Relationships>`,
    ...entries,
  };
}

/** A paragraph of one run. */
export function p(text: string, properties = ''): string {
  return `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function heading(level: number, text: string): string {
  return p(text, `<w:outlineLvl w:val="${level - 1}"/>`);
}

/** A table of rows of cells; a cell is text, or the XML inside its `w:tc`. */
export function table(...rows: readonly (readonly string[])[]): string {
  const cell = (content: string): string => `<w:tc>${content.startsWith('<') ? content : p(content)}</w:tc>`;
  return `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
}
