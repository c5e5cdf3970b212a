import { zip } from './zip.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface XlsxSheet {
  readonly name: string;
  /** What is inside `sheetData`. */
  readonly rows: string;
  readonly merged?: readonly string[];
  readonly state?: string;
  readonly kind?: 'worksheet' | 'chartsheet';
}

export interface XlsxParts {
  readonly strings?: readonly string[];
  /** Format codes of the cell styles 1, 2 and so on. */
  readonly formats?: readonly (string | number)[];
  readonly isFrom1904?: boolean;
}

/** A workbook of sheets; their files are named in reverse order. */
export function xlsx(sheets: readonly XlsxSheet[], parts: XlsxParts = {}): Uint8Array {
  const { strings, formats = [], isFrom1904 = false } = parts;
  const id = (index: number): number => sheets.length - index;
  const own = formats.map((code, index) => (typeof code === 'number' ? { code, id: code } : { code, id: 200 + index }));
  const entries: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}"><Relationship Id="1" Type="${R}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${R}"><workbookPr${isFrom1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        ({ name, state }, index) =>
          `<sheet name="${name}" sheetId="${index + 7}"${state ? ` state="${state}"` : ''} r:id="s${id(index)}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${sheets
      .map(
        ({ kind = 'worksheet' }, index) =>
          `<Relationship Id="s${id(index)}" Type="${R}/${kind}" Target="worksheets/sheet${id(index)}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="st" Type="${R}/styles" Target="styles.xml"/>${strings ? `<Relationship Id="ss" Type="${R}/sharedStrings" Target="sharedStrings.xml"/>` : ''}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${own
      .filter(({ code }) => typeof code === 'string')
      .map(({ code, id: number }) => `<numFmt numFmtId="${number}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><cellXfs><xf numFmtId="0"/>${own.map(({ id: number }) => `<xf numFmtId="${number}"/>`).join('')}</cellXfs></styleSheet>`,
  };
  if (strings !== undefined)
    entries['xl/sharedStrings.xml'] =
      `<sst xmlns="${MAIN}">${strings.map((one) => `<si>${one.startsWith('<') ? one : `<t>${one}</t>`}</si>`).join('')}</sst>`;
  for (const [index, { rows, merged = [] }] of sheets.entries()) {
    const areas = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
    entries[`xl/worksheets/sheet${id(index)}.xml`] =
      `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${areas === '' ? '' : `<mergeCells count="${merged.length}">${areas}</mergeCells>`}</worksheet>`;
  }
  return zip(entries);
}

/** A row of numbers and texts written into their cells. */
export function row(number: number, ...cells: readonly (string | number)[]): string {
  const written = cells.map((cell) =>
    typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`,
  );
  return `<row r="${number}">${written.join('')}</row>`;
}
