import { PDFDocument, StandardFonts } from 'pdf-lib';

/** A PDF with a line of text on each page; pages without one hold a filled rectangle, as scans hold a picture. */
export async function pdf(...lines: readonly (string | undefined)[]): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  const font = await file.embedFont(StandardFonts.Helvetica);
  for (const line of lines) {
    const page = file.addPage([400, 300]);
    if (line === undefined) page.drawRectangle({ x: 20, y: 20, width: 360, height: 260 });
    else page.drawText(line, { x: 20, y: 200, size: 12, font });
  }
  // With every object in plain sight, so that tests can break one.
  return file.save({ useObjectStreams: false });
}

/** The same with a page whose object cannot be read. */
export function withoutPage(bytes: Uint8Array, page: number): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const kids = /\/Kids \[([^\]]*)\]/.exec(text)?.[1] ?? '';
  const target = kids.match(/\d+ 0 R/g)?.[page - 1];
  if (target === undefined) throw new Error(`There is no page ${page}`);
  const object = target.replace('R', 'obj\n');
  return Buffer.from(text.replace(`\n${object}<<`, `\n${object}%<`), 'latin1');
}
