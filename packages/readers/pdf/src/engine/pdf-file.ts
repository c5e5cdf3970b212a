import { VernalError } from '@vernal/core';
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import type { RunGroup } from '../layout/text-run.js';
import { PdfFailure, type PdfFault } from '../pdf-fault.js';
import type { PdfJob } from '../pdf-job.js';
import { LoopbackPort } from './loopback-port.js';
import { type PageBox, runReader } from './page-runs.js';
import { repairedPageTree } from './page-tree-repair.js';
import type { PdfHost } from './pdf-host.js';
import { loadPdfjs, type PdfjsModules } from './pdfjs.js';

/** Text of a page, before it is laid out. */
interface PageText {
  readonly box: PageBox;
  readonly groups: readonly RunGroup[];
}

/** What a page holds, and what is wrong with it. */
export interface PageContent extends PageText {
  readonly number: number;
  readonly fault: PdfFault | undefined;
}

const NOTHING: PageText = { box: { view: [0, 0, 0, 0], rotate: 0, userUnit: 1 }, groups: [] };

/** One file, read by pdf.js in this thread. */
export class PdfFile {
  #reading: Reading;
  readonly #job: PdfJob;
  readonly #modules: PdfjsModules;
  readonly #host: PdfHost;
  #standIns: ReadonlySet<number> = new Set();
  /** The file again, for pages that are damaged: errors are skipped, and so is the text about them. */
  #lenient: Promise<Reading> | undefined;

  private constructor(reading: Reading, job: PdfJob, modules: PdfjsModules, host: PdfHost) {
    this.#reading = reading;
    this.#job = job;
    this.#modules = modules;
    this.#host = host;
  }

  /** Takes the bytes: they are not to be used afterwards. */
  static async open(bytes: Uint8Array, job: PdfJob, host: PdfHost): Promise<PdfFile> {
    const modules = await loadPdfjs();
    if (bytes.length === 0) throw new PdfFailure({ reason: 'empty' });
    const isPdf = hasHeader(bytes);
    try {
      const file = new PdfFile(await openReading(bytes, true, job, modules, host), job, modules, host);
      await file.#mendPageTree();
      return file;
    } catch (error) {
      throw fileFailure(error, isPdf, host);
    }
  }

  get document(): PDFDocumentProxy {
    return this.#reading.document;
  }

  get pageCount(): number {
    return this.document.numPages;
  }

  get modules(): PdfjsModules {
    return this.#modules;
  }

  /** What `work` gives; undefined where the file is damaged. */
  async attempt<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await this.#host.wait(work);
    } catch (error) {
      throwIfEnded(error);
      return undefined;
    }
  }

  async page(number: number): Promise<PageContent> {
    this.#host.begins(number);
    try {
      return { number, ...(await this.#read(this.#reading, number)), fault: undefined };
    } catch (error) {
      const fault = this.#faultOf(error, number);
      if (this.#job.onPageError === 'throw') throw new PdfFailure(fault, error);
      if (fault.reason === 'damaged') return { number, ...(await this.#readWhatIsLeft(number)), fault };
      await this.#startAfresh();
      return { number, ...NOTHING, fault };
    }
  }

  /** The page in the reading that skips errors; undefined where even that one has no such page. */
  lenientPage(number: number): Promise<PDFPageProxy | undefined> {
    this.#lenient ??= this.#openAgain();
    return this.attempt(this.#lenient.then(({ document }) => document.getPage(number)));
  }

  async close(): Promise<void> {
    const lenient = await this.#lenient?.catch(() => undefined);
    await Promise.all([closeReading(this.#reading), lenient === undefined ? undefined : closeReading(lenient)]);
  }

  /** Where the last page that pdf.js knows of is broken, there may be more behind it. */
  async #mendPageTree(): Promise<void> {
    const last = await this.attempt(this.document.getPage(this.pageCount));
    if (last !== undefined) return;
    const repaired = repairedPageTree(await this.#host.wait(this.document.getData()));
    if (repaired === undefined) return;
    const reading = await this.attempt(openReading(repaired.bytes, true, this.#job, this.#modules, this.#host));
    if (reading === undefined) return;
    await closeReading(this.#reading);
    this.#reading = reading;
    this.#standIns = repaired.standIns;
  }

  /** pdf.js works on at a page that nobody waits for any more, unless its document is closed. */
  async #startAfresh(): Promise<void> {
    const bytes = await this.#host.wait(this.document.getData());
    await closeReading(this.#reading);
    this.#reading = await openReading(bytes, true, this.#job, this.#modules, this.#host);
  }

  #faultOf(error: unknown, page: number): PdfFault {
    throwIfEnded(error);
    const isTooLarge = this.#host.wasTooLarge();
    if (error instanceof PdfFailure) return { ...error.fault, page };
    return { reason: isTooLarge ? 'too_large' : 'damaged', page };
  }

  async #openAgain(): Promise<Reading> {
    const bytes = await this.#host.wait(this.document.getData());
    return openReading(bytes, false, this.#job, this.#modules, this.#host);
  }

  async #readWhatIsLeft(number: number): Promise<PageText> {
    this.#lenient ??= this.#openAgain();
    const read = this.#lenient.then((reading) => this.#read(reading, number));
    return (await this.attempt(read)) ?? NOTHING;
  }

  async #read({ document }: Reading, number: number): Promise<PageText> {
    const latest = performance.now() + 1_000 * this.#job.maxPageSeconds;
    const page = await this.#host.wait(document.getPage(number));
    if (page.ref !== null && this.#standIns.has(page.ref.num)) throw new PdfFailure({ reason: 'damaged' });
    const box = { view: page.view, rotate: page.rotate, userUnit: page.userUnit };
    const runs = runReader(box);
    const vertical = new Set<string>();
    const stream = page.streamTextContent().getReader();
    let length = 0;
    try {
      for (;;) {
        const { done, value } = await this.#host.wait(stream.read());
        if (done) break;
        for (const [font, style] of Object.entries(value.styles as Record<string, { vertical?: boolean }>))
          if (style.vertical === true) vertical.add(font);
        runs.add(value.items, (font) => vertical.has(font));
        // An item is some 200 bytes beside its text, and empty ones come in any number.
        for (const { str = '' } of value.items) length += str.length + 10;
        if (length > this.#job.maxPageTextLength) throw new PdfFailure({ reason: 'too_large' });
        if (performance.now() > latest) throw new PdfFailure({ reason: 'too_slow' });
      }
    } catch (error) {
      stream.cancel(new Error('no more of this page')).catch(() => undefined);
      throw error;
    }
    page.cleanup();
    if (number % PAGES_KEPT === 0) await this.#host.wait(document.cleanup().catch(() => undefined));
    return { box, groups: runs.groups() };
  }
}

interface Reading {
  readonly document: PDFDocumentProxy;
  readonly close: () => Promise<void>;
}

async function openReading(
  data: Uint8Array,
  stopAtErrors: boolean,
  job: PdfJob,
  { api, worker: reader }: PdfjsModules,
  host: PdfHost,
): Promise<Reading> {
  const port = new LoopbackPort();
  reader.WorkerMessageHandler.initializeFromPort(port);
  const worker = api.PDFWorker.create({ port: port as never, verbosity: 0 });
  const task: PDFDocumentLoadingTask = api.getDocument({
    data,
    worker,
    stopAtErrors,
    password: job.password,
    cMapUrl: job.cMapUrl,
    standardFontDataUrl: job.standardFontDataUrl,
    disableFontFace: true,
    enableXfa: false,
    isEvalSupported: false,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    maxImageSize: stopAtErrors ? -1 : MAX_IMAGE_PIXELS,
    verbosity: 0,
  });
  const close = async (): Promise<void> => {
    await task.destroy();
    worker.destroy();
    port.close();
  };
  try {
    return { document: await host.wait(task.promise), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** After so many pages pdf.js forgets what it knows of them, and of fonts, which are soon read again. */
const PAGES_KEPT = 100;

/** Images are read for their size alone; larger ones are left out. */
const MAX_IMAGE_PIXELS = 100_000_000;

const closeReading = ({ close }: Reading): Promise<void> => close();

/** Readers of PDF allow for 1,024 bytes before it. */
function hasHeader(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1_029)).includes('%PDF-');
}

function fileFailure(error: unknown, isPdf: boolean, host: PdfHost): unknown {
  throwIfEnded(error);
  if (error instanceof PdfFailure) return error;
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'PasswordException') {
    return new PdfFailure({ reason: code === 2 ? 'password_wrong' : 'password_required' });
  }
  if (host.wasTooLarge()) return new PdfFailure({ reason: 'too_large' }, error);
  return new PdfFailure({ reason: isPdf ? 'damaged' : 'wrong_type' }, error);
}

/** The whole reading ended, not this page. */
function throwIfEnded(error: unknown): void {
  if (VernalError.is(error)) throw error;
}
