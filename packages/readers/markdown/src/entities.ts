/** The references that people write by hand; others stay as they are. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', shy: '\u00ad' },
  ...{ copy: '©', reg: '®', trade: '™', hellip: '…', mdash: '—', ndash: '–', bull: '•', middot: '·', deg: '°' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', sect: '§', para: '¶', times: '×' },
  ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', plusmn: '±', frac12: '½', larr: '←', rarr: '→', harr: '↔' },
  ...{ le: '≤', ge: '≥', ne: '≠', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
};

/** Decodes `&amp;`, `&#38;` and `&#x26;`. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,7}));/g,
    (found, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? found) : found;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10);
      const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
      return isCharacter ? String.fromCodePoint(point) : '\ufffd';
    },
  );
}
