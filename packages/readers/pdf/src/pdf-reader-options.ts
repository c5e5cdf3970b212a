import { invalidArgument, type MetadataInput } from '@vernal/core';
import { requireOptionNames } from '@vernal/core/adapter';
import { pdfjsFolders } from './engine/pdfjs.js';
import { mergedRanges } from './parts/page-parts.js';
import type { PageCut, PdfJob, PdfPageRange, SectionCut } from './pdf-job.js';
import type { PdfWorkerPool } from './pdf-worker-pool.js';
import { requireWhole } from './require-whole.js';
import type { ThreadLimits } from './worker-messages.js';

/** How much of a file is read before it is refused: what is packed small may unpack to anything. */
export interface PdfLimits {
  /** Bytes of the file itself; Infinity for no limit. Default 268,435,456. */
  readonly maxFileBytes?: number | undefined;
  /** Default 100,000. */
  readonly maxPages?: number | undefined;
  /** UTF-16 units of text on one page, with some 10 for each piece that is drawn by itself. Default 10,000,000. */
  readonly maxPageTextLength?: number | undefined;
  /** How long a page may take; one that never ends takes its thread with it. Default 60. */
  readonly maxPageSeconds?: number | undefined;
  /** Bytes that one stream of the file may unpack to; not without a worker. Default 67,108,864. */
  readonly maxStreamBytes?: number | undefined;
  /** Mebibytes of JavaScript heap that the worker may take; not without one. Default 256. */
  readonly maxHeapMb?: number | undefined;
}

/** What both readers of PDF have in common. Everything may be left out. */
export interface PdfReaderOptions {
  /** Of an encrypted file; it is in no metadata, id or error. */
  readonly password?: string | undefined;
  /**
   * 'reading': text in the order in which it is read, columns one after the other, a paragraph a line, an empty line between blocks, a tab
   * between cells. 'physical': the lines of the page, with spaces where it has gaps. Default 'reading'.
   */
  readonly layout?: 'reading' | 'physical' | undefined;
  /** Joins words that are broken at the end of a line; with false the line ends there. Only with the layout 'reading'. Default true. */
  readonly joinHyphenated?: boolean | undefined;
  /** Points at the top of each page whose text is left out. Default 0. */
  readonly pageTopMargin?: number | undefined;
  /** Points at the bottom of each page whose text is left out. Default 0. */
  readonly pageBottomMargin?: number | undefined;
  /** So many lines, as they are printed, are left out at the top of each page. Default 0. */
  readonly numberOfTopTextLinesToDelete?: number | undefined;
  /** So many lines, as they are printed, are left out at the bottom of each page. Default 0. */
  readonly numberOfBottomTextLinesToDelete?: number | undefined;
  /** The first pages keep these lines. Default 0. */
  readonly numberOfTopPagesToSkipBeforeDelete?: number | undefined;
  /** Leaves out the heads and feet that stand, but for numbers, in the same place of the next page or the next but one. Default false. */
  readonly dropRepeatedLines?: boolean | undefined;
  /** Adds `images` to the metadata. pdf.js decodes them for it, which takes far longer than the text. Default false. */
  readonly images?: boolean | undefined;
  /**
   * What a page that is damaged does: 'metadata' keeps what can be read of it and adds `page_errors`, 'throw' ends the reading with the
   * error. Default 'metadata'.
   */
  readonly onPageError?: 'metadata' | 'throw' | undefined;
  /**
   * True: in a thread of its own, where there are threads, so that the event loop stays free and no file can take the process down. False:
   * in this thread. A pool: in a thread that is kept for the next file. Default true.
   */
  readonly worker?: boolean | PdfWorkerPool | undefined;
  readonly limits?: PdfLimits | undefined;
  /** Path or URL, with a slash at its end, of the character maps of pdf.js. Default where Node.js finds them in `pdfjs-dist`; none in a browser. */
  readonly cMapUrl?: string | undefined;
  /** Path or URL, with a slash at its end, of the fonts of pdf.js. Default where Node.js finds them in `pdfjs-dist`; none in a browser. */
  readonly standardFontDataUrl?: string | undefined;
  /** Added to each document; wins over the reader's own. */
  readonly metadata?: MetadataInput | undefined;
}

/** What is read, once for all. */
export interface ReadingPlan {
  readonly job: PdfJob;
  readonly maxFileBytes: number;
  readonly threadLimits: ThreadLimits;
  readonly worker: boolean | PdfWorkerPool;
  readonly metadata: MetadataInput | undefined;
}

/**
 * `names` are the options that the reader has beside those of both.
 *
 * @throws VernalError `invalid_argument` for options that cannot be right, and for names that are no option
 */
export function readingPlan<T extends PdfReaderOptions>(
  options: T,
  names: readonly (Exclude<keyof T, keyof PdfReaderOptions> & string)[],
  cut: PageCut | SectionCut,
): ReadingPlan {
  requireOptionNames<T>(options, [...names, ...NAMES]);
  const { limits = {}, layout = 'reading', onPageError = 'metadata', worker = true, password } = options;
  if (layout !== 'reading' && layout !== 'physical') throw invalidArgument('layout', "must be 'reading' or 'physical'");
  if (onPageError !== 'metadata' && onPageError !== 'throw')
    throw invalidArgument('onPageError', "must be 'metadata' or 'throw'");
  if (password !== undefined && typeof password !== 'string') throw invalidArgument('password', 'must be text');
  if (typeof worker !== 'boolean' && typeof worker?.read !== 'function')
    throw invalidArgument('worker', 'must be true, false or a PdfWorkerPool');
  requireOptionNames(limits, LIMITS);
  for (const name of ['pageTopMargin', 'pageBottomMargin'] as const) {
    const margin = options[name] ?? 0;
    if (!Number.isFinite(margin) || margin < 0) throw invalidArgument(name, 'must be points, 0 or more');
  }
  for (const name of COUNTS) requireWhole(name, options[name], 0);
  for (const [name, limit] of Object.entries(limits)) {
    if (name !== 'maxFileBytes' || limit !== Number.POSITIVE_INFINITY) requireWhole(`limits.${name}`, limit, 1);
  }
  const folders = pdfjsFolders();
  return {
    job: {
      password,
      layout,
      onPageError,
      cut,
      joinHyphenated: options.joinHyphenated ?? true,
      topMargin: options.pageTopMargin ?? 0,
      bottomMargin: options.pageBottomMargin ?? 0,
      topLines: options.numberOfTopTextLinesToDelete ?? 0,
      bottomLines: options.numberOfBottomTextLinesToDelete ?? 0,
      pagesBeforeDeletion: options.numberOfTopPagesToSkipBeforeDelete ?? 0,
      dropRepeatedLines: options.dropRepeatedLines ?? false,
      images: options.images ?? false,
      maxPages: limits.maxPages ?? 100_000,
      maxPageTextLength: limits.maxPageTextLength ?? 10_000_000,
      maxPageSeconds: limits.maxPageSeconds ?? 60,
      cMapUrl: options.cMapUrl ?? folders.cMapUrl,
      standardFontDataUrl: options.standardFontDataUrl ?? folders.standardFontDataUrl,
    },
    maxFileBytes: limits.maxFileBytes ?? 268_435_456,
    threadLimits: {
      maxStreamBytes: limits.maxStreamBytes ?? 67_108_864,
      maxHeapMb: limits.maxHeapMb ?? 256,
    },
    worker,
    metadata: options.metadata,
  };
}

const NAMES: readonly (keyof PdfReaderOptions)[] = [
  'password',
  'layout',
  'joinHyphenated',
  'pageTopMargin',
  'pageBottomMargin',
  'numberOfTopTextLinesToDelete',
  'numberOfBottomTextLinesToDelete',
  'numberOfTopPagesToSkipBeforeDelete',
  'dropRepeatedLines',
  'images',
  'onPageError',
  'worker',
  'limits',
  'cMapUrl',
  'standardFontDataUrl',
  'metadata',
];

const LIMITS: readonly (keyof PdfLimits)[] = [
  'maxFileBytes',
  'maxPages',
  'maxPageTextLength',
  'maxPageSeconds',
  'maxStreamBytes',
  'maxHeapMb',
];

const COUNTS = [
  'numberOfTopTextLinesToDelete',
  'numberOfBottomTextLinesToDelete',
  'numberOfTopPagesToSkipBeforeDelete',
] as const;

/** @throws VernalError `invalid_argument` for ranges that begin before page 1 or end before they begin */
export function checkedRanges(ranges: readonly PdfPageRange[] = []): PdfPageRange[] {
  ranges.forEach(({ start, end }, at) => {
    requireWhole(`pageRanges[${at}].start`, start, 1);
    requireWhole(`pageRanges[${at}].end`, end, start);
  });
  return mergedRanges(ranges);
}
