/** A page by hand: its content stream, and what differs from a sheet of 300 by 400 points. */
export interface PageSource {
  readonly content: string | Uint8Array;
  /** Further entries of the page, such as `/Rotate 90`. */
  readonly entries?: string;
  /** Entries of its content stream, such as a filter. */
  readonly streamEntries?: string;
}

export interface PdfSource {
  readonly pages: readonly (string | PageSource)[];
  /** By name, the dictionary of each font. Default `/F`, Helvetica. */
  readonly fonts?: Readonly<Record<string, string>>;
  /** Further objects by number, from 1000 on: a dictionary, or a dictionary with a stream. */
  readonly objects?: Readonly<Record<number, string | readonly [entries: string, stream: string | Uint8Array]>>;
  /** Further entries of the resources of all pages, of the catalog and of the trailer. */
  readonly resources?: string;
  readonly catalog?: string;
  readonly trailer?: string;
}

export const pageObject = (number: number): number => 100 + 2 * (number - 1);

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** A PDF by hand, with the cross references it should have. Text is bytes: letters beyond U+00FF have no place in it. */
export function pdf({ pages, fonts = { F: HELVETICA }, objects = {}, ...more }: PdfSource): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const offsets = new Map<number, number>();
  let length = 0;
  const add = (piece: string | Uint8Array): void => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece);
    parts.push(bytes);
    length += bytes.length;
  };
  const object = (number: number, entries: string, stream?: string | Uint8Array): void => {
    offsets.set(number, length);
    add(`${number} 0 obj\n`);
    if (stream === undefined) add(`${entries}\n`);
    else {
      add(`<< ${entries} /Length ${stream.length} >>\nstream\n`);
      add(stream);
      add('\nendstream\n');
    }
    add('endobj\n');
  };
  add('%PDF-1.7\n');
  object(1, `<< /Type /Catalog /Pages 2 0 R ${more.catalog ?? ''} >>`);
  const kids = pages.map((_, at) => `${pageObject(at + 1)} 0 R`).join(' ');
  const fontEntries = Object.keys(fonts).map((name, at) => `/${name} ${10 + at} 0 R`);
  object(
    2,
    `<< /Type /Pages /Kids [ ${kids} ] /Count ${pages.length} /MediaBox [0 0 300 400] /Resources << /Font << ${fontEntries.join(' ')} >> ${more.resources ?? ''} >> >>`,
  );
  Object.values(fonts).forEach((font, at) => {
    object(10 + at, font);
  });
  pages.forEach((page, at) => {
    const { content, entries = '', streamEntries = '' } = typeof page === 'string' ? { content: page } : page;
    const number = pageObject(at + 1);
    object(number, `<< /Type /Page /Parent 2 0 R /Contents ${number + 1} 0 R ${entries} >>`);
    object(number + 1, streamEntries, content);
  });
  for (const [number, source] of Object.entries(objects)) {
    if (typeof source === 'string') object(Number(number), source);
    else object(Number(number), ...source);
  }
  const size = Math.max(...offsets.keys()) + 1;
  const start = length;
  add(`xref\n0 ${size}\n`);
  for (let number = 0; number < size; number++) {
    const offset = offsets.get(number);
    add(offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`);
  }
  add(`trailer\n<< /Size ${size} /Root 1 0 R ${more.trailer ?? ''} >>\nstartxref\n${start}\n%%EOF\n`);
  return new Uint8Array(Buffer.concat(parts));
}

/** A line of text at a place, in Helvetica. */
export function line(text: string, x: number, y: number, size = 10): string {
  return `BT /F ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET\n`;
}

/** A map from codes of one byte to Unicode, for a font's `/ToUnicode`. */
export function toUnicode(codes: Readonly<Record<number, string>>): readonly [string, string] {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const rows = Object.entries(codes).map(([code, text]) => {
    const units = Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at), 4)).join('');
    return `<${hex(Number(code), 2)}> <${units}>`;
  });
  return [
    '',
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
${rows.length} beginbfchar ${rows.join(' ')} endbfchar
endcmap end end`,
  ];
}

/** Lines under each other. */
export function lines(rows: readonly string[], x: number, y: number, pitch = 12): string {
  return rows.map((row, at) => line(row, x, y - at * pitch)).join('');
}

/** Text at an angle, in degrees against the clock. */
export function turned(text: string, degrees: number, x: number, y: number): string {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)].map((value) => Number(value.toFixed(4)));
  return `BT /F 10 Tf ${cos} ${sin} ${-(sin ?? 0)} ${cos} ${x} ${y} Tm (${text}) Tj ET\n`;
}
