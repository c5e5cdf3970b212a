import { zip } from './zip.js';

const NS = ['office', 'style', 'text', 'table', 'draw', 'presentation', 'xlink', 'svg', 'dc', 'meta', 'fo', 'number']
  .map((name) => `xmlns:${name}="urn:x:${name}"`)
  .join(' ');

export interface OdfParts {
  /** What is inside `office:automatic-styles` of the content. */
  readonly automatic?: string;
  /** What is inside `office:styles`. */
  readonly styles?: string;
  readonly meta?: string;
  readonly manifest?: string;
}

/** An OpenDocument file around the XML of its body; `kind` is 'text', 'presentation' or 'spreadsheet'. */
export function odf(kind: string, body: string, parts: OdfParts = {}): Uint8Array {
  const { automatic = '', styles = '', meta = '', manifest } = parts;
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${NS}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${NS}><office:styles>${styles}</office:styles></office:document-styles>`,
    'meta.xml': `<office:document-meta ${NS}><office:meta>${meta}</office:meta></office:document-meta>`,
    ...(manifest !== undefined && { 'META-INF/manifest.xml': manifest }),
  });
}
