// The text of a PDF of 300 pages, by pages: pdf.js alone, and the reader. Each reading has a process of its own: pdf.js changes built-ins
// of the process that it is imported into, and what a reading holds in memory shows only where nothing else is held.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const PAGES = 300;
const ROUNDS = 5;
const here = fileURLToPath(import.meta.url);

/** Two columns of ragged text, a heading and a foot on each page. */
async function writeSample(path) {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const sample = await PDFDocument.create();
  const font = await sample.embedFont(StandardFonts.TimesRoman);
  const words =
    'when the fields are green again we walk down to river and count lamps along its banks for nobody else does'.split(
      ' ',
    );
  let seed = 7;
  const next = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let number = 1; number <= PAGES; number += 1) {
    const page = sample.addPage([595, 842]);
    // Once a page: pdf-lib gives the font another name each time that it is named, and pdf.js remembers all names.
    page.setFont(font);
    page.drawText(`Chapter ${number}`, { x: 60, y: 780, size: 16 });
    for (const x of [60, 310]) {
      for (let row = 0; row < 50; row += 1) {
        let text = words[next(words.length)];
        while (text.length < 48) text += ` ${words[next(words.length)]}`;
        page.drawText(text, { x, y: 750 - row * 14, size: 10 });
      }
    }
    page.drawText(String(number), { x: 295, y: 30, size: 9 });
  }
  writeFileSync(path, await sample.save());
}

const readers = {
  'floor: pdf.js, its pieces joined': async (path) => {
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const standardFontDataUrl = join(
      dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json'))),
      'standard_fonts/',
    );
    return async () => {
      const data = new Uint8Array(await readFile(path));
      const task = getDocument({ data, standardFontDataUrl, verbosity: 0 });
      const document = await task.promise;
      let letters = 0;
      for (let number = 1; number <= document.numPages; number += 1) {
        const page = await document.getPage(number);
        const { items } = await page.getTextContent();
        letters += items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('').length;
        page.cleanup();
      }
      await task.destroy();
      return letters;
    };
  },
  'vernal, in a thread for each reading': (path) => vernal(path, () => ({})),
  'vernal, in a thread that is kept': (path) => vernal(path, ({ PdfWorkerPool }) => ({ worker: new PdfWorkerPool() })),
  'vernal, worker: false': (path) => vernal(path, () => ({ worker: false })),
  "vernal, worker: false, layout: 'physical'": (path) => vernal(path, () => ({ worker: false, layout: 'physical' })),
};

async function vernal(path, optionsOf) {
  const { fileResource } = await import('@vernal/node');
  const pdf = await import('@vernal/readers-pdf');
  const options = optionsOf(pdf);
  return async () => {
    let letters = 0;
    for await (const { text } of new pdf.PagePdfDocumentReader(fileResource(path), options).stream())
      letters += text.length;
    return letters;
  };
}

/** In a process of its own: reads the file three times, and tells of the whole process, which has everything to load. */
async function measureHere(name, path) {
  const empty = process.memoryUsage.rss();
  const started = performance.now();
  const read = await readers[name](path);
  for (let time = 0; time < 3; time += 1) await read();
  const { user, system } = process.cpuUsage();
  const rss = process.resourceUsage().maxRSS * 1024 - empty;
  console.log(JSON.stringify({ cpu: (user + system) / 1000, wall: performance.now() - started, rss }));
}

export function pdfRead() {
  const folder = mkdtempSync(join(tmpdir(), 'vernal-pdf-'));
  const path = join(folder, 'sample.pdf');
  try {
    const child = (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [here, ...args], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    };
    child('write', path);
    const names = Object.keys(readers);
    const found = new Map(names.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const name of round % 2 === 0 ? names : names.toReversed())
        found.get(name).push(JSON.parse(child('read', path, name)));
    const of = (name, what) => median(found.get(name).map((run) => run[what]));
    const short = (value) => Number(value.toPrecision(3));
    const rows = names.map((name) => ({
      contestant: name,
      'x floor': short(of(name, 'cpu') / of(names[0], 'cpu')),
      'CPU ms a page': short(of(name, 'cpu') / PAGES / 3),
      'wall ms a page': short(of(name, 'wall') / PAGES / 3),
      'MB over the file': short((of(name, 'rss') - statSync(path).size) / 1e6),
    }));
    console.log(
      `\nPDF, ${PAGES} pages of two columns read three times in a process, ${short(statSync(path).size / 1e6)} MB`,
    );
    console.table(rows);
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === here) {
  const [, , task, path, name] = process.argv;
  if (task === 'write') await writeSample(path);
  else await measureHere(name, path);
}
