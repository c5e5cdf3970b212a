import type { Attributes } from '../xml/xml-names.js';

/** Their content is not text of the page, or not for reading. */
const SKIPPED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'script style template noscript iframe object embed canvas audio video svg textarea select datalist rt rp noframes head'.split(
    ' ',
  ),
);
const BLOCKS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header hgroup hr html legend main menu nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

export function isBlock(name: string): boolean {
  return BLOCKS.has(name);
}

/** Skipped by kind, or hidden by attribute or inline style. */
export function isHidden(name: string, attributes: Attributes): boolean {
  if (SKIPPED.has(name) || attributes['hidden'] !== undefined) return true;
  const style = attributes['style'];
  return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}

/** 1 to 6 for h1 to h6, else 0. */
export function headingLevel(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name.charAt(1)) : 0;
}
