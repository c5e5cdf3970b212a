import { OoxmlPackage } from '../ooxml/ooxml-package.js';
import type { Reading } from '../reading/reading.js';
import { ZipArchive } from '../zip/zip-archive.js';
import { DOCX, EPUB, ODP, ODS, ODT, PPTX, XLSB, XLSX, ZIP } from './mime-types.js';

const BY_ROOT: Readonly<Record<string, string>> = { document: DOCX, presentation: PPTX, workbook: XLSX };
const OPEN_DOCUMENT: readonly string[] = [ODT, ODP, ODS];

/**
 * What is in a zip archive, by what its entries say and not by their names where that can be had.
 *
 * @throws VernalError `resource` as the readers throw it for a damaged archive
 */
export async function zipType(bytes: Uint8Array, reading: Reading): Promise<string> {
  const archive = new ZipArchive(bytes, reading);
  if (archive.has('mimetype')) {
    const [first = new Uint8Array(0)] = archive.chunks('mimetype');
    const told = new TextDecoder().decode(first.subarray(0, 256)).trim();
    const known = [EPUB, ...OPEN_DOCUMENT].find((type) => told === type || told.startsWith(`${type}-template`));
    return known ?? (/^[\w.+-]+\/[\w.+-]+$/.test(told) ? told : ZIP);
  }
  if (archive.has('META-INF/container.xml')) return EPUB;
  if (!archive.has('_rels/.rels') && !archive.has('[Content_Types].xml')) return ZIP;
  const file = new OoxmlPackage(bytes, reading);
  const main = await file.documentPart(
    archive.names.find((name) => /^(?:word\/document|ppt\/presentation|xl\/workbook)\.xml$/i.test(name)) ?? '',
  );
  if (/\.bin$/i.test(main)) return XLSB;
  const root = file.rootOf(main);
  return Object.hasOwn(BY_ROOT, root) ? (BY_ROOT[root] ?? ZIP) : ZIP;
}
