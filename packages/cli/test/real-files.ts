import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { epub } from '../../readers/office/test/support/epub.js';
import { pdf, withoutPage } from './pdf.js';

/** A file for a folder of many kinds. */
export interface GatheredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const SYSTEM = '/usr/share/doc';
const folderOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PACKAGES = folderOf('../../../node_modules/.pnpm');
const FIXTURES = ['../../readers/office/test/fixtures', '../../readers/pdf/test/fixtures'].map(folderOf);

const TEXTS = ['.md', '.html', '.htm', '.txt', '.json', '.csv'];
const OFFICE = ['.pdf', '.docx', '.pptx', '.xlsx', '.odt', '.odp', '.ods', '.rtf', '.epub', '.eml', '.tsv'];

/** So many texts that people wrote: what the system documents, and what is in the packages that are installed here. */
export async function realTexts(most: number): Promise<GatheredFile[]> {
  const byKind = new Map<string, string[]>();
  for (const folder of [SYSTEM, PACKAGES]) {
    for await (const path of filesBelow(folder, TEXTS)) {
      const paths = byKind.get(kindOf(path)) ?? [];
      byKind.set(kindOf(path), paths);
      if (paths.length >= most) continue;
      const { size } = await stat(path);
      if (size > 0 && size < 20_000) paths.push(path);
    }
  }
  // In turn of each kind, so that the rarest are there.
  const turns = Array.from({ length: most }, (_, at) => [...byKind.values()].flatMap((paths) => paths[at] ?? []));
  const chosen = turns.flat().slice(0, most);
  return Promise.all(chosen.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })));
}

/**
 * PDF and office files that other programs wrote: manuals of the system, also packed ones, what packages that are installed here test with,
 * and what our readers test with, encrypted and odd ones among it.
 */
export async function realOfficeFiles(): Promise<GatheredFile[]> {
  const found: GatheredFile[] = [];
  for (const folder of [SYSTEM, PACKAGES, ...FIXTURES]) {
    for await (const path of filesBelow(folder, [...OFFICE, ...OFFICE.map((one) => `${one}.gz`)])) {
      const bytes = await readFile(path);
      if (bytes.length > 1_000_000) continue;
      if (path.endsWith('.gz')) found.push({ name: basename(path, '.gz'), bytes: gunzipSync(bytes) });
      else found.push({ name: basename(path), bytes });
    }
  }
  return found;
}

/** Kinds of which a machine has none: a book of real pages, mails with real files, and files that cannot be read, or not whole. */
export async function madeFiles(from: readonly GatheredFile[]): Promise<GatheredFile[]> {
  const ofKind = (kind: string): GatheredFile[] => from.filter(({ name }) => name.endsWith(kind));
  const chapters = ofKind('.html').slice(0, 10);
  const attached = [...ofKind('.docx').slice(0, 3), ...ofKind('.pdf').slice(0, 3), ...ofKind('.xlsx').slice(0, 1)];
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  const twoPages = await pdf('The bridge of Marn has 5 arches.', 'The mill of Corry grinds rye.');
  return [
    { name: 'book.epub', bytes: book(chapters) },
    ...attached.map((file, at) => ({ name: `mail-${at}.eml`, bytes: text(mailWith(file)) })),
    { name: 'torn-page.pdf', bytes: withoutPage(twoPages, 2) },
    { name: 'scan.pdf', bytes: await pdf(undefined, undefined) },
    { name: 'cut.pdf', bytes: twoPages.subarray(0, 200) },
    { name: 'cut.docx', bytes: text('PK\u0003\u0004 cut') },
    { name: 'cut.json', bytes: text('[1,') },
  ];
}

function book(pages: readonly GatheredFile[]): Uint8Array {
  const decoder = new TextDecoder();
  const bodyOf = ({ bytes }: GatheredFile): string =>
    /<body[^>]*>([\s\S]*)<\/body>/i.exec(decoder.decode(bytes))?.[1] ?? decoder.decode(bytes);
  return epub({ chapters: Object.fromEntries(pages.map((page, at) => [`${at}.xhtml`, bodyOf(page)])) });
}

function mailWith({ name, bytes }: GatheredFile): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  return [
    'From: Ada <ada@example.com>',
    `Subject: ${name}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="=b"',
    '',
    '--=b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Here it is.',
    '--=b',
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Type: application/octet-stream',
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
    '--=b--',
    '',
  ].join('\r\n');
}

async function* filesBelow(folder: string, endings: readonly string[], depth = 0): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < 7) yield* filesBelow(path, endings, depth + 1);
    else if (entry.isFile() && endings.some((ending) => entry.name.toLowerCase().endsWith(ending))) yield path;
  }
}

/** '.pdf' */
export const kindOf = (name: string): string => extname(name).toLowerCase();
